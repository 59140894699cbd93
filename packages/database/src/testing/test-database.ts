// A fresh, migrated database for one test or one test file, on the shared server.
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectToSharedServer, type SharedServer, sharedServerUrl } from '@penstock/testing';
import type pg from 'pg';
import { applyMigrations } from '../migrations.ts';

export interface TestDatabase {
  /** Connection URL of a superuser, whom row security never binds: for what a test prepares and inspects. */
  url: string;
  /** Connection URL of the owner of the tables, as in production: for the programs under test. */
  ownerUrl: string;
  name: string;
  /** Closes all connections and drops the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** False for an empty database without migrations. Default: true. */
  isMigrated?: boolean;
  /**
   * False: commits do not wait for the disk, which makes long series of small transactions several times faster. Nothing else changes while
   * the server keeps running, and tests must not stop a shared server. Default: true.
   */
  isFlushed?: boolean;
}

const migrationsFolder = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
/** Any constant works: creating a template requires this advisory lock. */
const TEMPLATE_LOCK = 7_207_001;

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(migrationsFolder, { recursive: true });
  for (const entry of entries.filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(entry).update(await readFile(join(migrationsFolder, entry)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** No superuser: row security binds it. */
const OWNER = 'penstock_test_owner';

function ownerUrl(server: SharedServer, database: string): string {
  const url = new URL(sharedServerUrl(server, database));
  url.username = OWNER;
  return url.href;
}

async function ensureOwner(server: SharedServer, client: pg.Client): Promise<void> {
  const find = 'select 1 from pg_roles where rolname = $1';
  if ((await client.query(find, [OWNER])).rowCount === 1) {
    return;
  }
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    if ((await client.query(find, [OWNER])).rowCount === 0) {
      await client.query(`create role ${OWNER} login createrole password '${server.password}'`);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/** Migrating takes a second, copying a migrated template 50 ms: each set of migrations is applied once per server. */
async function ensureTemplate(server: SharedServer, client: pg.Client): Promise<string> {
  const template = `template_${await migrationsHash()}`;
  const find = 'select 1 from pg_database where datname = $1 and datistemplate';
  if ((await client.query(find, [template])).rowCount === 1) {
    return template;
  }
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    if ((await client.query(find, [template])).rowCount === 0) {
      // A process killed during creation leaves a database that is not yet marked as a template.
      await client.query(`drop database if exists ${template} with (force)`);
      await client.query(`create database ${template} owner ${OWNER}`);
      await applyMigrations(ownerUrl(server, template));
      await client.query(`alter database ${template} with is_template true allow_connections false`);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

function unflushed(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c synchronous_commit=off');
  return url.href;
}

const TIMEOUT_MS = 2_000;

/**
 * A closed pool has sent its Terminate messages, but the server may not have read them yet. Terminating its sessions at once would surface
 * as an error in the pool, so they get a moment first.
 */
async function untilUnused(client: pg.Client, name: string): Promise<void> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { rowCount } = await client.query('select 1 from pg_stat_activity where datname = $1', [name]);
    if (rowCount === 0 || Date.now() > deadlineMs) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * A database of the caller's own. `drop` it afterwards (`afterAll(() => database.drop())`); one left behind by a killed run is removed with
 * the server. The first call on a machine starts that server, which takes about two seconds.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  // The connection stays open until the drop, so that the keeper does not stop the server.
  const { server, client } = await connectToSharedServer();
  try {
    await ensureOwner(server, client);
    const name = `test_${randomBytes(8).toString('hex')}`;
    const source = options.isMigrated === false ? 'template0' : await ensureTemplate(server, client);
    await client.query(`create database ${name} owner ${OWNER} template ${source}`);
    const withFlush = (url: string): string => (options.isFlushed === false ? unflushed(url) : url);
    return {
      url: withFlush(sharedServerUrl(server, name)),
      ownerUrl: withFlush(ownerUrl(server, name)),
      name,
      drop: async () => {
        try {
          await untilUnused(client, name);
          await client.query(`drop database if exists ${name} with (force)`);
        } finally {
          await client.end();
        }
      },
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
