// What a read asks PostgreSQL: fixed text, prepared once per connection, and how a row of its answer is read.

/** A value in PostgreSQL's text form. */
export type Parameter = string | null;
/** The columns of a row in the order of the statement, each in PostgreSQL's text form. */
export type Fields = readonly (string | null)[];

export interface Statement<Row> {
  /** Names the prepared statement within a connection: no two statements share one. */
  name: string;
  /** Reads and changes nothing: it may be sent a second time when the connection breaks. */
  text: string;
  toRow(fields: Fields): Row;
}

/** Looks things up by a key. All keys that are asked for at the same time go to PostgreSQL as one query. */
export interface Lookup<Row> extends Statement<Row> {
  /** Of the array `$1` that the text takes, in lower case hex: the text decodes it. */
  keyOf(row: Row): string;
}

/** A column that is never null. */
export function text(field: string | null | undefined): string {
  if (field === null || field === undefined) {
    throw new Error('A column that is never null is missing.');
  }
  return field;
}

/** A `boolean`. */
export const flag = (field: string | null | undefined): boolean => text(field) === 't';

/** `extract(epoch FROM …)`: seconds since the Unix epoch, with fractions. */
export const instant = (field: string | null | undefined): Date => new Date(Math.round(Number(text(field)) * 1_000));

/** The same of a column that may be null. */
export const instantOrNull = (field: string | null | undefined): Date | null =>
  field === null || field === undefined ? null : instant(field);
