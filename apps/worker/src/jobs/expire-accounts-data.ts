// Removes sessions and verification tokens that are past their time, and counters of the rate limits.
import type { Database } from '@penstock/database';
import { expireAccountsData } from '@penstock/services';
import type { Task } from 'graphile-worker';

export function expireAccountsDataJob(database: Database): Task {
  return async (_payload, helpers) => {
    const removed = await expireAccountsData(database, new Date());
    helpers.logger.info(`Expired: ${JSON.stringify(removed)}`);
  };
}
