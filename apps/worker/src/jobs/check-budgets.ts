// Checks every budget and spending cap against the current month, then sends the notifications.
import { checkBudgets } from '@penstock/billing';
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import type { Task } from 'graphile-worker';
import { enqueueWebhooks } from './deliver-webhook.ts';

export function checkBudgetsJob(database: Database, webUrl: string | undefined, logger: Logger): Task {
  return async (_payload, helpers) => {
    const { changes, failures } = await checkBudgets(database, {
      now: new Date(),
      webUrl,
      signal: helpers.abortSignal,
    });
    for (const change of changes) {
      logger.info(change, 'A budget or a spending cap was reached, or a cap was lifted');
    }
    for (const { organizationId, error } of failures) {
      logger.error({ err: error, organizationId }, 'A budget could not be checked; trying again in a minute');
    }
    // Includes calls that other jobs queued.
    await enqueueWebhooks(helpers, database);
  };
}
