import { expect, test } from 'vitest';
import { nextOrder, sortRows } from './sort-rows';

const rows = [
  { name: 'a', lag: 1 },
  { name: 'b', lag: 3 },
  { name: 'c', lag: 1 },
];
const byLag = (left: { lag: number }, right: { lag: number }): number => left.lag - right.lag;

test.each([
  [false, 'acb'],
  [true, 'bac'],
])('equal rows keep their order (descending: %s)', (isDescending, names) => {
  expect(
    sortRows(rows, byLag, isDescending)
      .map(({ name }) => name)
      .join(''),
  ).toBe(names);
});

test('a header sorts, then reverses, then stops; another header starts over', () => {
  const first = { column: 'lag', isDescending: true };
  const second = nextOrder(nextOrder(null, first), first);
  expect(second).toEqual({ column: 'lag', isDescending: false });
  expect(nextOrder(second, first)).toBeNull();
  expect(nextOrder(second, { column: 'name', isDescending: false })).toEqual({ column: 'name', isDescending: false });
});
