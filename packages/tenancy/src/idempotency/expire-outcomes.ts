// Deletes the stored outcomes of requests once they are too old to be retried.
import type { Database } from '@penstock/database/client';
import { OUTCOME_AGE_MS } from './run-once.ts';

/** @returns how many were deleted */
export async function expireOutcomes(database: Database, now: Date): Promise<number> {
  const { count } = await database.idempotencyKey.deleteMany({
    where: { createdAt: { lt: new Date(now.getTime() - OUTCOME_AGE_MS) } },
  });
  return count;
}
