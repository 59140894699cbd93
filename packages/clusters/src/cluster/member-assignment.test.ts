import { expect, test } from 'vitest';
import { assignedPartitions } from './member-assignment.ts';

/** An assignment as clients encode it. */
function encode(topics: [string, number[]][], rest: number[] = []): Uint8Array {
  const int16 = (value: number) => [(value >> 8) & 0xff, value & 0xff];
  const int32 = (value: number) => [...int16(value >> 16), ...int16(value)];
  return Uint8Array.from([
    ...int16(1),
    ...int32(topics.length),
    ...topics.flatMap(([topic, partitions]) => [
      ...int16(Buffer.byteLength(topic)),
      ...Buffer.from(topic),
      ...int32(partitions.length),
      ...partitions.flatMap(int32),
    ]),
    ...rest,
  ]);
}

test('lists partitions by topic and skips the assignor’s data', () => {
  const bytes = encode(
    [
      ['ördere', [3, 0]],
      ['clicks', [70_000]],
    ],
    [0, 0, 0, 2, 1, 2],
  );
  expect(assignedPartitions('consumer', bytes)).toEqual([
    { topic: 'clicks', partitions: [70_000] },
    { topic: 'ördere', partitions: [0, 3] },
  ]);
});

test('gives members without a readable assignment no partitions', () => {
  expect(assignedPartitions('consumer', new Uint8Array())).toEqual([]);
  expect(assignedPartitions('connect', encode([['a', [1]]]))).toEqual([]);
});

test('bytes that end too early or claim too much are no assignment', () => {
  const whole = encode([['orders', [1, 2]]]);
  for (let length = 0; length < whole.length; length += 1) {
    expect(assignedPartitions('consumer', whole.subarray(0, length))).toEqual([]);
  }
  expect(assignedPartitions('consumer', encode([['x', []]]).fill(0x7f, 2))).toEqual([]);
});
