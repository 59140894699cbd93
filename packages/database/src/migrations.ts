// Applies the migrations of prisma/migrations, and generates the SQL of the next one.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applicationName } from '@penstock/platform';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { Client } from 'pg';
import { forceTables, isForced } from './row-security.ts';
import { withSchemaEngine } from './schema-engine.ts';

const prismaFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'prisma');
const noFilters = { externalTables: [], externalEnums: [] };

/**
 * The advisory lock that prevents two processes from migrating one database at the same time. Any fixed number works.
 */
const MIGRATION_LOCK_ID = 7_305_112_026n;

async function readMigrations(newest: string | undefined): Promise<MigrationList> {
  const baseDir = join(prismaFolder, 'migrations');
  const names = (await readdir(baseDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && (newest === undefined || entry.name <= newest))
    .map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8');
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

/**
 * Applies pending migrations. Safe to call from several processes at once: one migrates, the others wait.
 * Row security is forced in a new database, and for new tables where it was forced before.
 * @param newest the last migration to apply, to restore a recorded database; all by default
 * @returns the names of the migrations that this call applied, empty if there were none
 * @throws if a migration fails; PostgreSQL has then rolled that migration back
 */
export async function applyMigrations(databaseUrl: string, newest?: string): Promise<string[]> {
  const lock = new Client({ connectionString: databaseUrl, application_name: applicationName('migrations') });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID.toString()]);
    const { rows } = await lock.query<{ is_new: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NULL AS is_new",
    );
    const mustForce = rows[0]?.is_new === true || (await isForced(lock));
    const migrationsList = await readMigrations(newest);
    const { appliedMigrationNames } = await withSchemaEngine(databaseUrl, undefined, (engine) =>
      engine.applyMigrations({ migrationsList, filters: noFilters }),
    );
    if (mustForce) {
      await forceTables(lock);
    }
    return appliedMigrationNames;
  } finally {
    // Closing the connection releases the lock.
    await lock.end();
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
  const target = to ?? (await readFile(join(prismaFolder, 'schema.prisma'), 'utf8'));
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
