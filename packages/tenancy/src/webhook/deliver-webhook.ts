// The worker's side of the webhook outbox.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import type { WebhookPolicy } from './outbound-policy.ts';
import { postWebhook, type Resolve } from './post-webhook.ts';
import type { WebhookTools } from './update-webhook.ts';
import { openWebhookSecret } from './webhook-secret.ts';
import { signWebhook } from './webhook-signature.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** With the queue's growing pauses (e^n seconds), these attempts span about six hours. */
export const DELIVER_WEBHOOK_ATTEMPTS = 10;

export type DeliveryOutcome =
  | { end: 'delivered' | 'nothing to do' }
  | { end: 'failed'; isGivenUp: boolean; attempt: number; reason: string };

const waiting = { deliveredAt: null, failedAt: null } as const;

/** The oldest queued deliveries, with their organizations. */
export function listWaitingWebhooks(database: Database): Promise<{ id: string; organizationId: string }[]> {
  return database.webhookDelivery.findMany({
    where: waiting,
    orderBy: { createdAt: 'asc' },
    take: 500,
    select: { id: true, organizationId: true },
  });
}

/**
 * Makes one attempt. The request is sent between transactions, so it may arrive twice if the worker is killed;
 * receivers recognize a repeat by its id. Only the currently configured URL is called: a replaced one never sees
 * signatures made with the new secret.
 */
export async function deliverWebhook(
  database: Database,
  deliveryId: string,
  now: Date,
  { policy, secretBox }: WebhookTools,
  resolveName?: Resolve,
): Promise<DeliveryOutcome> {
  // Counts the attempt before making it, so that an attempt that kills the worker counts too.
  const counted = await database.webhookDelivery.updateManyAndReturn({
    where: { id: deliveryId, ...waiting },
    data: { attempts: { increment: 1 } },
  });
  const delivery = counted[0];
  if (delivery === undefined) {
    return { end: 'nothing to do' };
  }
  const attempt = delivery.attempts;

  async function fail(reason: string, isGivenUp: boolean): Promise<DeliveryOutcome> {
    await database.webhookDelivery.updateMany({
      where: { id: deliveryId, ...waiting },
      data: { lastError: reason, ...(isGivenUp ? { failedAt: now } : {}) },
    });
    return { end: 'failed', isGivenUp, attempt, reason };
  }

  const account = await database.billingAccount.findUnique({
    where: { organizationId: delivery.organizationId },
    select: { webhookUrl: true, webhookSecret: true },
  });
  if (account?.webhookSecret == null || account.webhookUrl !== delivery.url) {
    return fail('the webhook was changed or removed', true);
  }
  const url = usableUrl(delivery.url, policy);
  if (url === null) {
    return fail('its URL is no longer allowed', true);
  }
  let secret: string;
  try {
    secret = openWebhookSecret(secretBox, delivery.organizationId, account.webhookSecret);
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    // An operator can restore the root secret before the last attempt.
    return fail('its signing secret can’t be read', attempt >= DELIVER_WEBHOOK_ATTEMPTS);
  }
  const outcome = await postWebhook(
    {
      url,
      body: delivery.body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Penstock-Webhooks/1',
        'penstock-event': delivery.event,
        'penstock-delivery': delivery.id,
        'penstock-signature': signWebhook(secret, delivery.body, now),
      },
    },
    policy,
    resolveName,
  );
  if (!outcome.isDelivered) {
    return fail(outcome.reason, attempt >= DELIVER_WEBHOOK_ATTEMPTS);
  }
  await database.webhookDelivery.updateMany({
    where: { id: deliveryId, ...waiting },
    data: { deliveredAt: now, lastError: null },
  });
  return { end: 'delivered' };
}

/** Null if the rules have changed since the URL was accepted. */
function usableUrl(text: string, policy: WebhookPolicy): URL | null {
  try {
    return checkWebhookUrl(text, policy);
  } catch (error) {
    if (error instanceof AppError) {
      return null;
    }
    throw error;
  }
}
