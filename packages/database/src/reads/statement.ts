// The statements of reads: fixed text, prepared once per connection, and a parser for the rows of the result.

/** A value in PostgreSQL's text form. */
export type Parameter = string | null;
/** The columns of a row in the order of the statement, each in PostgreSQL's text form. */
export type Fields = readonly (string | null)[];

export interface Statement<Row> {
  /** The name of the prepared statement on a connection. Must be unique. */
  name: string;
  /** Must not change anything: it may be sent again when the connection breaks. */
  text: string;
  toRow(fields: Fields): Row;
}

/** A statement that finds rows by key. All keys requested at the same time go to PostgreSQL as one query. */
export interface Lookup<Row> extends Statement<Row> {
  /** The key of a row, in lower case hex. The statement takes the keys as the array `$1` and decodes them. */
  keyOf(row: Row): string;
}

/** Reads a column that is never null. */
export function text(field: string | null | undefined): string {
  if (field === null || field === undefined) {
    throw new Error('A column that is never null is missing.');
  }
  return field;
}

/** Parses a `boolean` column. */
export const flag = (field: string | null | undefined): boolean => text(field) === 't';

/** Reads `extract(epoch FROM …)`: seconds since the Unix epoch, with fractions. */
export const instant = (field: string | null | undefined): Date => new Date(Math.round(Number(text(field)) * 1_000));

/** Parses a timestamp column that may be null. */
export const instantOrNull = (field: string | null | undefined): Date | null =>
  field === null || field === undefined ? null : instant(field);
