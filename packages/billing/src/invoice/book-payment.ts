// Books a payment for an invoice.
import type { Transaction } from '@penstock/database/client';
import { usd, ZERO_USD } from '@penstock/pricing';
import { lockBillingAccount } from '@penstock/tenancy';
import { readOpenAmounts, recordBooking } from '../credit/record-booking.ts';
import { paymentReceived } from '../ledger/booking.ts';
import { findInvoice } from './get-invoice.ts';

export interface Payment {
  organizationId: string;
  invoiceId: string;
  /** Positive, with at most two decimals. */
  amountUsd: string;
  /** Identifies the payment: it is booked once, however often it is reported. */
  reference: string;
  description?: string;
  now: Date;
}

/**
 * Books a payment once, and marks the invoice as paid if nothing is open any more. Anything above the open amount
 * becomes credits.
 * @returns whether it was booked now, and whether the invoice is paid
 * @throws AppError `invoice_not_found`
 */
export async function bookPayment(
  tx: Transaction,
  payment: Payment,
): Promise<{ isNew: boolean; isInvoicePaid: boolean }> {
  const { organizationId, invoiceId, now } = payment;
  const scope = { tx, organizationId, now };
  await lockBillingAccount(scope);
  const invoice = await findInvoice(scope, invoiceId);
  const openUsd = (await readOpenAmounts(scope, [invoiceId])).get(invoiceId) ?? ZERO_USD;
  const amountUsd = usd(payment.amountUsd);
  const description = payment.description ?? `Payment of invoice ${invoice.number}`;
  const isNew = await recordBooking(
    scope,
    paymentReceived({ reference: payment.reference, description, invoiceId, amountUsd, openUsd }),
  );
  if (!isNew) {
    return { isNew, isInvoicePaid: invoice.status === 'paid' };
  }
  const isInvoicePaid = openUsd.lte(amountUsd);
  await tx.invoice.update({
    where: { id: invoiceId },
    data: {
      amountPaidUsd: usd(invoice.amountPaidUsd.toFixed()).plus(amountUsd).toFixed(2),
      ...(isInvoicePaid && invoice.status !== 'paid' ? { status: 'paid', paidAt: now } : {}),
    },
  });
  return { isNew, isInvoicePaid };
}
