import { expect, test } from 'vitest';
import { formatCountOf, formatPartOf } from './count-of.ts';

test('one is singular, everything else is plural', () => {
  expect([0, 1, 2].map((count) => formatCountOf(count, 'topic'))).toEqual(['0 topics', '1 topic', '2 topics']);
  expect(formatCountOf(3, 'address', 'addresses')).toBe('3 addresses');
});

test('a list names its size and how much of it is shown', () => {
  expect(formatPartOf(1, 1, 'agent')).toBe('1 agent');
  expect(formatPartOf(0, 1, 'agent')).toBe('0 of 1 agent');
  expect(formatPartOf(3, 1_200, 'agent')).toBe('3 of 1,200 agents');
});
