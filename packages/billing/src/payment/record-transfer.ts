// Books a bank transfer, for our staff. Available as a command, never to customers.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { type Actor, inTenant, recordAudit } from '@penstock/tenancy';
import { bookPayment } from '../invoice/book-payment.ts';
import { findInvoiceByNumber } from '../invoice/find-invoice-by-number.ts';
import { toCents } from '../stripe/index.ts';
import { refreshStanding } from './standing.ts';

export interface ReceivedTransfer {
  /** The number, such as PS-2026-000042 */
  invoiceNumber: string;
  /** The bank's own reference of the transfer. Each reference is booked once. */
  reference: string;
  /** The amount, such as 120.50 */
  amountUsd: string;
}

export interface RecordedTransfer {
  /** False if this reference was booked before. */
  isNew: boolean;
  status: string;
  amountPaidUsd: string;
  totalUsd: string;
}

/** @throws AppError `invoice_not_found`, `amount_invalid`, `reference_invalid`, `invoice_not_payable` */
export async function recordTransfer(
  database: Database,
  { invoiceNumber, reference, amountUsd }: ReceivedTransfer,
  { actor, now }: { actor: Actor; now: Date },
): Promise<RecordedTransfer> {
  const cents = (() => {
    try {
      return toCents(amountUsd);
    } catch {
      return 0;
    }
  })();
  if (cents <= 0) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'amount_invalid',
      message: `${amountUsd} is not a valid amount. Use US dollars above zero with at most two decimals.`,
      remedy: 'Use the format 120.50.',
    });
  }
  if (reference.trim() === '') {
    throw new AppError({
      kind: 'invalid-input',
      code: 'reference_invalid',
      message: 'A transfer needs the bank’s reference.',
      remedy: 'Pass it with --reference. It prevents booking the same transfer twice.',
    });
  }
  const { id: invoiceId, organizationId } = await findInvoiceByNumber(database, invoiceNumber);
  const booked = `payment:transfer:${reference.trim()}`;
  return inTenant(database, organizationId, async (tx) => {
    // Searches all organizations: a reference is unique in the whole bank account.
    const earlier = await database.ledgerTransaction.findUnique({ where: { reference: booked } });
    if (earlier !== null && earlier.invoiceId !== invoiceId) {
      throw new AppError({
        kind: 'conflict',
        code: 'reference_taken',
        message: `The transfer ${reference} is already booked for another invoice.`,
        remedy: 'Check the reference. If one transfer pays two invoices, record it with a separate reference for each.',
      });
    }
    if (earlier === null) {
      await bookPayment(tx, { organizationId, invoiceId, amountUsd, reference: booked, now });
      await refreshStanding({ tx, organizationId, now });
      await recordAudit(
        { tx, organizationId, actor, now },
        {
          action: 'billing.record-transfer',
          targetType: 'invoice',
          targetId: invoiceId,
          after: { invoice: invoiceNumber, amountUsd, reference: reference.trim() },
        },
      );
    }
    const invoice = await tx.invoice.findUniqueOrThrow({ where: { id: invoiceId } });
    return {
      isNew: earlier === null,
      status: invoice.status,
      amountPaidUsd: invoice.amountPaidUsd.toFixed(2),
      totalUsd: invoice.totalUsd.toFixed(2),
    };
  });
}
