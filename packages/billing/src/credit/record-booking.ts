// Writes bookings into an organization's ledger. The caller holds the lock on the billing account until the transaction
// ends, so that nobody reads a balance that is about to change.
import type { Transaction } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import { type Usd, usd } from '@penstock/pricing';
import { lockBillingAccount } from '@penstock/tenancy';
import { assertBalanced, type Booking } from '../ledger/booking.ts';

export interface LedgerScope {
  tx: Transaction;
  organizationId: string;
  now: Date;
}

/** Writes a booking once: a repeat with the same reference changes nothing and returns false. */
export async function recordBooking(scope: LedgerScope, booking: Booking): Promise<boolean> {
  const { tx, organizationId, now } = scope;
  assertBalanced(booking);
  await lockBillingAccount(scope);
  if ((await tx.ledgerTransaction.findUnique({ where: { reference: booking.reference } })) !== null) {
    return false;
  }
  const id = newId(now.getTime());
  const { kind, reference, description, invoiceId } = booking;
  await tx.ledgerTransaction.create({
    data: { id, organizationId, kind, reference, description, invoiceId, at: now },
  });
  await tx.ledgerPosting.createMany({
    data: booking.postings.map(({ account, amountUsd }, index) => ({
      transactionId: id,
      position: index + 1,
      organizationId,
      account,
      amountUsd: amountUsd.toFixed(2),
    })),
  });
  return true;
}

/** The remaining credits. Lock the billing account before spending them. */
export async function readCreditBalance({
  tx,
  organizationId,
}: Pick<LedgerScope, 'tx' | 'organizationId'>): Promise<Usd> {
  const { _sum: sum } = await tx.ledgerPosting.aggregate({
    where: { organizationId, account: 'credit' },
    _sum: { amountUsd: true },
  });
  return usd(sum.amountUsd?.toFixed() ?? '0').negated();
}

/** The amount still to be paid, by invoice. An invoice that is not in the ledger is missing. */
export async function readOpenAmounts(
  { tx, organizationId }: Pick<LedgerScope, 'tx' | 'organizationId'>,
  invoiceIds: readonly string[],
): Promise<Map<string, Usd>> {
  const rows = await tx.$queryRaw<{ invoice_id: string; open: string }[]>`
    SELECT t.invoice_id, sum(p.amount_usd)::text AS open
    FROM ledger_transaction t JOIN ledger_posting p ON p.transaction_id = t.id
    WHERE t.organization_id = ${organizationId} AND t.invoice_id = ANY(${[...invoiceIds]}::uuid[]) AND p.account = 'receivable'
    GROUP BY t.invoice_id`;
  return new Map(rows.map((row) => [row.invoice_id, usd(row.open)]));
}
