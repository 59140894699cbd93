// Receives a webhook: verifies it, stores it, and only then confirms it. The worker processes it later.
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
  // An event's tenant is unknown until it is processed, so tenants cannot access events at all.
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
