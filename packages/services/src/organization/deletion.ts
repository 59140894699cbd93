// What deleting, restoring and purging an organization share.
import { smallestCharge_cents, toCents } from '@penstock/billing/stripe';
import type { Scope } from '../access/scope.ts';
import { restoreWindow_ms } from '../cluster/cluster.ts';
import { readOpenAmounts } from '../credit/book.ts';

/** Until when an organization that was deleted at a time can be restored: as long as its clusters. */
export function restoreUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restoreWindow_ms);
}

/** What stands in the place of the name once the organization is purged. */
export const purgedName = 'Deleted organization';

/** Whom to write to about it. */
export async function ownerAddresses({ tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>): Promise<string[]> {
  const owners = await tx.member.findMany({
    where: { organizationId, role: 'owner' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  return owners.map(({ user }) => user.email);
}

/** Numbers of the invoices that wait for money. Less than a card can be charged with is not chased, hence in nobody's way either. */
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
    return openUsd !== undefined && toCents(openUsd.toFixed(2)) >= smallestCharge_cents ? [number] : [];
  });
}
