// The quotas that all web processes share, in PostgreSQL. One statement for each slice that a process borrows, never one
// for each request.
import { createHash } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import type { SharedBudget } from '@penstock/platform';

/** Stored instead of the caller, so that the table does not reveal network addresses. */
const keyOf = (policy: string, caller: string): string =>
  createHash('sha256').update(`${policy}\n${caller}`).digest('base64url');

/** Windows are timed by PostgreSQL, so that clocks of processes may differ. */
export function createSharedBudget(database: Database): SharedBudget {
  return {
    async borrow({ policy, caller, quota, windowMs, spent, wanted }) {
      const granted = Math.max(0, Math.min(wanted, quota - spent));
      const [row] = await database.$queryRaw<{ granted: number; taken: number; left_ms: number }[]>`
        INSERT INTO rate_budget AS b (key, taken, granted, ends_at)
        VALUES (${keyOf(policy, caller)}, ${spent + granted}, ${granted}, now() + ${windowMs} * interval '1 ms')
        ON CONFLICT (key) DO UPDATE SET
          granted = greatest(0, least(${wanted}::int,
            ${quota}::int - ${spent}::int - CASE WHEN b.ends_at > now() THEN b.taken ELSE 0 END)),
          taken = ${spent}::int + CASE WHEN b.ends_at > now() THEN b.taken ELSE 0 END + greatest(0, least(${wanted}::int,
            ${quota}::int - ${spent}::int - CASE WHEN b.ends_at > now() THEN b.taken ELSE 0 END)),
          ends_at = CASE WHEN b.ends_at > now() THEN b.ends_at ELSE EXCLUDED.ends_at END
        RETURNING granted, taken, ceil(extract(epoch FROM ends_at - now()) * 1000)::int AS left_ms`;
      if (row === undefined) {
        throw new Error('PostgreSQL returned no row for a budget.');
      }
      return { granted: row.granted, taken: row.taken, leftMs: Math.max(1, row.left_ms) };
    },
  };
}

/** Deletes budgets whose window has ended. @returns how many */
export async function expireBudgets(database: Database): Promise<number> {
  return database.$executeRaw`DELETE FROM rate_budget WHERE ends_at < now() - interval '1 minute'`;
}
