// The rows of a table as a CSV file. Pure.
import { csvRow } from '@penstock/units';
import type { CellValue, Column } from './column.types';

/** The columns that have values, with their headers, by RFC 4180. Times are in UTC, as ISO 8601. */
export function tableCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ header, value }) => (value === undefined ? [] : [{ header, value }]));
  return [
    csvRow(written.map(({ header }) => header)),
    ...rows.map((row) => csvRow(written.map(({ value }) => csvValue(value(row))))),
  ].join('');
}

function csvValue(value: CellValue): string | number | bigint | null {
  if (value instanceof Date) {
    // A Kafka record’s time may be beyond the calendar.
    return Number.isNaN(value.getTime()) ? null : value.toISOString();
  }
  return typeof value === 'boolean' ? String(value) : value;
}

/** A name for the file, from the name of the table, which may contain a name that a user chose. */
export function csvFileName(label: string): string {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['table'];
  return `${words.join('-')}.csv`;
}
