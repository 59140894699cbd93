import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromCents, toCents } from './cents.ts';

test('dollars convert to whole cents and back, for every amount', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (cents) => toCents(fromCents(cents)) === cents));
});

test.each([
  ['0', 0],
  ['-0.00', 0],
  ['12.3', 1230],
  ['-0.05', -5],
  ['7.1000', 710],
])('%s dollars are %i cents', (usd, cents) => {
  expect(toCents(usd)).toBe(cents);
});

test.each(['0.001', '1e3', '', ' 1', 'NaN', '1.', '90071992547409.93'])('%j is not an amount in whole cents', (usd) => {
  expect(() => toCents(usd)).toThrow(RangeError);
});
