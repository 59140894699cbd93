// Failed payments of open invoices, recorded from the first failure on, and counted while the invoice is open.
import type { Scope } from '@penstock/tenancy';
import { refreshStanding } from './standing.ts';

type TenantScope = Pick<Scope, 'tx' | 'organizationId' | 'now'>;

/**
 * The first failure sets day 0 of the dunning; later ones only update the reason. Does nothing for a settled invoice.
 */
export async function noteFailedPayment(
  scope: TenantScope,
  failure: { invoiceId: string; reason: string | undefined; since?: Date; isNewAttempt?: boolean },
): Promise<void> {
  const { tx, organizationId, now } = scope;
  const { invoiceId, reason, since = now, isNewAttempt = false } = failure;
  const tried = isNewAttempt ? 1 : 0;
  const isOpen = await tx.invoice.count({ where: { id: invoiceId, organizationId, status: 'open', kind: 'invoice' } });
  if (isOpen === 0) {
    return;
  }
  await tx.$executeRaw`
    INSERT INTO payment_failure (invoice_id, organization_id, failing_since, attempts, reason)
    VALUES (${invoiceId}::uuid, ${organizationId}, ${since}, ${tried}, ${reason ?? null})
    ON CONFLICT (invoice_id) DO UPDATE SET
      attempts = payment_failure.attempts + ${tried}, reason = coalesce(${reason ?? null}, payment_failure.reason)`;
  await refreshStanding(scope);
}
