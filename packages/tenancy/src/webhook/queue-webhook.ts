// Puts a call to a customer's webhook into the outbox, in the transaction of what it tells of.
import { newId } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';

/** `<noun>.<what happened>`: stable, for programs. */
export type WebhookEvent =
  | 'budget.reached'
  | 'cap.reached'
  | 'cap.lifted'
  | 'health.raised'
  | 'health.resolved'
  | 'webhook.test';

/** @returns the delivery's id: also the event's, by which a receiver knows a repeated call */
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
