// Updates our ledger with an invoice's current state at Stripe. Called after a payment, for every event about the
// invoice, and by the reconciliation. Idempotent, and safe in any order, because it reads the current state and not the
// event. Paid is final here: an older reading applied late reverts nothing.
import { inTenant, lockBillingAccount, type Scope } from '@penstock/tenancy';
import { bookPayment } from '../invoice/book-payment.ts';
import { fromCents, type InvoiceReading } from '../stripe/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { noteFailedPayment } from './payment-failure.ts';
import { refreshStanding } from './standing.ts';

/** The reference of a payment that Stripe collected: the invoice's id there, since an invoice is paid once. */
export function stripePaymentReference(stripeInvoiceId: string): string {
  return `payment:stripe:${stripeInvoiceId}`;
}

async function applyReading(
  scope: Pick<Scope, 'tx' | 'organizationId' | 'now'>,
  invoiceId: string,
  context: PaymentContext,
  reading: InvoiceReading,
): Promise<void> {
  const { tx, now } = scope;
  await lockBillingAccount(scope);
  const invoice = await tx.invoice.findUniqueOrThrow({ where: { id: invoiceId } });
  const { status, number } = invoice;

  if (reading.hostedInvoiceUrl !== undefined && invoice.hostedInvoiceUrl === null) {
    await tx.invoice.update({ where: { id: invoiceId }, data: { hostedInvoiceUrl: reading.hostedInvoiceUrl } });
  }
  if (reading.status === 'paid' && reading.amountPaidCents > 0) {
    await bookPayment(tx, {
      organizationId: scope.organizationId,
      invoiceId,
      amountUsd: fromCents(reading.amountPaidCents),
      reference: stripePaymentReference(reading.id),
      now,
    });
    await refreshStanding(scope);
    return;
  }
  if (reading.status === 'void' || reading.status === 'uncollectible') {
    if (status === 'open') {
      context.logger.error(
        { invoice: number, atStripe: reading.status },
        'An invoice that is open here has been given up at Stripe: a person must look',
      );
    }
    return;
  }
  if (reading.status === 'open' && reading.wasAttempted && !reading.isPaymentUnderWay) {
    await noteFailedPayment(scope, { invoiceId, reason: reading.failure });
  }
}

/** @throws StripeUnavailable, StripeRefusal */
export async function syncInvoice(context: PaymentContext, stripeInvoiceId: string): Promise<void> {
  const reading = await context.stripe.readInvoice(stripeInvoiceId);
  // The owner must be found before row-level security can apply.
  const found = await context.database.invoice.findUnique({
    where: { stripeInvoiceId },
    select: { id: true, organizationId: true },
  });
  // Not ours, or created by us a moment ago: the call that created it will read it again.
  if (found === null) {
    return;
  }
  const { id: invoiceId, organizationId } = found;
  await inTenant(context.database, organizationId, (tx) =>
    applyReading({ tx, organizationId, now: context.clock() }, invoiceId, context, reading),
  );
}
