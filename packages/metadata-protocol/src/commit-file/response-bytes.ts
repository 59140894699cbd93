// Encodes a CommitFileResponse from typed columns: the same bytes as the generated encoder, without a bigint per offset.

/** The response to a commit that was not refused as a whole: its error_code and error_message have their defaults. */
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

export function encodeCommitFileResults(results: CommitFileResults): Uint8Array<ArrayBuffer> {
  const { batchBaseOffset, batchErrorCode, runLogStartOffset } = results;
  const offsetBytes = columnBytes(batchBaseOffset);
  const codeBytes = columnBytes(batchErrorCode);
  const startBytes = columnBytes(runLogStartOffset);
  const bytes = new Uint8Array(fieldBytes(offsetBytes) + fieldBytes(codeBytes) + fieldBytes(startBytes));
  let at = writeColumn(bytes, 0, BATCH_BASE_OFFSET, batchBaseOffset, offsetBytes);
  at = writeColumn(bytes, at, BATCH_ERROR_CODE, batchErrorCode, codeBytes);
  writeColumn(bytes, at, RUN_LOG_START_OFFSET, runLogStartOffset, startBytes);
  return bytes;
}

/** Bytes of the values alone. */
function columnBytes(column: Float64Array | Int32Array): number {
  let bytes = column.length;
  for (let index = 0; index < column.length; index += 1) {
    const value = column[index] ?? 0;
    const magnitude = value < 0 ? -value - 1 : value;
    // Six bits are in the first byte, seven in each following one.
    for (let limit = 0x40; magnitude >= limit; limit *= 0x80) {
      bytes += 1;
    }
  }
  return bytes;
}

/** Bytes with tag and length. An empty column is omitted. */
function fieldBytes(valueBytes: number): number {
  if (valueBytes === 0) {
    return 0;
  }
  let header = 2;
  for (let rest = valueBytes; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    header += 1;
  }
  return header + valueBytes;
}

/** @returns where the column ends */
function writeColumn(
  bytes: Uint8Array,
  from: number,
  tag: number,
  column: Float64Array | Int32Array,
  valueBytes: number,
): number {
  if (valueBytes === 0) {
    return from;
  }
  bytes[from] = tag;
  let at = writeUnsigned(bytes, from + 1, valueBytes);
  for (let index = 0; index < column.length; index += 1) {
    at = writeZigzag(bytes, at, column[index] ?? 0);
  }
  return at;
}

/** The sign goes into the lowest bit; a negative n is stored as -n - 1. Six bits first, so that nothing exceeds 53 bits. */
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
