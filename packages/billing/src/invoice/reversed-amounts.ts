// Refunds and disputes of an invoice, from the ledger.
import { type Usd, usd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';

export interface ReversedAmounts {
  /** Refunds, minus failed ones. */
  refundedUsd: Usd;
  /** Held back by banks, or taken permanently. */
  disputedUsd: Usd;
  /** Whether a part of that is lost permanently. */
  isDisputeLost: boolean;
}

export async function readReversedAmounts(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  invoiceId: string,
): Promise<ReversedAmounts> {
  // Each of these moves cash, except a loss, which moves what was already held back.
  const rows = await tx.$queryRaw<{ kind: string; cash: string; lost: string }[]>`
    SELECT t.kind, coalesce(sum(p.amount_usd) FILTER (WHERE p.account = 'cash'), 0)::text AS cash,
      coalesce(sum(p.amount_usd) FILTER (WHERE p.account = 'bad_debt'), 0)::text AS lost
    FROM ledger_transaction t JOIN ledger_posting p ON p.transaction_id = t.id
    WHERE t.organization_id = ${organizationId} AND t.invoice_id = ${invoiceId}::uuid
      AND t.kind IN ('refund', 'refund_failed', 'dispute', 'dispute_won', 'write_off')
    GROUP BY t.kind`;
  let [refundedUsd, disputedUsd, lostUsd] = [ZERO_USD, ZERO_USD, ZERO_USD];
  for (const { kind, cash, lost } of rows) {
    if (kind === 'refund' || kind === 'refund_failed') {
      refundedUsd = refundedUsd.minus(usd(cash));
    } else {
      disputedUsd = disputedUsd.minus(usd(cash));
    }
    lostUsd = lostUsd.plus(usd(lost));
  }
  return { refundedUsd, disputedUsd, isDisputeLost: !lostUsd.isZero() };
}
