// Brings our books up to what Stripe says of an invoice now. Called after a payment, for every event about it, and by the
// reconciliation: as often as anybody likes and in any order, because it reads the present instead of the news. Paid is final here: a
// reading from before, applied late, takes nothing back.
import { inTenant, lockBillingAccount, type Scope } from '@penstock/tenancy';
import { bookPayment } from '../invoice/book-payment.ts';
import { fromCents, type InvoiceReading } from '../stripe/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { noteFailedPayment } from './payment-failure.ts';
import { refreshStanding } from './standing.ts';

/** A payment that Stripe collected is booked under the invoice's name there: an invoice is paid once. */
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
  // Whose it is has to be found out before row-level security can hold to it.
  const found = await context.database.invoice.findUnique({
    where: { stripeInvoiceId },
    select: { id: true, organizationId: true },
  });
  // Not one of ours, or raised by us a moment ago: the call that raised it will look again.
  if (found === null) {
    return;
  }
  const { id: invoiceId, organizationId } = found;
  await inTenant(context.database, organizationId, (tx) =>
    applyReading({ tx, organizationId, now: context.clock() }, invoiceId, context, reading),
  );
}
