import { expect, test } from 'vitest';
import { newHistory } from './assess.ts';
import { readHistory } from './read-history.ts';

const memory = { withMembersAtMs: 1, lagWithMembers: 2, minute: 3, leastLag: 4, leastLags: [] };

test('a history is read as it was stored', () => {
  const history = { ...newHistory(5), zones: [['__proto__', 1]] as const, groups: [['__proto__', memory]] as const };
  expect(readHistory(JSON.parse(JSON.stringify(history)))).toEqual(history);
});

test('one of an earlier version, with names as properties, too', () => {
  const text = JSON.stringify({ ...newHistory(5), zones: { a: 1 }, groups: { g: memory } });
  expect(readHistory(JSON.parse(text))).toMatchObject({ zones: [['a', 1]], groups: [['g', memory]] });
});

test('one of a later version is not', () => {
  expect(readHistory({ ...newHistory(5), version: 2 })).toBeNull();
});
