// The database in the embedded PostgreSQL, and the role that owns it.
import { Client } from 'pg';
import { LocalError } from './terminal.ts';

/** A role without special rights, so that row security binds it as it does in production. */
export const EMBEDDED_OWNER = 'penstock';
export const EMBEDDED_DATABASE = 'penstock';

/**
 * Creates the role and the database in a new data folder.
 * @param superuserUrl URL of the database `postgres`
 * @throws LocalError when the folder's data is in that database, where row security would not bind its owner
 */
export async function ensureEmbeddedDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ is_of_superuser: boolean; has_owner: boolean; has_database: boolean }>(
      `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS is_of_superuser,
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS has_owner,
         EXISTS (SELECT FROM pg_database WHERE datname = $2) AS has_database`,
      [EMBEDDED_OWNER, EMBEDDED_DATABASE],
    );
    if (rows[0]?.is_of_superuser === true) {
      throw new LocalError(
        'The database in the data folder belongs to the superuser, as before commit d61a854a.',
        'Move the folder (PENSTOCK_HOME, or .penstock) away, and start again.',
      );
    }
    if (rows[0]?.has_owner !== true) {
      await client.query(`CREATE ROLE ${EMBEDDED_OWNER} LOGIN CREATEROLE PASSWORD ${client.escapeLiteral(password)}`);
    }
    if (rows[0]?.has_database !== true) {
      await client.query(`CREATE DATABASE ${EMBEDDED_DATABASE} OWNER ${EMBEDDED_OWNER}`);
    }
  } finally {
    await client.end();
  }
}
