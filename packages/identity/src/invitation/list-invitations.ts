// The open invitations of an organization, and those addressed to a user.
import type { Transaction } from '@penstock/database/client';
import { parseRole, type Role, type Scope, type Slice } from '@penstock/tenancy';
import { type Invitation, invitationColumns, needsLink, toInvitation } from './invitation.ts';

/** Oldest first: ids are in the order of creation. */
export async function listInvitations(scope: Scope, slice?: Slice<readonly [string]>): Promise<Invitation[]> {
  const [id] = slice?.after ?? [];
  const rows = await scope.tx.invitation.findMany({
    where: {
      organizationId: scope.organizationId,
      status: 'pending',
      expiresAt: { gt: scope.now },
      ...(id === undefined ? {} : { id: { gt: id } }),
    },
    orderBy: { id: 'asc' },
    ...(slice === undefined ? {} : { take: slice.limit }),
    select: invitationColumns,
  });
  return rows.map(toInvitation);
}

export interface ReceivedInvitation {
  id: string;
  organizationName: string;
  role: Role;
  inviterEmail: string;
  expiresAt: Date;
  /** Whether it is accepted by the link in the mail only. */
  needsLink: boolean;
}

/** Invitations addressed to a user. Their address was verified before their first session. */
export async function listReceivedInvitations(
  tx: Transaction,
  input: { userId: string; now: Date },
): Promise<ReceivedInvitation[]> {
  const user = await tx.user.findUniqueOrThrow({
    where: { id: input.userId },
    select: { email: true },
  });
  const rows = await tx.invitation.findMany({
    where: { email: user.email.toLowerCase(), status: 'pending', expiresAt: { gt: input.now } },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      role: true,
      clusterRoles: true,
      expiresAt: true,
      organization: { select: { name: true } },
      inviter: { select: { email: true } },
    },
  });
  return rows.map((row) => ({
    id: row.id,
    organizationName: row.organization.name,
    role: parseRole(row.role ?? ''),
    inviterEmail: row.inviter.email,
    expiresAt: row.expiresAt,
    needsLink: needsLink(row),
  }));
}
