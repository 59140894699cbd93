// Rows of CSV files by RFC 4180.

export type CsvValue = string | number | bigint | null | undefined;

/** Text that a spreadsheet would parse as a formula. Negative numbers are excluded. */
const FORMULA = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/;

/**
 * One row with its line end. Null and undefined are empty cells. Text that a spreadsheet would execute gets an apostrophe, which marks it
 * as text.
 */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: CsvValue): string {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
