// Forces row security for the owner of the tables, who is exempt otherwise (decision 0040).
import { AppError, applicationName, bindingProblem, DECLARING, readRoleBinding } from '@penstock/platform';
import { Client } from 'pg';
import { LOCK_TIMEOUT_MS, untilTablesAreFree } from './table-locks.ts';

/** Runs queries on one connection of the tables' owner. */
type Connection = Pick<Client, 'query'>;

/** All our tables, partitions included. Prisma's list of migrations belongs to no organization. */
const OUR_TABLES = `pg_class c WHERE c.relnamespace IN ('public'::regnamespace, 'telemetry'::regnamespace)
  AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`;

/** Whether row security was forced before. Partitions are always forced, so they don't count. */
export async function isForced(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ is_forced: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_class WHERE relforcerowsecurity AND NOT relispartition
       AND relnamespace = 'public'::regnamespace) AS is_forced`,
  );
  return rows[0]?.is_forced === true;
}

/**
 * Table by table, because each one is locked for a moment.
 * @throws PostgreSQL's error if a table is not free in time; tables before it have changed, and another call continues
 */
export async function forceTables(connection: Connection): Promise<void> {
  await alterTables(connection, 'FORCE', 'c.relrowsecurity AND NOT c.relforcerowsecurity');
}

async function alterTables(connection: Connection, action: 'FORCE' | 'NO FORCE', which: string): Promise<void> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT format('%I.%I', c.relnamespace::regnamespace::text, c.relname) AS name FROM ${OUR_TABLES} AND ${which} ORDER BY 1`,
  );
  for (const { name } of rows) {
    // While this waits for a transaction that uses the table, other queries of the table wait, too.
    await connection.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    try {
      await connection.query(`ALTER TABLE ${name} ${action} ROW LEVEL SECURITY; COMMIT`);
    } catch (error) {
      await connection.query('ROLLBACK');
      throw error;
    }
  }
}

/** @throws AppError `table_in_use` */
function inOneAttempt(connection: Client, change: string, work: () => Promise<void>): Promise<void> {
  return untilTablesAreFree(connection, { change, waitMs: 0, report: () => undefined }, work);
}

async function withConnection<T>(databaseUrl: string, work: (connection: Client) => Promise<T>): Promise<T> {
  const connection = new Client({ connectionString: databaseUrl, application_name: applicationName('row-security') });
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

function refused(code: string, message: string, remedy: string): AppError {
  return new AppError({ kind: 'refused', code, message, remedy });
}

/** @throws AppError `owner_exempt`, `owner_inherits_access` */
async function requireBoundOwner(connection: Connection): Promise<void> {
  const binding = await readRoleBinding(connection);
  const problem = bindingProblem(binding);
  if (problem !== undefined) {
    throw refused(
      binding.isExempt ? 'owner_exempt' : 'owner_inherits_access',
      problem.message,
      `${problem.remedy} Then try again.`,
    );
  }
}

/** @throws AppError `undeclared_connections` */
async function requireDeclaringProcesses(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ name: string; count: string }>(
    `SELECT coalesce(nullif(application_name, ''), 'without a name') AS name, count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = session_user AND pid <> pg_backend_pid()
       AND right(application_name, length($1)) <> $1 GROUP BY 1 ORDER BY 1`,
    [DECLARING],
  );
  if (rows.length > 0) {
    throw refused(
      'undeclared_connections',
      `Connections that don't declare their access are open: ${rows.map(({ name, count }) => `${name} (${count})`).join(', ')}. Once it is forced, they would see no rows.`,
      'Stop these processes. If they are not processes of Penstock, run the command again with --ignore-connections.',
    );
  }
}

/**
 * Forces row security on all tables: queries that don't declare their access see nothing from now on.
 * @param ignoresConnections also while connections are open that don't declare their access
 * @throws AppError `owner_exempt`, `owner_inherits_access`, `undeclared_connections`; nothing has changed then
 * @throws AppError `table_in_use`; another call continues there
 */
export function forceRowSecurity(databaseUrl: string, ignoresConnections = false): Promise<void> {
  return withConnection(databaseUrl, async (connection) => {
    await requireBoundOwner(connection);
    if (!ignoresConnections) {
      await requireDeclaringProcesses(connection);
    }
    await inOneAttempt(connection, 'forcing row security', () => forceTables(connection));
  });
}

/** Exempts the owner again, for example to dump the database as its owner. */
export function unforceRowSecurity(databaseUrl: string): Promise<void> {
  return withConnection(databaseUrl, (connection) =>
    inOneAttempt(connection, 'exempting the owner', () =>
      alterTables(connection, 'NO FORCE', 'c.relforcerowsecurity AND NOT c.relispartition'),
    ),
  );
}
