// Reads stored batches with hand-written Fetch requests and measures them.
import { decompress } from './decompress.ts';
import { ask, header, int32, int64, string } from './raw-kafka.ts';

export interface StoredBatch {
  partition: number;
  baseOffset: bigint;
  /** As stored: header and records section. */
  storedBytes: number;
  /** Header and records section as with compression.type=none. */
  uncompressedBytes: number;
  values: string[];
}

const FETCH_KEY = 1;
const FETCH_VERSION = 4;
/** Up to and including the length field, which counts the bytes after it. */
const LENGTH_END = 12;
/** Size of the header of a magic 2 batch, which the records section follows. */
const HEADER_BYTES = 61;

/** All batches of a topic, in offset order within each partition. */
export async function storedBatches(bootstrap: string, topic: string, partitions: number): Promise<StoredBatch[]> {
  const all: StoredBatch[] = [];
  for (let partition = 0; partition < partitions; partition += 1) {
    for (let offset = 0n; ; ) {
      const { errorCode, records, highWatermark } = await fetchFrom(bootstrap, topic, partition, offset);
      if (errorCode !== 0) {
        throw new Error(`${topic}-${partition} at ${offset}: error ${errorCode}`);
      }
      // A fetch may begin with a batch that contains earlier offsets: skip what has been read.
      const batches = wholeBatches(records)
        .map((batch) => readBatch(batch, partition))
        .filter(({ baseOffset }) => baseOffset >= offset);
      all.push(...batches);
      const last = batches.at(-1);
      if (last !== undefined) {
        offset = last.baseOffset + BigInt(last.values.length);
      }
      if (offset >= highWatermark) {
        break;
      }
      if (last === undefined) {
        throw new Error(`${topic}-${partition}: nothing at ${offset}, below ${highWatermark}`);
      }
    }
  }
  return all;
}

/** How many bytes of whole batches an agent serves of partition 0, up to its end or to what cannot be read. What is inside does not matter. */
export async function readableBytes(bootstrap: string, topic: string): Promise<number> {
  let bytes = 0;
  for (let offset = 0n; ; ) {
    const { records, highWatermark } = await fetchFrom(bootstrap, topic, 0, offset);
    const batches = wholeBatches(records).filter((batch) => batch.readBigInt64BE(0) >= offset);
    const last = batches.at(-1);
    if (last === undefined || offset >= highWatermark) {
      return bytes;
    }
    bytes += batches.reduce((sum, { length }) => sum + length, 0);
    offset = last.readBigInt64BE(0) + BigInt(last.readInt32BE(23)) + 1n;
  }
}

async function fetchFrom(
  bootstrap: string,
  topic: string,
  partition: number,
  offset: bigint,
): Promise<{ errorCode: number; records: Buffer; highWatermark: bigint }> {
  const limit = int32(4 * 1024 * 1024);
  const body = [int32(-1), int32(500), int32(1), limit, Buffer.from([0]), int32(1), string(topic), int32(1)];
  const answer = await ask(
    bootstrap,
    Buffer.concat([header(FETCH_KEY, FETCH_VERSION), ...body, int32(partition), int64(offset), limit]),
  );
  // Correlation id, throttle time, topics, name, partitions, index; then error, high watermark, last stable offset, aborted.
  const at = 4 + 4 + 4 + 2 + Buffer.byteLength(topic) + 4 + 4;
  const recordsAt = at + 2 + 8 + 8 + 4 + Math.max(0, answer.readInt32BE(at + 18)) * 16;
  const records = answer.subarray(recordsAt + 4, recordsAt + 4 + Math.max(0, answer.readInt32BE(recordsAt)));
  return { errorCode: answer.readInt16BE(at), records, highWatermark: answer.readBigInt64BE(at + 2) };
}

/** A last batch truncated by the size limit is returned again by the next fetch. */
function wholeBatches(records: Buffer): Buffer[] {
  const batches: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= records.length; ) {
    const storedBytes = LENGTH_END + records.readInt32BE(at + 8);
    if (at + storedBytes > records.length) {
      break;
    }
    batches.push(records.subarray(at, at + storedBytes));
    at += storedBytes;
  }
  return batches;
}

function readBatch(batch: Buffer, partition: number): StoredBatch {
  const section = decompress(batch.readInt16BE(21), batch.subarray(HEADER_BYTES));
  return {
    partition,
    baseOffset: batch.readBigInt64BE(0),
    storedBytes: batch.length,
    uncompressedBytes: HEADER_BYTES + section.length,
    values: recordValues(section, batch.readInt32BE(57)),
  };
}

function recordValues(section: Buffer, count: number): string[] {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = section[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        break;
      }
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const values: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const length = varint();
    const end = at + length;
    at += 1; // attributes
    varint(); // timestamp delta
    varint(); // offset delta
    const keySize = varint(); // -1: no key
    at += Math.max(0, keySize);
    const size = varint();
    values.push(section.toString('latin1', at, at + size));
    at = end;
  }
  if (at !== section.length) {
    throw new Error(`a batch of ${count} records has ${section.length - at} bytes too many`);
  }
  return values;
}
