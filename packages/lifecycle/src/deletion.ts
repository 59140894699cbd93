// What deleting, restoring and purging an organization share.
import { readOpenAmounts } from '@penstock/billing';
import { SMALLEST_CHARGE_CENTS, toCents } from '@penstock/billing/stripe';
import { RESTORE_WINDOW_MS } from '@penstock/clusters';
import type { Scope } from '@penstock/tenancy';

/** When the restore window of a deleted organization ends. It is as long as that of its clusters. */
export function restoreUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + RESTORE_WINDOW_MS);
}

/** Replaces the name of a purged organization. */
export const PURGED_NAME = 'Deleted organization';

/**
 * Numbers of the unpaid invoices. Amounts below the minimum card charge are not collected, so they do not block
 * anything.
 */
export async function owedInvoices(scope: Pick<Scope, 'tx' | 'organizationId'>): Promise<string[]> {
  const rows = await scope.tx.invoice.findMany({
    where: { organizationId: scope.organizationId, kind: 'invoice', status: 'open' },
    orderBy: { id: 'asc' },
    select: { id: true, number: true },
  });
  const open = await readOpenAmounts(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, number }) => {
    const openUsd = open.get(id);
    return openUsd !== undefined && toCents(openUsd.toFixed(2)) >= SMALLEST_CHARGE_CENTS ? [number] : [];
  });
}
