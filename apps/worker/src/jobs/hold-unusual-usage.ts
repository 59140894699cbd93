// Holds usage that is far from what a cluster usually writes, until an operator has reviewed it.
import { holdUnusualUsage, SEARCHED_MS } from '@penstock/billing';
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import type { Task } from 'graphile-worker';

export function holdUnusualUsageJob(database: Database, webUrl: string | undefined, logger: Logger): Task {
  return async () => {
    const now = new Date();
    const from = new Date(now.getTime() - SEARCHED_MS);
    for (const held of await holdUnusualUsage(database, { from, until: now }, { now, webUrl })) {
      logger.warn(held, 'Unusual usage is held: review it with npm run admin -- billing holds');
    }
  };
}
