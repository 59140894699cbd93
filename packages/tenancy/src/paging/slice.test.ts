import { expect, test } from 'vitest';
import { keyOfText, sliceOf } from './slice.ts';

const numbers = [5, 3, 9, 1, 7];
const keyOf = (value: number) => [value] as const;

test('pages continue after a key whose item is gone', () => {
  expect(sliceOf(numbers, keyOf, { after: undefined, limit: 2 })).toEqual([1, 3]);
  const without3 = numbers.filter((value) => value !== 3);
  expect(sliceOf(without3, keyOf, { after: [3], limit: 2 })).toEqual([5, 7]);
  expect(sliceOf(without3, keyOf, { after: [9], limit: 2 })).toEqual([]);
});

test('without a slice, a list keeps its own order', () => {
  expect(sliceOf(numbers, keyOf, undefined)).toEqual(numbers);
});

test('later elements of a key only break ties of earlier ones', () => {
  const pairs = [
    [2, 'a'],
    [1, 'b'],
    [1, 'a'],
  ] as const;
  expect(sliceOf(pairs, (pair) => pair, { after: [1, 'a'], limit: 9 })).toEqual([
    [1, 'b'],
    [2, 'a'],
  ]);
});

test('keys of long texts are short and differ', () => {
  const [one, other] = ['a'.repeat(10_000), `${'a'.repeat(9_999)}b`].map(keyOfText);
  expect(one).not.toBe(other);
  expect(one?.length).toBeLessThan(260);
  expect(keyOfText('orders')).toBe('orders');
});
