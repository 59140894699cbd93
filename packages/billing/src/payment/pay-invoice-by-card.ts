// Lets a customer pay an open transfer invoice by card, for example because a card was added later.
import { AppError } from '@penstock/platform';
import { ZERO_USD } from '@penstock/pricing';
import { lockBillingAccount, recordAudit, type Scope } from '@penstock/tenancy';
import { queueInvoiceCollection } from '../collection/queue-invoice-collection.ts';
import { readOpenAmounts } from '../credit/record-booking.ts';
import { findInvoice } from '../invoice/get-invoice.ts';
import { SMALLEST_CHARGE_CENTS, toCents } from '../stripe/index.ts';

/**
 * From now on Stripe collects the open amount. Repeating it changes nothing.
 * @param options.isStripeConfigured whether this program has Stripe's keys
 * @param options.webUrl of the web app
 * @throws AppError `invoice_not_found`, `invoice_not_open`, `card_payment_unavailable`, `payment_method_missing`,
 * `amount_too_small_for_card`
 */
export async function payInvoiceByCard(
  scope: Scope,
  input: { invoiceId: string },
  { isStripeConfigured, webUrl }: { isStripeConfigured: boolean; webUrl: string | undefined },
): Promise<void> {
  const { tx, organizationId, now } = scope;
  const account = await lockBillingAccount(scope);
  const invoice = await findInvoice(scope, input.invoiceId);
  if (!isStripeConfigured) {
    throw new AppError({
      kind: 'refused',
      code: 'card_payment_unavailable',
      message: 'This installation doesn’t accept cards. Invoices are paid by bank transfer.',
      remedy: 'Follow the transfer instructions on the invoice.',
    });
  }
  if (invoice.kind !== 'invoice' || invoice.status !== 'open') {
    throw new AppError({
      kind: 'conflict',
      code: 'invoice_not_open',
      message: `Invoice ${invoice.number} has no open amount.`,
      remedy: 'Reload the invoice. It may have been paid.',
    });
  }
  if (account.stripePaymentMethodId === null) {
    throw new AppError({
      kind: 'refused',
      code: 'payment_method_missing',
      message: 'There is no card on file.',
      remedy: 'Add a card under Billing > Settings, then try again.',
    });
  }
  if (invoice.collection === 'card') {
    return;
  }
  const openUsd = ((await readOpenAmounts(scope, [invoice.id])).get(invoice.id) ?? ZERO_USD).toFixed(2);
  if (toCents(openUsd) < SMALLEST_CHARGE_CENTS) {
    throw new AppError({
      kind: 'refused',
      code: 'amount_too_small_for_card',
      message: `Invoice ${invoice.number} has less than $0.50 open, the minimum for a card payment.`,
      remedy: 'Pay it by bank transfer. We don’t send reminders for this amount.',
    });
  }
  await tx.invoice.update({ where: { id: invoice.id }, data: { collection: 'card' } });
  await queueInvoiceCollection(tx, { invoiceId: invoice.id, organizationId, openUsd, webUrl, now });
  await recordAudit(scope, {
    action: 'billing.pay-by-card',
    targetType: 'invoice',
    targetId: invoice.id,
    after: { invoice: invoice.number, amountUsd: openUsd },
  });
}
