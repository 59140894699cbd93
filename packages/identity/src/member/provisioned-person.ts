// What an identity provider says about a person by SCIM, for sign-in and invitations: whether it deactivated them, and
// their groups.
import type { Transaction } from '@penstock/database/client';

interface Place {
  tx: Transaction;
  organizationId: string;
}

/** The person whom the provider provisioned with this address; null if there is none. Their account may have another one. */
export async function findProvisionedUser({ tx, organizationId }: Place, address: string): Promise<string | null> {
  const row = await tx.scimUser.findFirst({
    where: { organizationId, address, deletedAt: null },
    select: { userId: true },
  });
  return row?.userId ?? null;
}

/** Whether the provider deactivated or deleted the person. */
export async function isDeprovisioned({ tx, organizationId }: Place, userId: string): Promise<boolean> {
  const row = await tx.scimUser.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { isActive: true, deletedAt: true },
  });
  return row !== null && (!row.isActive || row.deletedAt !== null);
}

/** Once a person of the organization let them in again. */
export async function forgetDeprovisioning({ tx, organizationId }: Place, userId: string): Promise<void> {
  await tx.scimUser.deleteMany({ where: { organizationId, userId, deletedAt: { not: null } } });
  await tx.scimUser.updateMany({ where: { organizationId, userId, isActive: false }, data: { isActive: true } });
}

/**
 * The names that the role mapping may know a person’s groups by: display names and external ids.
 * @param mapped the groups of the mapping
 * @returns by user id; null if the provider provisions none of the mapped groups, so that it doesn’t decide roles this way
 */
export async function provisionedGroups(
  { tx, organizationId }: Place,
  userIds: readonly string[],
  mapped: readonly string[],
): Promise<ReadonlyMap<string, string[]> | null> {
  const isMapped = { OR: [{ displayName: { in: [...mapped] } }, { externalId: { in: [...mapped] } }] };
  const known = await tx.scimGroup.findFirst({ where: { organizationId, ...isMapped }, select: { id: true } });
  if (known === null) {
    return null;
  }
  const rows = await tx.scimGroupMember.findMany({
    where: { organizationId, userId: { in: [...userIds] }, group: isMapped },
    select: { userId: true, group: { select: { displayName: true, externalId: true } } },
  });
  const groups = new Map<string, string[]>(userIds.map((userId) => [userId, []]));
  for (const { userId, group } of rows) {
    groups.get(userId)?.push(group.displayName, ...(group.externalId === null ? [] : [group.externalId]));
  }
  return groups;
}
