// A database as rows of text, without its schema: the migrations recreate that. Telemetry and the queue of jobs are left out, because both
// are replaced within hours.
import { gunzipSync, gzipSync } from 'node:zlib';
import { applyMigrations } from '@penstock/database';
import { Client } from 'pg';

export interface DatabaseDump {
  /** Name of the newest migration that the database had. */
  newestMigration: string;
  /** Each row in PostgreSQL's text form of a composite value. */
  tables: { name: string; columns: string[]; rows: string[] }[];
  sequences: { name: string; value: string }[];
}

export function encodeDump(dump: DatabaseDump): Uint8Array {
  return gzipSync(JSON.stringify(dump), { level: 9 });
}

export function decodeDump(bytes: Uint8Array): DatabaseDump {
  return JSON.parse(gunzipSync(bytes).toString('utf8')) as DatabaseDump;
}

/** Plain tables of the product. Telemetry is in partitioned tables, and the queue in a schema of its own. */
const TABLES = `SELECT c.relname AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
  ORDER BY c.relname`;

async function asSuperuser<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const columnList = (client: Client, columns: readonly string[]): string =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ');

/** @param databaseUrl of a superuser, whom row security does not bind */
export function dumpDatabase(databaseUrl: string): Promise<DatabaseDump> {
  return asSuperuser(databaseUrl, async (client) => {
    const { rows: migrations } = await client.query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1',
    );
    const { rows: found } = await client.query<{ name: string; columns: string[] }>(TABLES);
    const tables: DatabaseDump['tables'] = [];
    for (const { name, columns } of found) {
      const list = columnList(client, columns);
      const table = client.escapeIdentifier(name);
      const { rows } = await client.query<{ row: string }>(`SELECT row(${list})::text AS row FROM ${table}`);
      tables.push({ name, columns, rows: rows.map(({ row }) => row) });
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL`,
    );
    return {
      newestMigration: migrations[0]?.name ?? '',
      tables: tables.filter(({ rows }) => rows.length > 0),
      sequences,
    };
  });
}

/**
 * Creates the schema that the dump was taken from, and its rows.
 * @param ownerUrl of the database's owner
 * @param superuserUrl of a superuser, who may leave out triggers and foreign keys meanwhile
 */
export async function restoreDatabase(ownerUrl: string, superuserUrl: string, dump: DatabaseDump): Promise<void> {
  await applyMigrations(ownerUrl, { newest: dump.newestMigration });
  await asSuperuser(superuserUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    for (const { name, columns, rows } of dump.tables) {
      const table = client.escapeIdentifier(name);
      const list = columnList(client, columns);
      // Rows that a migration inserted are in the dump, too.
      await client.query(`DELETE FROM ${table}`);
      // The type of the dumped columns alone: a table can also have generated ones.
      await client.query(`CREATE TEMPORARY TABLE dumped ON COMMIT DROP AS SELECT ${list} FROM ${table} LIMIT 0`);
      await client.query(
        `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT (r::dumped).* FROM unnest($1::text[]) AS r`,
        [rows],
      );
      await client.query('DROP TABLE dumped');
    }
    for (const { name, value } of dump.sequences) {
      await client.query('SELECT setval($1::regclass, $2)', [name, value]);
    }
    await client.query('COMMIT');
  });
}
