// CommitFileResponse from typed columns into wire bytes: the bytes that the generated encoder makes, without a bigint per offset.

/** The response to a commit that was not refused as a whole: its error_code and error_message are at their defaults. */
export interface CommitFileResults {
  /** Exact integers, as are the offsets below. */
  readonly batchBaseOffset: Float64Array;
  readonly batchErrorCode: Int32Array;
  readonly runLogStartOffset: Float64Array;
}

// Fields of CommitFileResponse, each a packed column of zigzag integers.
const BYTES = 2;
const BATCH_BASE_OFFSET = (1 << 3) | BYTES;
const BATCH_ERROR_CODE = (2 << 3) | BYTES;
const RUN_LOG_START_OFFSET = (3 << 3) | BYTES;

/** A varint of 53 bits and a sign. */
const MAX_VALUE_BYTES = 8;
/** A tag and a length of 32 bits. */
const MAX_HEADER_BYTES = 1 + 5;

export function encodeCommitFileResults(results: CommitFileResults): Uint8Array<ArrayBuffer> {
  const { batchBaseOffset, batchErrorCode, runLogStartOffset } = results;
  const values = batchBaseOffset.length + batchErrorCode.length + runLogStartOffset.length;
  const bytes = new Uint8Array(values * MAX_VALUE_BYTES + 3 * MAX_HEADER_BYTES);
  let at = writeColumn(bytes, 0, BATCH_BASE_OFFSET, batchBaseOffset);
  at = writeColumn(bytes, at, BATCH_ERROR_CODE, batchErrorCode);
  at = writeColumn(bytes, at, RUN_LOG_START_OFFSET, runLogStartOffset);
  return bytes.subarray(0, at);
}

/** @returns where the column ends. An empty one takes no bytes. */
function writeColumn(bytes: Uint8Array, at: number, tag: number, column: Float64Array | Int32Array): number {
  if (column.length === 0) {
    return at;
  }
  // The length is known only behind the values: they move up to it.
  const from = at + MAX_HEADER_BYTES;
  let to = from;
  for (let index = 0; index < column.length; index += 1) {
    to = writeZigzag(bytes, to, column[index] ?? 0);
  }
  bytes[at] = tag;
  const valuesAt = writeUnsigned(bytes, at + 1, to - from);
  bytes.copyWithin(valuesAt, from, to);
  return valuesAt + to - from;
}

/** The sign goes into the lowest bit; negative n is kept as -n - 1. Six bits first, so that nothing exceeds 53. */
function writeZigzag(bytes: Uint8Array, at: number, value: number): number {
  const sign = value < 0 ? 1 : 0;
  const magnitude = sign === 1 ? -value - 1 : value;
  if (magnitude < 0x40) {
    bytes[at] = magnitude * 2 + sign;
    return at + 1;
  }
  bytes[at] = 0x80 | ((magnitude % 0x40) * 2 + sign);
  return writeUnsigned(bytes, at + 1, Math.floor(magnitude / 0x40));
}

function writeUnsigned(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) {
    bytes[at] = 0x80 | (rest % 0x80);
    at += 1;
  }
  for (; rest > 0x7f; rest >>>= 7) {
    bytes[at] = 0x80 | (rest & 0x7f);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}
