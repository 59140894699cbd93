// Takes what a credit note forgives off the invoice at Stripe while that is still to be collected.
import type { Transaction } from '@penstock/database/client';
import { toCents } from '../stripe/index.ts';
import { queueStripeCall } from './queue-stripe-call.ts';

/**
 * Queues the call, in the transaction that issues the credit note.
 * @param openUsd how much of the invoice's open amount the note forgives, e.g. `12.30`; what exceeds it lives in our books alone
 */
export async function queueCreditNoteCollection(
  tx: Transaction,
  note: { creditNoteId: string; invoiceId: string; organizationId: string; openUsd: string; reason: string; now: Date },
): Promise<void> {
  const { creditNoteId, invoiceId, organizationId, reason, now } = note;
  const amountCents = toCents(note.openUsd);
  const invoice = await tx.invoice.findUniqueOrThrow({ where: { id: invoiceId, organizationId } });
  if (invoice.collection !== 'card' || amountCents <= 0) {
    return;
  }
  await queueStripeCall(tx, {
    organizationId,
    operation: 'credit_note.create',
    subject: `${invoiceId}/credit-note-${creditNoteId}`,
    parameters: { invoiceId, creditNoteId, amountCents, memo: reason },
    now,
  });
}
