// Puts a call to Stripe into the outbox, in the transaction of its cause. The worker sends it after the commit.
import type { Transaction } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { CallParameters, StripeOperation } from '../stripe/index.ts';

/**
 * Notifies the worker at commit that an organization has queued calls, or (`eventsPayload`) that events are waiting.
 */
export const PAYMENT_WORK_CHANNEL = 'penstock_payment_work';
export const EVENTS_PAYLOAD = 'events';

export interface NewStripeCall<Name extends StripeOperation> {
  organizationId: string;
  operation: Name;
  /**
   * The subject of the call. There is one call per operation and subject. The part before the first slash is its topic:
   * calls of a topic are sent in order, each after the earlier ones have taken effect.
   */
  subject: string;
  parameters: CallParameters<Name>;
  now: Date;
}

/** @returns its id, or that of the existing call with the same operation and subject */
export async function queueStripeCall<Name extends StripeOperation>(
  tx: Transaction,
  { organizationId, operation, subject, parameters, now }: NewStripeCall<Name>,
): Promise<string> {
  const id = newId(now.getTime());
  await tx.$executeRaw`
    INSERT INTO stripe_call (id, organization_id, operation, subject, idempotency_key, parameters, created_at)
    VALUES (${id}::uuid, ${organizationId}, ${operation}, ${subject}, ${`penstock-${id}`}, ${JSON.stringify(parameters)}::jsonb, ${now})
    ON CONFLICT (operation, subject) DO NOTHING`;
  await tx.$executeRaw`SELECT pg_notify(${PAYMENT_WORK_CHANNEL}, ${organizationId})`;
  const { id: queuedId } = await tx.stripeCall.findUniqueOrThrow({
    where: { operation_subject: { operation, subject } },
    select: { id: true },
  });
  return queuedId;
}

/** The topic of a call: the part of its subject before the first slash. */
export function topicOf(subject: string): string {
  return subject.split('/', 1)[0] ?? subject;
}
