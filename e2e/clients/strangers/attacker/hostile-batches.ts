// Record batches (magic 2) with a correct checksum and a header that lies, or with records that inflate.
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { crc32c } from '../../support/crc32c.ts';
import { int16, int32, int64 } from '../../support/raw-kafka.ts';

export const NONE = 0;
const GZIP = 1;
const SNAPPY = 2;
const LZ4 = 3;
export const ZSTD = 4;

interface Header {
  codec: number;
  records: number;
  lastOffsetDelta?: number;
}

/** A batch with any records section. Its checksum is right, whatever the header says. */
export function batchOf(payload: Buffer, { codec, records, lastOffsetDelta = records - 1 }: Header): Buffer {
  const now = BigInt(Date.now());
  const checked = Buffer.concat([
    int16(codec),
    int32(lastOffsetDelta),
    int64(now),
    int64(now),
    int64(-1n),
    int16(-1),
    int32(-1),
    int32(records),
    payload,
  ]);
  const afterLength = Buffer.concat([int32(-1), Buffer.from([2]), int32(crc32c(checked) | 0), checked]);
  return Buffer.concat([int64(0n), int32(afterLength.length), afterLength]);
}

/** One record of a short value: length, attributes, timestamp and offset deltas, no key, the value, no headers. */
const RECORD = Buffer.from([16, 0, 0, 0, 1, 4, 0x68, 0x69, 0]);

/** An LZ4 frame with one block that is stored as it is: magic, flags, block size, header checksum (of these flags), block, end mark. */
function lz4Frame(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((content.length | 0x8000_0000) >>> 0);
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]), size, content, Buffer.alloc(4)]);
}

/** A raw Snappy block: the length as a varint, then one literal. For contents of at most 60 bytes. */
function snappyBlock(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([content.length, (content.length - 1) << 2]), content]);
}

const INFLATED_BYTES = 256 * 1024 * 1024;

function inflatingBatches(): [string, Buffer][] {
  const zeros = Buffer.alloc(INFLATED_BYTES);
  const level = constants.Z_BEST_SPEED;
  return [
    ['zstd bomb', batchOf(zstdCompressSync(zeros), { codec: ZSTD, records: 1 })],
    ['gzip bomb', batchOf(gzipSync(zeros.subarray(0, INFLATED_BYTES / 2), { level }), { codec: GZIP, records: 1 })],
  ];
}

/** Each with what it is, for the report. Compressing the largest takes half a second: call it once. */
export function hostileBatches(): [string, Buffer][] {
  const most = 2 ** 31 - 1;
  const garbage = Buffer.alloc(40, 0xff);
  const packers: [number, (content: Buffer) => Buffer][] = [
    [NONE, (content) => content],
    [GZIP, gzipSync],
    [SNAPPY, snappyBlock],
    [LZ4, lz4Frame],
    [ZSTD, zstdCompressSync],
  ];
  return [
    ...packers.flatMap(([codec, pack]): [string, Buffer][] => [
      [`codec ${codec}, one record claims 2^31-1`, batchOf(pack(RECORD), { codec, records: most })],
      [
        `codec ${codec}, one record spans 2^31-1 offsets`,
        batchOf(pack(RECORD), { codec, records: 1, lastOffsetDelta: most }),
      ],
      [`codec ${codec}, garbage inside`, batchOf(pack(garbage), { codec, records: 3 })],
      [`codec ${codec}, garbage outside`, batchOf(garbage, { codec, records: 3 })],
    ]),
    ...inflatingBatches(),
  ];
}
