// Books refunds and disputes of an invoice that was paid by card, each once.
import { formatUsdCents, larger, smaller, type Usd, usd, ZERO_USD } from '@penstock/pricing';
import { recordAudit } from '@penstock/tenancy';
import { type LedgerScope, readCreditBalance, recordBooking } from '../credit/record-booking.ts';
import type { InvoiceRow } from '../invoice/invoice-row.ts';
import { type Booking, disputeLost, disputeOpened, disputeWon, refundFailed, refundMade } from '../ledger/booking.ts';
import { fromCents, type Reversal } from '../stripe/index.ts';
import { paymentActor } from './payment-context.ts';

/** Credits that came from an invoice and were not used by refunds yet. */
async function readCreditsOf({ tx, organizationId }: LedgerScope, invoiceId: string): Promise<Usd> {
  const { _sum: sum } = await tx.ledgerPosting.aggregate({
    where: { organizationId, account: 'credit', transaction: { invoiceId, kind: { not: 'invoice' } } },
    _sum: { amountUsd: true },
  });
  return larger(usd(sum.amountUsd?.toFixed() ?? '0').negated(), ZERO_USD);
}

/** The credits that a booking used or granted. */
async function creditPartOf({ tx, organizationId }: LedgerScope, reference: string): Promise<Usd> {
  const { _sum: sum } = await tx.ledgerPosting.aggregate({
    where: { organizationId, account: 'credit', transaction: { reference } },
    _sum: { amountUsd: true },
  });
  return usd(sum.amountUsd?.toFixed() ?? '0');
}

async function bookingOf(scope: LedgerScope, invoice: InvoiceRow, reversal: Reversal): Promise<Booking> {
  const { reference } = reversal;
  const amountUsd = usd(fromCents(reversal.amountCents));
  const facts = { reference, invoiceId: invoice.id, amountUsd };
  switch (reversal.kind) {
    case 'refund': {
      const creditsUsd = smaller(await readCreditsOf(scope, invoice.id), await readCreditBalance(scope));
      return refundMade({ ...facts, creditsUsd, description: `Refund of invoice ${invoice.number}` });
    }
    case 'refund_failed': {
      const paidOutUsd = await creditPartOf(scope, reversal.refundReference);
      const description = `Refund of invoice ${invoice.number} that did not arrive`;
      return refundFailed({ ...facts, paidOutUsd, description });
    }
    case 'dispute':
      return disputeOpened({ ...facts, description: `Payment of invoice ${invoice.number} disputed` });
    case 'dispute_won':
      return disputeWon({ ...facts, description: `Dispute over invoice ${invoice.number} won` });
    case 'dispute_lost':
      return disputeLost({ ...facts, description: `Dispute over invoice ${invoice.number} lost` });
  }
}

/** Lock the account first. If a lost dispute has taken everything that was paid, the invoice becomes uncollectible. */
export async function bookReversal(scope: LedgerScope, invoice: InvoiceRow, reversal: Reversal): Promise<void> {
  const { tx } = scope;
  const amountUsd = usd(fromCents(reversal.amountCents));
  if (!(await recordBooking(scope, await bookingOf(scope, invoice, reversal)))) {
    return;
  }
  if (reversal.kind === 'dispute_lost' && amountUsd.gte(usd(invoice.amountPaidUsd.toFixed()))) {
    await tx.invoice.update({ where: { id: invoice.id }, data: { status: 'uncollectible' } });
  }
  await recordAudit(
    { ...scope, actor: paymentActor },
    {
      action: 'billing.reverse-payment',
      targetType: 'invoice',
      targetId: invoice.id,
      after: { invoice: invoice.number, what: reversal.kind.replace('_', ' '), amount: formatUsdCents(amountUsd) },
    },
  );
}
