import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cellColumns, checkCell, initCell } from './init-cell.ts';

let control: { database: TestDatabase; pool: Pool };
let cell: { database: TestDatabase; pool: Pool };

async function connect(isMigrated: boolean) {
  const database = await createTestDatabase({ isMigrated });
  return { database, pool: new Pool({ connectionString: database.url, max: 4 }) };
}

beforeAll(async () => {
  [control, cell] = await Promise.all([connect(true), connect(false)]);
});

afterAll(async () => {
  for (const { database, pool } of [control, cell]) {
    await pool.end();
    await database.drop();
  }
});

/** Everything in PostgreSQL's catalogue about a cell's tables: columns, storage, keys, constraints. */
async function tablesOf(pool: Pool, tables: readonly string[]): Promise<unknown> {
  const columns = await pool.query(
    `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage, pg_get_expr(d.adbin, d.adrelid)
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2`,
    [tables],
  );
  const constraints = await pool.query(
    `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid::regclass::text = ANY($1) ORDER BY 1, 2`,
    [tables],
  );
  const indexes = await pool.query('SELECT indexdef FROM pg_indexes WHERE tablename = ANY($1) ORDER BY 1', [tables]);
  return { columns: columns.rows, constraints: constraints.rows, indexes: indexes.rows };
}

test('creates the control database’s tables, and can run again', async () => {
  await Promise.all([initCell(cell.pool), initCell(cell.pool)]);
  const tables = [...new Set((await cellColumns()).map((name) => name.split('.')[0] ?? ''))];
  expect(tables).toContain('metadata_journal');
  const made = await tablesOf(cell.pool, tables);
  expect(made).toEqual(await tablesOf(control.pool, tables));
  await initCell(cell.pool);
  expect(await tablesOf(cell.pool, tables)).toEqual(made);
});

// So that rows can be distributed by it.
test('every unique index starts with the cluster', async () => {
  await initCell(cell.pool);
  const { rows } = await cell.pool.query<{ first: string }>(
    `SELECT a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(new Set(rows.map((row) => row.first))).toEqual(new Set(['cluster_id']));
});

test('lists the tables that a database lacks to be a cell', async () => {
  await expect(checkCell(control.pool)).resolves.toBeUndefined();
  await cell.pool.query('ALTER TABLE metadata_lease DROP COLUMN mover');
  await expect(checkCell(cell.pool)).rejects.toMatchObject({ missing: ['metadata_lease.mover'] });
});
