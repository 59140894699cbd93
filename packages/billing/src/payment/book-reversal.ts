// Books refunds and disputes of an invoice that was paid by card, each once.
import { formatUsdCents, larger, smaller, type Usd, usd, ZERO_USD } from '@penstock/pricing';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type Booking, disputeLost, disputeOpened, disputeWon, refundFailed, refundMade } from '../books/booking.ts';
import { book, readCreditBalance } from '../credit/book.ts';
import type { InvoiceRow } from '../invoice/invoice-row.ts';
import { fromCents, type Reversal } from '../stripe/index.ts';
import { paymentActor } from './payment-tools.ts';

type Tenant = Pick<Scope, 'tx' | 'organizationId' | 'now'>;

/** What an invoice has brought in credits, and refunds have not paid out yet. */
async function readCreditsOf({ tx, organizationId }: Tenant, invoiceId: string): Promise<Usd> {
  const { _sum: sum } = await tx.ledgerPosting.aggregate({
    where: { organizationId, account: 'credit', transaction: { invoiceId, kind: { not: 'invoice' } } },
    _sum: { amountUsd: true },
  });
  return larger(usd(sum.amountUsd?.toFixed() ?? '0').negated(), ZERO_USD);
}

/** What a booking took from, or gave to, the credits. */
async function creditPartOf({ tx, organizationId }: Tenant, reference: string | undefined): Promise<Usd> {
  const { _sum: sum } = await tx.ledgerPosting.aggregate({
    where: { organizationId, account: 'credit', transaction: { reference: reference ?? '' } },
    _sum: { amountUsd: true },
  });
  return usd(sum.amountUsd?.toFixed() ?? '0');
}

async function bookingOf(tenant: Tenant, invoice: InvoiceRow, reversal: Reversal): Promise<Booking> {
  const { kind, reference, endsReference } = reversal;
  const amountUsd = usd(fromCents(reversal.amountCents));
  const facts = { reference, invoiceId: invoice.id, amountUsd };
  switch (kind) {
    case 'refund': {
      const creditsUsd = smaller(await readCreditsOf(tenant, invoice.id), await readCreditBalance(tenant));
      return refundMade({ ...facts, creditsUsd, description: `Refund of invoice ${invoice.number}` });
    }
    case 'refund_failed': {
      const paidOutUsd = await creditPartOf(tenant, endsReference);
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

/** The account is to be locked. An invoice of which a dispute has taken all that was paid counts as not collected. */
export async function bookReversal(tenant: Tenant, invoice: InvoiceRow, reversal: Reversal): Promise<void> {
  const { tx } = tenant;
  const amountUsd = usd(fromCents(reversal.amountCents));
  if (!(await book(tenant, await bookingOf(tenant, invoice, reversal)))) return;
  if (reversal.kind === 'dispute_lost' && amountUsd.gte(usd(invoice.amountPaidUsd.toFixed()))) {
    await tx.invoice.update({ where: { id: invoice.id }, data: { status: 'uncollectible' } });
  }
  await recordAudit(
    { ...tenant, actor: paymentActor },
    {
      action: 'billing.reverse-payment',
      targetType: 'invoice',
      targetId: invoice.id,
      after: { invoice: invoice.number, what: reversal.kind.replace('_', ' '), amount: formatUsdCents(amountUsd) },
    },
  );
}
