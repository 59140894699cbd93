// The deleted organizations that a user owned and can still restore.
import type { Transaction } from '@penstock/database/client';
import type { DeletedOrganization } from './delete-organization.ts';
import { restoreUntil } from './deletion.ts';

export async function listDeletedOrganizations(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<DeletedOrganization[]> {
  const rows = await tx.organization.findMany({
    where: {
      deletedAt: { not: null },
      purgedAt: null,
      members: { some: { userId, role: 'owner' } },
    },
    orderBy: { deletedAt: 'desc' },
    select: { id: true, name: true, deletedAt: true },
  });
  return rows.flatMap(({ id, name, deletedAt }) =>
    deletedAt === null || restoreUntil(deletedAt) <= now
      ? []
      : [{ organizationId: id, name, deletedAt, restorableUntil: restoreUntil(deletedAt) }],
  );
}
