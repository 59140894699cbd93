// Deletes expired sessions, verification tokens, rate limit counters and stored outcomes of API calls.
import type { Database } from '@penstock/database';
import { expireAccountsData } from '@penstock/identity';
import { expireBudgets, expireOutcomes } from '@penstock/tenancy';
import type { Task } from 'graphile-worker';

export function expireAccountsDataJob(database: Database): Task {
  return async (_payload, helpers) => {
    const now = new Date();
    const removed = {
      ...(await expireAccountsData(database, now)),
      outcomes: await expireOutcomes(database, now),
      budgets: await expireBudgets(database),
    };
    helpers.logger.info(`Expired: ${JSON.stringify(removed)}`);
  };
}
