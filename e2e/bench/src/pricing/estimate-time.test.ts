import { expect, it } from 'vitest';
import { quantile } from './estimate-time.ts';

it.each([
  [[], 0.5, Number.NaN],
  [[3], 0.99, 3],
  [[5, 1, 3], 0.5, 3],
  [[1, 2, 3, 4], 1, 4],
])('the quantile of %j at %d is %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});
