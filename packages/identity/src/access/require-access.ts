// Checks whether a user still has access. Streams call it again, because they outlive the check at their start.
import type { Database } from '@penstock/database/client';
import { AppError, notFound } from '@penstock/platform';
import {
  clusterRoleOf,
  type Grant,
  isAllowed,
  isClusterPermission,
  isGranted,
  type Permission,
  type Role,
  seesCluster,
} from '@penstock/tenancy';
import { listMemberships } from '../organization/list-memberships.ts';

export function signedOut(): AppError {
  return new AppError({
    kind: 'unauthenticated',
    code: 'signed_out',
    message: 'You’re not signed in.',
    remedy: 'Sign in and try again.',
  });
}

export function membershipEnded(): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'membership_ended',
    message: 'You’re no longer a member of this organization.',
    remedy: 'Contact an owner or admin of the organization.',
  });
}

export function twoFactorRequired(organizationName: string): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'two_factor_required',
    message: `${organizationName} requires two-factor sign-in.`,
    remedy: 'Set it up on your account page.',
  });
}

/**
 * @param clusterId the cluster that the call is about; null for the organization as a whole
 * @throws AppError `role_insufficient`; `cluster_not_found` for a cluster that the member has no role for
 */
export function requirePermission(
  member: Grant & { organizationName: string },
  permission: Permission,
  clusterId: string | null,
): void {
  if (isGranted(member, permission, clusterId)) {
    return;
  }
  if (clusterId !== null && isClusterPermission(permission) && !seesCluster(member, clusterId)) {
    throw notFound('cluster');
  }
  throw roleInsufficient(member, (clusterId === null ? null : clusterRoleOf(member, clusterId)) ?? member.role);
}

/**
 * For a call about something that no cluster has: refused like one about a cluster that the member has no role for, so
 * that the answer does not tell what exists.
 * @throws AppError `role_insufficient`, `cluster_not_found`
 */
export function requirePermissionForAll(member: Grant & { organizationName: string }, permission: Permission): void {
  if (isAllowed(member.role, permission)) {
    return;
  }
  if (isClusterPermission(permission) && !isAllowed(member.role, 'cluster:read')) {
    throw notFound('cluster');
  }
  throw roleInsufficient(member, member.role);
}

function roleInsufficient(member: { organizationName: string }, role: Role): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'role_insufficient',
    message: `Your role in ${member.organizationName} (${role}) doesn’t allow this.`,
    remedy: 'Contact an owner or admin of the organization.',
  });
}

/** @throws AppError `signed_out`, `membership_ended`, `role_insufficient` */
export async function requireAccess(
  database: Database,
  input: {
    sessionId: string;
    userId: string;
    organizationId: string;
    permission: Permission;
    clusterId?: string | null;
  },
  now: Date,
): Promise<void> {
  const session = await database.session.findFirst({
    where: { id: input.sessionId, userId: input.userId, expiresAt: { gt: now } },
    select: { ssoOrganizationId: true },
  });
  if (session === null) {
    throw signedOut();
  }
  const memberships = await listMemberships(database, input.userId, session.ssoOrganizationId);
  const member = memberships.find(({ organizationId }) => organizationId === input.organizationId);
  if (member === undefined) {
    throw membershipEnded();
  }
  requirePermission(member, input.permission, input.clusterId ?? null);
}
