// Initializes a database as a cell, and checks whether it is one.
import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';

const SCHEMA_FILE = new URL('./cell-schema.sql', import.meta.url);
/** Any constant will do: two processes that initialize the same cell take turns. */
const SCHEMA_LOCK = 7_207_002;

/** Lists what a database lacks to be a cell. */
export class NotACell extends Error {
  override readonly name = 'NotACell';
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(`the database is not a cell, or its schema is not up to date; it lacks ${missing.join(', ')}`);
    this.missing = missing;
  }
}

/** Creates the tables of a cell, or adds what a newer version needs. Changes nothing when everything exists. */
export async function initCell(pool: Pool): Promise<void> {
  const schema = await readFile(SCHEMA_FILE, 'utf8');
  // One simple query is one transaction.
  await pool.query(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}); ${schema}`);
}

/** The columns of a cell's tables, as `table.column`, read from the schema file. */
export async function cellColumns(): Promise<string[]> {
  const schema = await readFile(SCHEMA_FILE, 'utf8');
  const columns: string[] = [];
  let table = '';
  for (const line of schema.split('\n')) {
    table = /^(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE) "(\w+)"/.exec(line)?.[1] ?? table;
    const column = /^ {4}"(\w+)"/.exec(line)?.[1] ?? /ADD COLUMN IF NOT EXISTS "(\w+)"/.exec(line)?.[1];
    if (column !== undefined) {
      columns.push(`${table}.${column}`);
    }
  }
  return columns;
}

/** @throws NotACell when a table or a column is missing */
export async function checkCell(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  const present = new Set(rows.map((row) => row.name));
  const missing = (await cellColumns()).filter((name) => !present.has(name));
  if (missing.length > 0) {
    throw new NotACell(missing);
  }
}
