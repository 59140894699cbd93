// Applies the migrations of prisma/migrations, and generates the SQL of the next one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationName, migrationNames, migrationsFolder, missingMigrations, readHistory } from '@penstock/platform';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { Client } from 'pg';
import { forceTables, isForced } from './row-security.ts';
import { concurrentIndex, withSchemaEngine } from './schema-engine.ts';
import { untilTablesAreFree } from './table-locks.ts';

const SCRIPT = 'migration.sql';
const LOCK_FILE = 'migration_lock.toml';
const noFilters = { externalTables: [], externalEnums: [] };

/**
 * The advisory lock that prevents two processes from migrating one database at the same time. Any fixed number works.
 */
const MIGRATION_LOCK_ID = 7_305_112_026n;

const LONGEST_WAIT_MS = 600_000;

async function readMigrations(folder: string, newest: string): Promise<MigrationList> {
  const names = (await migrationNames(folder)).filter((name) => name <= newest);
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: { path: SCRIPT, content: { tag: 'ok' as const, value: await readScript(folder, name) } },
    })),
  );
  const lockfile = await readFile(join(migrationsFolder, LOCK_FILE), 'utf8');
  return {
    baseDir: folder,
    lockfile: { path: LOCK_FILE, content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

function readScript(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name, SCRIPT), 'utf8');
}

export interface MigrationOptions {
  /** The last migration to apply, to restore a recorded database; all by default. */
  newest?: string;
  /** How long one migration may wait for tables that long transactions use; ten minutes by default. */
  waitMs?: number;
  /** Gets a line for each migration that was applied, and for each wait. */
  report?: (line: string) => void;
  /** Where the migrations are; `prisma/migrations` by default. */
  folder?: string;
}

/**
 * Applies pending migrations. Safe to call from several processes at once: one migrates, the others wait.
 * In a database that is in use, no migration waits longer than 3 s for a table, because other queries of the table
 * would wait behind it: it gives up its place and tries again. Row security is forced in a new database, and for new
 * tables where it was forced before.
 * @returns the names of the migrations that this call applied, empty if there were none
 * @throws AppError `table_in_use` if a table was not free within `waitMs`; the next call continues there
 * @throws if a migration fails; PostgreSQL has then rolled that migration back
 */
export async function applyMigrations(databaseUrl: string, options: MigrationOptions = {}): Promise<string[]> {
  const { newest, waitMs = LONGEST_WAIT_MS, report = () => undefined, folder = migrationsFolder } = options;
  const lock = new Client({ connectionString: databaseUrl, application_name: applicationName('migrations') });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID.toString()]);
    const history = await readHistory(lock);
    const { isNew } = history;
    const mustForce = isNew || (await isForced(lock));
    const all = (await migrationNames(folder)).filter((name) => newest === undefined || name <= newest);
    const pending = missingMigrations(all, history);
    // Nobody uses a new database yet, so one call applies everything.
    for (const name of isNew ? pending.slice(-1) : pending) {
      await untilTablesAreFree(lock, { change: `migration ${name}`, waitMs, report }, () =>
        applyUntil(databaseUrl, lock, folder, name),
      );
      report(`Applied migration ${name}.`);
    }
    if (mustForce) {
      await untilTablesAreFree(lock, { change: 'forcing row security', waitMs, report }, () => forceTables(lock));
    }
    return pending;
  } finally {
    // Closing the connection releases the lock.
    await lock.end();
  }
}

/** The names of the migrations that the database lacks, in order. Changes nothing. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: applicationName('migrations') });
  await client.connect();
  try {
    return missingMigrations(await migrationNames(), await readHistory(client));
  } finally {
    await client.end();
  }
}

/** Applies the migrations up to `name`. An attempt that failed before has left nothing but its record, or an invalid index. */
async function applyUntil(databaseUrl: string, database: Client, folder: string, name: string): Promise<void> {
  const migrationsList = await readMigrations(folder, name);
  const { unfinished } = await readHistory(database);
  await dropInvalidIndex(database, await readScript(folder, name));
  await withSchemaEngine(databaseUrl, undefined, async (engine) => {
    for (const migrationName of unfinished) {
      await engine.markMigrationRolledBack({ migrationName });
    }
    await engine.applyMigrations({ migrationsList, filters: noFilters });
  });
}

/** PostgreSQL leaves an index behind whose concurrent build failed, under its name. */
async function dropInvalidIndex(database: Client, script: string): Promise<void> {
  const name = concurrentIndex(script);
  if (name === undefined) {
    return;
  }
  const { rows } = await database.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     WHERE NOT indisvalid AND indexrelid = to_regclass(quote_ident($1))`,
    [name],
  );
  for (const { name: invalid } of rows) {
    await database.query(`DROP INDEX CONCURRENTLY ${invalid}`);
  }
}

/**
 * The SQL that turns one schema.prisma into another: the body of the next migration. (The engine's WebAssembly build
 * cannot read the old state from a live database.)
 * @param databaseUrl any database: the engine requires a connection, but does not read or change anything through it
 * @param from text of the old schema; undefined for an empty database
 * @param to text of the new schema; prisma/schema.prisma by default
 * @returns an empty string if nothing differs
 */
export async function diffSchemas(databaseUrl: string, from: string | undefined, to?: string): Promise<string> {
  const target = to ?? (await readFile(join(migrationsFolder, '..', 'schema.prisma'), 'utf8'));
  return withSchemaEngine(databaseUrl, target, async (engine) => {
    const diff = await engine.diff({
      from:
        from === undefined
          ? { tag: 'empty' }
          : { tag: 'schemaDatamodel', files: [{ path: 'old.prisma', content: from }] },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: target }] },
      script: true,
      exitCode: null,
      filters: noFilters,
    });
    const sql = (diff.stdout ?? '').trim();
    return sql.includes('This is an empty migration') ? '' : sql;
  });
}
