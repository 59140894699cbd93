import { expect, test } from 'vitest';
import { filterRows, sortRows } from './arrange-rows';
import type { Column } from './column.types';

interface Row {
  name: string;
  lag: number | null;
}

const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', value: ({ name }) => name, search: 'value' },
  { key: 'group', header: 'Group', search: () => 'of group-7' },
  { key: 'lag', header: 'Lag', value: ({ lag }) => lag },
  { key: 'cost', header: 'Cost', value: ({ name }) => `$${name}`, rank: ({ lag }) => lag },
];
const rows: Row[] = [
  { name: 't10', lag: 1 },
  { name: 't9', lag: null },
  { name: 'T2', lag: 3 },
  { name: 't1', lag: 1 },
];

function sorted(column: string, isDescending: boolean): string {
  return sortRows(rows, columns, { column, isDescending })
    .map(({ name }) => name)
    .join(' ');
}

test.each([
  ['lag', false, 't10 t1 T2 t9'],
  ['lag', true, 'T2 t10 t1 t9'],
  ['cost', true, 'T2 t10 t1 t9'],
  ['name', false, 't1 T2 t9 t10'],
  ['name', true, 't10 t9 T2 t1'],
])('by %s (descending: %s): no value last, equals in place', (column, isDescending, names) => {
  expect(sorted(column, isDescending)).toBe(names);
});

test('an order by an unknown column changes nothing', () => {
  expect(sortRows(rows, columns, { column: 'constructor', isDescending: true })).toBe(rows);
});

test.each([
  ['T1', ['t10', 't1']],
  [' GROUP-7 ', ['t10', 't9', 'T2', 't1']],
  ['3', []],
  ['', ['t10', 't9', 'T2', 't1']],
])('the filter “%s” looks through the columns that say so', (filter, names) => {
  expect(filterRows(rows, columns, filter).map(({ name }) => name)).toEqual(names);
});
