// Migrations of a database that is in use.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SchemaWatch } from '@penstock/platform';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyMigrations, type MigrationOptions } from './migrations.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const FIRST = '20300101000000_first';
const SECOND = '20300102000000_second';
/** An attempt's 3 s, and room for a busy machine. */
const LONGEST_GAP_MS = 5_000;

let database: TestDatabase;
let folder: string;
let client: Client;
let dump: Client;

async function connect(): Promise<Client> {
  const connection = new Client({ connectionString: database.ownerUrl });
  await connection.connect();
  return connection;
}

async function write(name: string, script: string): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'migration.sql'), script);
}

/** Holds the table as pg_dump does, until `COMMIT`. */
async function beginDump(): Promise<void> {
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await dump.query('SELECT count(*) FROM journal');
}

function migrate(options: MigrationOptions = {}): Promise<string[]> {
  return applyMigrations(database.ownerUrl, { folder, ...options });
}

/** Resolves when `report` has got a line that contains the text. */
function reported(text: string): { seen: Promise<string>; report: (line: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { seen: promise, report: (line) => line.includes(text) && resolve(line) };
}

beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
  client = await connect();
  dump = await connect();
});

afterAll(async () => {
  await Promise.all([client?.end(), dump?.end()]);
  await database?.drop();
});

beforeEach(async () => {
  await client.query('DROP TABLE IF EXISTS journal, _prisma_migrations; CREATE SCHEMA IF NOT EXISTS telemetry');
  folder = await mkdtemp(join(tmpdir(), 'penstock-migrations-'));
  await write(FIRST, 'CREATE TABLE journal (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);');
  expect(await migrate()).toEqual([FIRST]);
  return () => rm(folder, { recursive: true });
});

test('a migration behind an open dump holds nobody up', async () => {
  await write(SECOND, 'ALTER TABLE journal ADD COLUMN note text;');
  await beginDump();
  const { seen, report } = reported('trying again');
  const migrated = migrate({ report });
  let hasWaited = false;
  let longestMs = 0;
  const waited = seen.then((line) => {
    hasWaited = true;
    return line;
  });
  while (!hasWaited) {
    const startedAtMs = performance.now();
    await client.query('INSERT INTO journal DEFAULT VALUES');
    longestMs = Math.max(longestMs, performance.now() - startedAtMs);
  }
  console.log(`longest gap between writes: ${Math.round(longestMs)} ms`);
  expect(longestMs).toBeLessThan(LONGEST_GAP_MS);
  expect(await waited).toContain(`migration ${SECOND}`);
  await dump.query('COMMIT');
  expect(await migrated).toEqual([SECOND]);
  await client.query("INSERT INTO journal (note) VALUES ('after')");
});

test('a table that stays in use ends the attempt with the reason', async () => {
  await write(SECOND, 'ALTER TABLE journal ADD COLUMN note text;');
  await dump.query("SET application_name = 'pg_dump'");
  await beginDump();
  await expect(migrate({ waitMs: 0 })).rejects.toMatchObject({
    code: 'table_in_use',
    message: expect.stringMatching(
      /this stopped: migration 20300102000000_second\. Oldest transactions: pg_dump \(pid \d+, \d+ s\)\.$/,
    ),
  });
  await dump.query('COMMIT');
  expect(await migrate()).toEqual([SECOND]);
});

test('a failed migration leaves nothing and is tried again', async () => {
  await write(SECOND, 'CREATE TABLE other (id int); SELECT 1 / 0;');
  await expect(migrate()).rejects.toThrow('division by zero');
  const { rows } = await client.query("SELECT to_regclass('other') AS name");
  expect(rows).toEqual([{ name: null }]);
  await writeFile(join(folder, SECOND, 'migration.sql'), 'ALTER TABLE journal ADD COLUMN note text;');
  expect(await migrate()).toEqual([SECOND]);
});

test('a crash after the script leaves the migration applied', async () => {
  await write(SECOND, 'ALTER TABLE journal ADD COLUMN note text;');
  await migrate();
  // The engine writes this after the script, which the crash prevented.
  await client.query(`UPDATE _prisma_migrations SET applied_steps_count = 0 WHERE migration_name = '${SECOND}'`);
  expect(await migrate()).toEqual([]);
});

test('a concurrent index is built while a dump is open', async () => {
  await write(SECOND, '-- Found fast.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS journal_id_idx ON journal (id);');
  await beginDump();
  const migrated = migrate();
  await until(async () => {
    const { rows } = await client.query("SELECT to_regclass('journal_id_idx') IS NOT NULL AS begun");
    return rows[0].begun === true;
  });
  await client.query('INSERT INTO journal DEFAULT VALUES');
  await dump.query('COMMIT');
  expect(await migrated).toEqual([SECOND]);
});

test('an invalid index is built again', async () => {
  await client.query('ALTER TABLE journal ADD COLUMN part int; INSERT INTO journal (part) VALUES (1), (1)');
  await write(SECOND, 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS journal_part_key ON journal (part);');
  await expect(migrate()).rejects.toThrow('could not create unique index');
  await client.query('DELETE FROM journal');
  expect(await migrate()).toEqual([SECOND]);
  const { rows } = await client.query(
    "SELECT indisvalid FROM pg_index WHERE indexrelid = 'journal_part_key'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('an old schema is an obstacle, a newer one is not', async () => {
  expect(await new SchemaWatch(client, folder).obstacle()).toBeUndefined();
  await write(SECOND, 'ALTER TABLE journal ADD COLUMN note text;');
  const watch = new SchemaWatch(client, folder);
  expect(await watch.obstacle()).toBe(
    `the database schema is at ${FIRST}, and this version needs ${SECOND}: run \`npm run admin -- database migrate\``,
  );
  await migrate();
  expect(await watch.obstacle()).toBeUndefined();
  await rm(join(folder, SECOND), { recursive: true });
  expect(await new SchemaWatch(client, folder).obstacle()).toBeUndefined();
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
