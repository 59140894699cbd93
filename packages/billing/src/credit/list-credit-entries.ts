// The credits that an organization received and used, newest first.
import { usd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import type { BookingKind } from '../ledger/booking.ts';
import type { CreditEntry } from './credit.ts';
import { readCreditBalance } from './record-booking.ts';

/** The remaining credits, in dollars with two decimals. */
export async function creditBalance(scope: Scope): Promise<string> {
  return (await readCreditBalance(scope)).toFixed(2);
}

/** All entries: one per grant, invoice, credit note and overpayment, so a few per month. */
export async function listCreditEntries(scope: Scope): Promise<CreditEntry[]> {
  const rows = await scope.tx.$queryRaw<
    { id: string; at: Date; kind: BookingKind; description: string; invoice_id: string | null; amount: string }[]
  >`
    SELECT t.id, t.at, t.kind, t.description, t.invoice_id, (-sum(p.amount_usd))::text AS amount
    FROM ledger_transaction t JOIN ledger_posting p ON p.transaction_id = t.id AND p.account = 'credit'
    WHERE t.organization_id = ${scope.organizationId}
    GROUP BY t.id ORDER BY t.id`;
  let balance = ZERO_USD;
  return rows
    .map((row): CreditEntry => {
      balance = balance.plus(usd(row.amount));
      return {
        id: row.id,
        at: row.at,
        kind: row.kind,
        description: row.description,
        amountUsd: usd(row.amount).toFixed(2),
        balanceUsd: balance.toFixed(2),
        invoiceId: row.invoice_id,
      };
    })
    .reverse();
}
