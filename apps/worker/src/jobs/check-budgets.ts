// Holds every budget and spending cap against the running month, then sends what there is to tell.
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import { checkBudgets, listWaitingWebhooks } from '@penstock/services';
import type { Task } from 'graphile-worker';
import { deliverWebhookJobAttempts } from './deliver-webhook.ts';

export function checkBudgetsJob(database: Database, webUrl: string | undefined, logger: Logger): Task {
  return async (_payload, helpers) => {
    const { changes, failures } = await checkBudgets(database, { now: new Date(), webUrl });
    for (const change of changes) logger.info(change, 'A budget or a spending cap was reached, or a cap was lifted');
    for (const { organizationId, error } of failures) {
      logger.error({ err: error, organizationId }, 'A budget could not be checked; trying again in a minute');
    }
    // Also what was queued elsewhere and what an earlier worker left behind.
    for (const { id, organizationId } of await listWaitingWebhooks(database)) {
      await helpers.addJob(
        'deliver-webhook',
        { deliveryId: id },
        {
          jobKey: `webhook:${id}`,
          jobKeyMode: 'unsafe_dedupe',
          maxAttempts: deliverWebhookJobAttempts,
          // One at a time for each organization: a receiver that is slow holds up its own calls alone.
          queueName: `webhook:${organizationId}`,
        },
      );
    }
  };
}
