// Makes one attempt at one delivery. The queue's growing pauses separate the attempts.
import type { Database } from '@penstock/database';
import { DELIVER_WEBHOOK_ATTEMPTS, deliverWebhook, listWaitingWebhooks, type WebhookTools } from '@penstock/tenancy';
import type { JobHelpers, Task } from 'graphile-worker';
import { z } from 'zod';

export const deliverWebhookPayload = z.object({ deliveryId: z.uuid() });

/**
 * The delivery counts its own attempts and gives up. The queue allows more, for attempts that crash before they are
 * counted.
 */
export const deliverWebhookJobAttempts = DELIVER_WEBHOOK_ATTEMPTS + 5;

export function deliverWebhookJob(database: Database, tools: WebhookTools): Task {
  return async (payload, helpers) => {
    const { deliveryId } = deliverWebhookPayload.parse(payload);
    const outcome = await deliverWebhook(database, deliveryId, new Date(), tools);
    if (outcome.end !== 'failed') {
      return;
    }
    const text = `Webhook delivery ${deliveryId}, attempt ${outcome.attempt}: ${outcome.reason}`;
    if (!outcome.isGivenUp) {
      throw new Error(text);
    }
    helpers.logger.warn(`${text}. Given up.`);
  };
}

/** Enqueues all waiting deliveries, including those that an earlier worker left behind. */
export async function enqueueWebhooks(jobs: Pick<JobHelpers, 'addJob'>, database: Database): Promise<void> {
  for (const { id, organizationId } of await listWaitingWebhooks(database)) {
    await jobs.addJob(
      'deliver-webhook',
      { deliveryId: id },
      {
        jobKey: `webhook:${id}`,
        jobKeyMode: 'unsafe_dedupe',
        maxAttempts: deliverWebhookJobAttempts,
        // One at a time per organization, so that a slow receiver delays only its own calls.
        queueName: `webhook:${organizationId}`,
      },
    );
  }
}
