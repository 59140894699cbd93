// Reduces the invoice at Stripe by a credit note's amount, while it is still to be collected.
import type { Transaction } from '@penstock/database/client';
import { toCents } from '../stripe/index.ts';
import { queueStripeCall } from './queue-stripe-call.ts';

/**
 * Queues the call, in the transaction that issues the credit note.
 * @param openUsd how much the note reduces the invoice's open amount, e.g. `12.30`; anything beyond that exists only in
 * our ledger
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
