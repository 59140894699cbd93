// Queues a call to a customer's webhook, in the transaction of the change that it reports.
import { newId } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';

/** `<noun>.<past participle>`. Stable, because programs use it. */
export type WebhookEvent =
  | 'budget.reached'
  | 'cap.reached'
  | 'cap.lifted'
  | 'health.raised'
  | 'health.resolved'
  | 'webhook.test';

/** @returns the delivery's id. It is also the event's id, by which a receiver recognizes a repeated call */
export async function queueWebhook(
  scope: Scope,
  event: { url: string; type: WebhookEvent; data: Readonly<Record<string, string | number | null>> },
): Promise<string> {
  const id = newId(scope.now.getTime());
  const { organizationId, now } = scope;
  const body = JSON.stringify({ id, type: event.type, createdAt: now.toISOString(), organizationId, data: event.data });
  await scope.tx.webhookDelivery.create({
    data: { id, organizationId, url: event.url, event: event.type, body, createdAt: now },
  });
  return id;
}
