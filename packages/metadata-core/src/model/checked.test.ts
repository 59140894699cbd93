import { expect, test } from 'vitest';
import { InvariantError } from './assert.ts';
import { byteAt, columnAt, doubleAt, int32At, numberAt, wordAt } from './checked.ts';

const reads: [string, (index: number) => number][] = [
  ['bytes', (index) => byteAt(Uint8Array.of(0, 7), index)],
  ['words', (index) => wordAt(Uint32Array.of(0, 7), index)],
  ['signed words', (index) => int32At(Int32Array.of(0, 7), index)],
  ['doubles', (index) => doubleAt(Float64Array.of(0, 7), index)],
  ['columns', (index) => columnAt(Uint32Array.of(0, 7), index)],
  ['numbers', (index) => numberAt([0, 7], index)],
];

test.each(reads)('a read of %s out of range throws', (_, read) => {
  expect([read(0), read(1)]).toEqual([0, 7]);
  for (const index of [2, -1, 0.5, Number.NaN]) {
    expect(() => read(index)).toThrow(new InvariantError(`invariant broken: read at ${index} of 2 values`));
  }
});
