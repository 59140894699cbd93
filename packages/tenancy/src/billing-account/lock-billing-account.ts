// Locks an organization's billing account row, so that ledger entries, spend limits and billing changes run one at a
// time.
import type { Transaction } from '@penstock/database/client';
import type { Scope } from '../access/scope.ts';

export type BillingAccountRow = Awaited<ReturnType<Transaction['billingAccount']['findUniqueOrThrow']>>;

/**
 * Reads the account and locks its row until the transaction ends. Creates it for organizations that are older than
 * billing.
 */
export async function lockBillingAccount(
  scope: Pick<Scope, 'tx' | 'organizationId' | 'now'>,
): Promise<BillingAccountRow> {
  const { tx, organizationId, now } = scope;
  await tx.$executeRaw`
    INSERT INTO billing_account (organization_id, created_at, updated_at) VALUES (${organizationId}, ${now}, ${now})
    ON CONFLICT (organization_id) DO NOTHING`;
  await tx.$queryRaw`SELECT 1 FROM billing_account WHERE organization_id = ${organizationId} FOR UPDATE`;
  return tx.billingAccount.findUniqueOrThrow({ where: { organizationId } });
}
