import { expect, test } from 'vitest';
import { newHistory } from './assess.ts';
import { readHistory } from './read-history.ts';

const memory = { withMembersAtMs: 1, lagWithMembers: 2, minute: 3, leastLag: 4, leastLags: [] };

test('reads a history as it was stored', () => {
  const history = { ...newHistory(5), zones: [['__proto__', 1]] as const, groups: [['__proto__', memory]] as const };
  expect(readHistory(JSON.parse(JSON.stringify(history)))).toEqual(history);
});

test('reads a history of data at rules level 5', () => {
  const text = JSON.stringify({ ...newHistory(5), zones: { a: 1 }, groups: { g: memory } });
  expect(readHistory(JSON.parse(text))).toMatchObject({ zones: [['a', 1]], groups: [['g', memory]] });
});

test('refuses a history of a later version', () => {
  expect(readHistory({ ...newHistory(5), version: 2 })).toBeNull();
});
