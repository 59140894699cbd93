// Record batches of exact sizes, as a producer may send them: every record and every header is true.
import { zstdCompressSync } from 'node:zlib';
import { batchOf, NONE, ZSTD } from '../strangers/attacker/hostile-batches.ts';
import { varint } from '../support/raw-kafka.ts';
import type { Claim } from './stolen-key.ts';

export const MIB = 1024 ** 2;
/** Size of the header of a magic 2 batch, which the records section follows. */
export const HEADER_BYTES = 61;

export interface Batch extends Claim {
  bytes: Buffer;
}

function batch(section: Buffer, records: number, codec: number): Batch {
  const bytes = batchOf(codec === ZSTD ? zstdCompressSync(section) : section, { codec, records });
  return { bytes, records, storedBytes: bytes.length, uncompressedBytes: HEADER_BYTES + section.length };
}

/** One record that fills a records section of this length: neither key nor headers, and a value of zeros. */
function zeroRecord(sectionBytes: number): Buffer {
  const noKey = varint(-1);
  for (let valueBytes = sectionBytes - 20; valueBytes < sectionBytes; valueBytes += 1) {
    // Attributes, timestamp delta and offset delta are zero, as is the number of headers behind the value.
    const head = Buffer.concat([Buffer.alloc(3), noKey, varint(valueBytes)]);
    const bodyBytes = head.length + valueBytes + 1;
    const length = varint(bodyBytes);
    if (length.length + bodyBytes === sectionBytes) {
      const section = Buffer.alloc(sectionBytes);
      length.copy(section);
      head.copy(section, length.length);
      return section;
    }
  }
  throw new Error(`No record has ${sectionBytes} bytes`);
}

/** An uncompressed batch with a section of this size. */
export function plainBatch(sectionBytes: number): Batch {
  return batch(zeroRecord(sectionBytes), 1, NONE);
}

/** Compressed at the best ratio that a codec reaches. */
export function zstdBatch(sectionBytes: number): Batch {
  return batch(zeroRecord(sectionBytes), 1, ZSTD);
}

/** Records without key, value and headers. The first 64 have seven bytes each, which is as short as a record can be. */
export function emptyRecords(count: number): Batch {
  const records = Array.from({ length: count }, (_, offset) => {
    const body = Buffer.concat([Buffer.alloc(2), varint(offset), varint(-1), varint(-1), Buffer.alloc(1)]);
    return Buffer.concat([varint(body.length), body]);
  });
  return batch(Buffer.concat(records), count, NONE);
}
