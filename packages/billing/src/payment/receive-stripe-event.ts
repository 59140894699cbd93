// Takes a webhook: checked, stored, and only then confirmed. Acting on it is the worker's.
import type { Database, Prisma } from '@penstock/database/client';
import { inTransaction } from '@penstock/tenancy';
import { EVENTS_PAYLOAD, PAYMENT_WORK_CHANNEL } from '../collection/queue-stripe-call.ts';
import type { StripeGateway } from '../stripe/index.ts';

/**
 * @param rawBody exactly the bytes that were signed
 * @throws AppError `webhook_signature_invalid` (forged, altered or older than five minutes), `webhook_malformed`
 */
export async function receiveStripeEvent(
  { database, stripe }: { database: Database; stripe: StripeGateway },
  { rawBody, signatureHeader, now }: { rawBody: string; signatureHeader: string | null; now: Date },
): Promise<'stored' | 'known'> {
  const { id, type, createdAt, payload } = stripe.readWebhook(rawBody, signatureHeader, now);
  // Events are of no tenant until they have been looked into: they are kept out of tenants' reach altogether.
  return inTransaction(database, async (tx) => {
    const { count } = await tx.stripeEvent.createMany({
      data: [{ id, type, createdAt, payload: payload as Prisma.InputJsonObject, receivedAt: now }],
      skipDuplicates: true,
    });
    if (count === 0) {
      return 'known';
    }
    await tx.$executeRaw`SELECT pg_notify(${PAYMENT_WORK_CHANNEL}, ${EVENTS_PAYLOAD})`;
    return 'stored';
  });
}
