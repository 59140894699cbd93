// Updates our ledger with a charge's refunds and disputes at Stripe. Idempotent, and safe in any order.
import { inTenant, lockBillingAccount } from '@penstock/tenancy';
import { dueReversals, referencesOf } from '../stripe/index.ts';
import { bookReversal } from './book-reversal.ts';
import type { PaymentContext } from './payment-context.ts';

/** Reads two lists from Stripe within the transaction. Each request may take ten seconds. */
const TRANSACTION_TIMEOUT_MS = 30_000;

/** @throws StripeUnavailable, StripeRefusal */
export async function syncCharge(context: PaymentContext, stripeChargeId: string): Promise<void> {
  const { database, stripe, clock, logger } = context;
  const stripeInvoiceId = await stripe.readInvoiceOfCharge(stripeChargeId);
  if (stripeInvoiceId === undefined) {
    return;
  }
  // The owner must be found before row-level security can apply.
  const owner = await database.invoice.findUnique({
    where: { stripeInvoiceId },
    select: { id: true, organizationId: true },
  });
  if (owner === null) {
    return;
  }
  const { organizationId } = owner;
  await inTenant(
    database,
    organizationId,
    async (tx) => {
      const tenant = { tx, organizationId, now: clock() };
      await lockBillingAccount(tenant);
      // Read under the lock, so that of two concurrent readings the later one is applied last.
      const reading = await stripe.readReversals({ stripeChargeId });
      const known = await tx.ledgerTransaction.findMany({
        where: { organizationId, reference: { in: referencesOf(reading) } },
        select: { reference: true },
      });
      const invoice = await tx.invoice.findUniqueOrThrow({ where: { id: owner.id } });
      for (const reversal of dueReversals(reading, new Set(known.map(({ reference }) => reference)))) {
        await bookReversal(tenant, invoice, reversal);
        logger.warn({ invoice: invoice.number, what: reversal.kind }, 'Money for an invoice went back, or came again');
      }
    },
    TRANSACTION_TIMEOUT_MS,
  );
}
