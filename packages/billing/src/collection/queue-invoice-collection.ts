// Sends a final invoice to Stripe, exact to the cent: create, its items, finalize, pay.
import type { Transaction } from '@penstock/database/client';
import { SMALLEST_CHARGE_CENTS, toCents } from '../stripe/index.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { invoiceItems } from './invoice-items.ts';
import { queueStripeCall } from './queue-stripe-call.ts';

/** The attempt to charge that follows finalizing. The dunning names the later ones. */
export const FIRST_ATTEMPT = 'attempt-1';

/** The attempt to charge that follows a new payment method. */
export function newMethodAttempt(paymentMethodId: string): string {
  return `new-method-${paymentMethodId}`;
}

/**
 * How an invoice with this total is collected: from the card if there is one, unless the amount is below the minimum
 * charge.
 * @param isStripeConfigured whether this program has Stripe's keys
 */
export async function chooseCollection(
  tx: Transaction,
  {
    organizationId,
    totalUsd,
    isStripeConfigured,
  }: { organizationId: string; totalUsd: string; isStripeConfigured: boolean },
): Promise<'card' | 'transfer'> {
  if (!isStripeConfigured || toCents(totalUsd) < SMALLEST_CHARGE_CENTS) {
    return 'transfer';
  }
  const account = await tx.billingAccount.findUnique({ where: { organizationId } });
  return account?.stripePaymentMethodId == null ? 'transfer' : 'card';
}

/**
 * Queues the calls, in the transaction that creates the invoice or hands it to Stripe later. Does nothing for invoices
 * that are paid or paid by transfer, or for a repeated call.
 * @param input.openUsd the amount still to be paid; all of it if omitted
 * @param input.webUrl of the web app, for the address of an invoice whose lines are summed
 */
export async function queueInvoiceCollection(
  tx: Transaction,
  {
    invoiceId,
    organizationId,
    openUsd,
    webUrl,
    now,
  }: { invoiceId: string; organizationId: string; openUsd?: string; webUrl?: string | undefined; now: Date },
): Promise<void> {
  const invoice = await tx.invoice.findUniqueOrThrow({
    where: { id: invoiceId, organizationId },
    include: { lines: { orderBy: { position: 'asc' } } },
  });
  if (invoice.kind !== 'invoice' || invoice.collection !== 'card' || invoice.status !== 'open') {
    return;
  }
  await ensureCustomer({ tx, organizationId, now });
  const common = { organizationId, now };
  await queueStripeCall(tx, {
    ...common,
    operation: 'invoice.create',
    subject: invoiceId,
    parameters: {
      invoiceId,
      number: invoice.number,
      description: `Usage of ${invoice.periodStart.toISOString().slice(0, 7)} (UTC)`,
    },
  });
  // Held writes are shown and not charged.
  const charged = invoice.lines
    .filter(({ product }) => product !== 'held')
    .map((line) => ({ ...line, amountUsd: line.amountUsd.toFixed(2) }));
  for (const { position, amountCents, description } of invoiceItems(charged, whereLinesAre(invoice, webUrl))) {
    await queueStripeCall(tx, {
      ...common,
      operation: 'invoice_item.create',
      subject: `${invoiceId}/line-${position}`,
      parameters: {
        invoiceId,
        position,
        amountCents,
        description,
        periodStartS: invoice.periodStart.getTime() / 1000,
        periodEndS: invoice.periodEnd.getTime() / 1000,
      },
    });
  }
  const totalCents = toCents(invoice.totalUsd.toFixed());
  await queueStripeCall(tx, {
    ...common,
    operation: 'invoice.finalize',
    subject: `${invoiceId}/finalize`,
    parameters: { invoiceId, totalCents },
  });
  const settledCents = openUsd === undefined ? 0 : totalCents - toCents(openUsd);
  if (settledCents > 0) {
    await queueStripeCall(tx, {
      ...common,
      operation: 'credit_note.create',
      subject: `${invoiceId}/settled-before`,
      parameters: {
        invoiceId,
        creditNoteId: invoiceId,
        amountCents: settledCents,
        memo: 'Paid by transfer or credited before',
      },
    });
  }
  await queuePaymentAttempt(tx, { ...common, invoiceId, attempt: FIRST_ATTEMPT });
}

function whereLinesAre({ id, number }: { id: string; number: string }, webUrl: string | undefined): string {
  return webUrl === undefined
    ? `Invoice ${number} in the dashboard lists them.`
    : `Invoice ${number} lists them: ${webUrl}/app/billing/invoices/${id}`;
}

/** Queues one attempt to charge the open amount. An attempt with the same name is made once. */
export function queuePaymentAttempt(
  tx: Transaction,
  {
    organizationId,
    invoiceId,
    attempt,
    now,
  }: { organizationId: string; invoiceId: string; attempt: string; now: Date },
): Promise<string> {
  return queueStripeCall(tx, {
    organizationId,
    operation: 'invoice.pay',
    subject: paymentSubject(invoiceId, attempt),
    parameters: { invoiceId },
    now,
  });
}

/** The subject of a payment attempt's call. */
export function paymentSubject(invoiceId: string, attempt: string): string {
  return `${invoiceId}/${attempt}`;
}
