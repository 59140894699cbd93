import { expect, test } from 'vitest';
import { memoryGrowth } from './memory-growth.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index);

test('start-up and single peaks are no growth', () => {
  expect(memoryGrowth(hundred.map((index) => (index < 25 ? index : 40)))).toBe(0);
  expect(memoryGrowth(hundred.map((index) => (index % 30 === 0 ? 500 : 40)))).toBe(0);
});

test('a leak is growth, however slow', () => {
  expect(memoryGrowth(hundred.map((index) => 40 + index))).toBe(50);
});

test('a few samples prove nothing', () => {
  expect(memoryGrowth([1, 1000, 1, 1000, 5000])).toBe(0);
});
