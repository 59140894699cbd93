import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32c } from '../support/crc32c.ts';
import { recordValue } from './history.ts';
import { decodeBatches, encodeBatch } from './record-batch.ts';

const values = ['a/1', 'a/2', 'a/3'].map((id) => recordValue(id, 200));

test('a batch survives a round trip, a truncated one waits', () => {
  const batch = encodeBatch(values, 1_700_000_000_000);
  batch.writeBigInt64BE(7n, 0);
  const [decoded, ...others] = decodeBatches(Buffer.concat([batch, batch.subarray(0, 100)]));
  expect(others).toEqual([]);
  expect(decoded).toEqual({
    baseOffset: 7,
    lastOffset: 9,
    storedBytes: batch.length,
    uncompressedBytes: batch.length,
    records: values.map((value, index) => ({ offset: 7 + index, timestamp_ms: 1_700_000_000_000, value })),
  });
});

test('a compressed batch is measured by its uncompressed size', () => {
  const plain = encodeBatch(values, 1);
  const packed = Buffer.concat([plain.subarray(0, 61), gzipSync(plain.subarray(61))]);
  packed.writeInt32BE(packed.length - 12, 8);
  packed.writeInt16BE(1, 21);
  packed.writeUInt32BE(crc32c(packed.subarray(21)), 17);
  expect(decodeBatches(packed)).toEqual([{ ...decodeBatches(plain)[0], storedBytes: packed.length }]);
});

test('a flipped bit is detected', () => {
  const batch = encodeBatch(values, 1);
  batch.writeUInt8(batch.readUInt8(100) ^ 1, 100);
  expect(() => decodeBatches(batch)).toThrow('checksum');
});

test('a key survives a round trip', () => {
  expect(decodeBatches(encodeBatch(['value'], 1, 'key'))[0]?.records).toEqual([
    { offset: 0, timestamp_ms: 1, key: 'key', value: 'value' },
  ]);
});
