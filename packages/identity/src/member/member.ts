// What the membership use-cases share: the lock for counting owners, and the rules about who may change whom.
import { AppError, notFound } from '@penstock/platform';
import {
  type ClusterRoleEntry,
  listClusterRoles,
  parseClusterRoles,
  parseRole,
  type Role,
  rolesWithinReach,
  type Scope,
} from '@penstock/tenancy';
import { revokeKeysOfMaker } from '../api-key/revoke-keys-of-maker.ts';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** Roles for single clusters, by cluster id. */
  clusterRoles: ClusterRoleEntry[];
}

/**
 * Locks the organization's row to serialize membership changes, so that two owners who leave at the same time cannot
 * leave it without an owner.
 */
export async function lockMembers(scope: Scope): Promise<void> {
  await scope.tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${scope.organizationId} FOR UPDATE`;
}

/** @throws AppError `member_not_found` */
export async function findMember(scope: Scope, userId: string): Promise<Member> {
  const member = await scope.tx.member.findUnique({
    where: { organizationId_userId: { organizationId: scope.organizationId, userId } },
    select: { role: true, clusterRoles: true, user: { select: { email: true } } },
  });
  if (member === null) {
    throw notFound('member');
  }
  const clusterRoles = listClusterRoles(parseClusterRoles(member.clusterRoles));
  return { userId, email: member.user.email, role: parseRole(member.role), clusterRoles };
}

/** The acting member, read within this transaction, so that a role revoked meanwhile no longer counts. */
export async function findActingMember(scope: Scope): Promise<Member> {
  if (scope.actor.id === null) {
    throw new Error('Only members can change members.');
  }
  if (scope.actor.type === 'api-key') {
    return findActingKey(scope, scope.actor.id);
  }
  return findMember(scope, scope.actor.id);
}

/** A key acts with its role. It is not a member, so rules about changing oneself do not apply to it. */
async function findActingKey({ tx, organizationId, actor, now }: Scope, apiKeyId: string): Promise<Member> {
  const key = await tx.apiKey.findFirst({
    where: { id: apiKeyId, organizationId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { role: true, clusterRoles: true },
  });
  if (key === null) {
    throw notFound('api key');
  }
  const clusterRoles = listClusterRoles(parseClusterRoles(key.clusterRoles));
  return { userId: apiKeyId, email: actor.label, role: parseRole(key.role), clusterRoles };
}

/** @throws AppError `role_out_of_reach` unless the acting member may assign and remove the role */
export function requireReach(acting: Member, role: Role): void {
  if (rolesWithinReach(acting.role).includes(role)) {
    return;
  }
  throw new AppError({
    kind: 'forbidden',
    code: 'role_out_of_reach',
    message:
      role === 'owner'
        ? 'Only an owner can add, change or remove an owner.'
        : `Your role (${acting.role}) doesn’t allow you to manage members.`,
    remedy: 'Contact an owner of the organization.',
    field: 'role',
  });
}

/** @throws AppError `last_owner` if the organization has no other owner */
export async function requireAnotherOwner(scope: Scope, leaving: Member): Promise<void> {
  const others = await scope.tx.member.count({
    where: { organizationId: scope.organizationId, role: 'owner', userId: { not: leaving.userId } },
  });
  if (others > 0) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'last_owner',
    message: `${leaving.email} is the only owner. An organization must have at least one.`,
    remedy: 'Transfer ownership or make another member an owner first.',
  });
}

/** Revokes open invitations that the member, with their current role, could no longer send. */
export async function revokeInvitationsBeyondReach(scope: Scope, userId: string, role: Role | null): Promise<void> {
  const reach = role === null ? [] : rolesWithinReach(role);
  await scope.tx.invitation.updateMany({
    where: {
      organizationId: scope.organizationId,
      inviterId: userId,
      status: 'pending',
      role: { notIn: [...reach] },
    },
    data: { status: 'revoked', closedAt: scope.now, tokenHash: null },
  });
}

/** Ends a membership and everything that depends on it. The table's trigger ends the member's streams. */
export async function deleteMembership(scope: Scope, userId: string): Promise<void> {
  // Must come first: the tenant role sees no users other than members.
  await scope.tx.session.updateMany({
    where: { userId, activeOrganizationId: scope.organizationId },
    data: { activeOrganizationId: null },
  });
  await revokeInvitationsBeyondReach(scope, userId, null);
  await revokeKeysOfMaker(scope, userId);
  await scope.tx.member.delete({
    where: { organizationId_userId: { organizationId: scope.organizationId, userId } },
  });
}
