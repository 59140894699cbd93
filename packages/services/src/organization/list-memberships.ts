// The organizations that a user belongs to, oldest membership first. Deleted ones open to nobody.
import type { Transaction } from '@penstock/database/client';
import { parseRole, type Role } from '../access/permissions.ts';

export interface Membership {
  organizationId: string;
  organizationName: string;
  role: Role;
}

export async function listMemberships(tx: Transaction, userId: string): Promise<Membership[]> {
  const members = await tx.member.findMany({
    where: { userId, organization: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { role: true, organization: { select: { id: true, name: true } } },
  });
  return members.map((member) => ({
    organizationId: member.organization.id,
    organizationName: member.organization.name,
    role: parseRole(member.role),
  }));
}
