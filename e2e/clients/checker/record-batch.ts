// Hand-written record batches (magic 2): written uncompressed and without a producer id, read with any codec.
import { crc32c } from '../support/crc32c.ts';
import { decompress } from '../support/decompress.ts';
import { int16, int32, int64, varint } from '../support/raw-kafka.ts';

/** Up to and including the length field, which counts the bytes after it. */
const LENGTH_END = 12;
/** The records section follows. */
const HEADER_BYTES = 61;

export interface DecodedRecord {
  offset: number;
  timestamp_ms: number;
  /** Undefined when it has none. */
  key: string | undefined;
  value: string;
}

export interface DecodedBatch {
  baseOffset: number;
  lastOffset: number;
  storedBytes: number;
  uncompressedBytes: number;
  records: DecodedRecord[];
}

/** A batch of records without headers, all with the same timestamp and key (or no key). */
export function encodeBatch(values: readonly string[], timestampMs: number, key?: string): Buffer {
  const keyField = key === undefined ? [varint(-1)] : [varint(Buffer.byteLength(key)), Buffer.from(key)];
  const records = values.map((value, index) => {
    const text = Buffer.from(value);
    // Attributes, timestamp delta, offset delta, key, value, no headers.
    const body = [Buffer.from([0, 0]), varint(index), ...keyField, varint(text.length), text, varint(0)];
    const bytes = Buffer.concat(body);
    return Buffer.concat([varint(bytes.length), bytes]);
  });
  const checked = Buffer.concat([
    int16(0), // attributes: no compression
    int32(values.length - 1), // last offset delta
    int64(BigInt(timestampMs)),
    int64(BigInt(timestampMs)),
    int64(-1n), // producer id
    int16(-1), // producer epoch
    int32(-1), // base sequence
    int32(values.length),
    ...records,
  ]);
  const afterLength = Buffer.concat([int32(-1), Buffer.from([2]), int32(crc32c(checked) | 0), checked]);
  return Buffer.concat([int64(0n), int32(afterLength.length), afterLength]);
}

/**
 * The complete batches of a Fetch response; a truncated last one is left out.
 * @throws when a checksum or a length is wrong
 */
export function decodeBatches(bytes: Buffer): DecodedBatch[] {
  const batches: DecodedBatch[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const storedBytes = LENGTH_END + bytes.readInt32BE(at + 8);
    if (at + storedBytes > bytes.length) {
      break;
    }
    batches.push(decodeBatch(bytes.subarray(at, at + storedBytes)));
    at += storedBytes;
  }
  return batches;
}

function decodeBatch(batch: Buffer): DecodedBatch {
  const baseOffset = Number(batch.readBigInt64BE(0));
  if (crc32c(batch.subarray(21)) !== batch.readUInt32BE(17)) {
    throw new Error(`the checksum of the batch at ${baseOffset} is wrong`);
  }
  const section = decompress(batch.readInt16BE(21), batch.subarray(HEADER_BYTES));
  return {
    baseOffset,
    lastOffset: baseOffset + batch.readInt32BE(23),
    storedBytes: batch.length,
    uncompressedBytes: HEADER_BYTES + section.length,
    records: decodeRecords(section, batch.readInt32BE(57), baseOffset, Number(batch.readBigInt64BE(27))),
  };
}

function decodeRecords(section: Buffer, count: number, baseOffset: number, baseTimestampMs: number): DecodedRecord[] {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = section[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    }
  };
  const records: DecodedRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const length = next();
    const end = at + length;
    at += 1; // attributes
    const timestampMs = baseTimestampMs + next();
    const offset = baseOffset + next();
    const keySize = next(); // -1: no key
    const key = keySize < 0 ? undefined : section.toString('latin1', at, at + keySize);
    at += Math.max(0, keySize);
    const size = next();
    records.push({ offset, timestamp_ms: timestampMs, key, value: section.toString('latin1', at, at + size) });
    at = end;
  }
  if (at !== section.length) {
    throw new Error(`the batch at ${baseOffset} of ${count} records has ${section.length - at} bytes too many`);
  }
  return records;
}
