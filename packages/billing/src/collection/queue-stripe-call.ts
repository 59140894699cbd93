// Puts a call to Stripe into the outbox, in the transaction of its cause. The worker sends it after the commit.
import type { Transaction } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { CallParameters, StripeOperation } from '../stripe/index.ts';

/** The channel on which the worker hears, at commit, that an organization has calls waiting, or (`eventsPayload`) that events wait. */
export const PAYMENT_WORK_CHANNEL = 'penstock_payment_work';
export const EVENTS_PAYLOAD = 'events';

export interface NewStripeCall<Name extends StripeOperation> {
  organizationId: string;
  operation: Name;
  /**
   * What it is about; one call per operation and subject. Before the first slash stands its topic: calls of one topic are sent in
   * their order, and none before the earlier ones have had their effect.
   */
  subject: string;
  parameters: CallParameters<Name>;
  now: Date;
}

/** @returns its id; that of the earlier call when there is one of that operation and subject already */
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

/** The topic of a call: what stands before the first slash of its subject. */
export function topicOf(subject: string): string {
  return subject.split('/', 1)[0] ?? subject;
}
