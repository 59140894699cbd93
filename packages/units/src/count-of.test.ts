import { expect, test } from 'vitest';
import { formatCountOf } from './count-of.ts';

test('one is singular, everything else is plural', () => {
  expect([0, 1, 2].map((count) => formatCountOf(count, 'topic'))).toEqual(['0 topics', '1 topic', '2 topics']);
  expect(formatCountOf(3, 'address', 'addresses')).toBe('3 addresses');
});
