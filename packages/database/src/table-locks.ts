// Changes of tables that are in use. A change that waits for a table holds up all other queries of it, so it waits for a moment only, gives up
// its place, and tries again later.
import { AppError } from '@penstock/platform';
import { DatabaseError } from 'pg';

/** How long one attempt may wait for a table, and everybody behind it. */
export const LOCK_TIMEOUT_MS = 3_000;
/** Twice as long as an attempt: at least two thirds of the time belong to others. */
const PAUSE_MS = 2 * LOCK_TIMEOUT_MS;
/** PostgreSQL's code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs queries on a connection that may see other sessions. */
interface Queries {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

export interface TableWait {
  /** The name of the change, for reports and the error. */
  change: string;
  /** How long to go on. */
  waitMs: number;
  report: (line: string) => void;
}

/**
 * Runs `change` until it got its tables in time. The change must leave nothing behind when it fails.
 * @throws AppError `table_in_use` after `waitMs`, with the oldest transactions; any other error of `change` at once
 */
export async function untilTablesAreFree(
  database: Queries,
  { change: name, waitMs, report }: TableWait,
  change: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      await change();
      return;
    } catch (cause) {
      if (!isLockTimeout(cause)) {
        throw cause;
      }
      const holders = await oldestTransactions(database);
      const waitedMs = performance.now() - startedAtMs;
      if (waitedMs + PAUSE_MS > waitMs) {
        throw new AppError({
          kind: 'unavailable',
          code: 'table_in_use',
          message: `A table was in use for ${Math.round(waitedMs / 1_000)} s, so this stopped: ${name}. Oldest transactions: ${holders}.`,
          remedy: 'Wait until they end (a backup, for example) and run the command again: it continues there.',
          cause,
        });
      }
      report(`A table is in use, trying again in ${PAUSE_MS / 1_000} s: ${name}. Oldest transactions: ${holders}.`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** The transactions that are open for longest, for people: what, its process id, and how long. */
async function oldestTransactions(database: Queries): Promise<string> {
  const { rows } = await database.query(
    `SELECT format('%s (pid %s, %s s)', coalesce(nullif(application_name, ''), usename, backend_type), pid,
       round(extract(epoch FROM clock_timestamp() - xact_start))) AS text
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 3`,
  );
  return rows.map(({ text }) => String(text)).join(', ') || 'none now';
}
