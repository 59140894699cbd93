import { expect, test } from 'vitest';
import type { CellValue, Column } from './column.types';
import { csvFileName, tableCsv } from './table-csv';

const columns: Column<readonly CellValue[]>[] = [
  { key: 'name', header: 'Name, full', value: (row) => row[0] ?? null },
  { key: 'at', header: 'Time', value: (row) => row[1] ?? null },
  { key: 'actions', header: 'Actions' },
];

test('the file has headers, quotes, UTC times and no buttons', () => {
  const rows = [
    ['say "x"', new Date(0)],
    [true, 12n],
  ];
  expect(tableCsv(columns, rows)).toBe('"Name, full",Time\r\n"say ""x""",1970-01-01T00:00:00.000Z\r\ntrue,12\r\n');
});

test('a spreadsheet runs no name as a formula', () => {
  expect(tableCsv(columns, [['=HYPERLINK("x")', -2]])).toBe('"Name, full",Time\r\n"\'=HYPERLINK(""x"")",-2\r\n');
});

test('a time beyond the calendar leaves its cell empty', () => {
  expect(tableCsv(columns, [['a', new Date(Number.NaN)]])).toBe('"Name, full",Time\r\na,\r\n');
});

test('a topic’s name stays out of the file’s path', () => {
  expect(csvFileName('Partitions of ../a.b')).toBe('partitions-of-a-b.csv');
});
