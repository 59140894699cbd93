// The database in the embedded PostgreSQL, and the role that owns it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

/** A role without special rights, so that row security binds it as it does in production. */
const OWNER = 'penstock';
const DATABASE = 'penstock';

interface Names {
  owner: string;
  database: string;
}

/** In data folders of older releases, the superuser owns everything. */
const OLDER: Names = { owner: 'postgres', database: 'postgres' };

const namesFile = (home: string): string => join(home, 'database.json');

/** Who owns the database in a data folder. */
export async function embeddedDatabase(home: string): Promise<Names> {
  return await readFile(namesFile(home), 'utf8').then(
    (text) => JSON.parse(text) as Names,
    () => OLDER,
  );
}

/**
 * Creates the role and the database in a new data folder.
 * @param superuserUrl URL of the database `postgres`
 */
export async function ensureEmbeddedDatabase(home: string, superuserUrl: string, password: string): Promise<Names> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ is_older: boolean; has_owner: boolean; has_database: boolean }>(
      `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS is_older,
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS has_owner,
         EXISTS (SELECT FROM pg_database WHERE datname = $2) AS has_database`,
      [OWNER, DATABASE],
    );
    if (rows[0]?.is_older === true) {
      return OLDER;
    }
    if (rows[0]?.has_owner !== true) {
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${client.escapeLiteral(password)}`);
    }
    if (rows[0]?.has_database !== true) {
      await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    }
  } finally {
    await client.end();
  }
  const names: Names = { owner: OWNER, database: DATABASE };
  await writeFile(namesFile(home), `${JSON.stringify(names)}\n`);
  return names;
}
