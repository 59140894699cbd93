// Checks whether a user still has access. Streams call it again, because they outlive the check at their start.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { isAllowed, type Permission, type Role } from '@penstock/tenancy';
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

/** @throws AppError `role_insufficient` */
export function requirePermission(member: { role: Role; organizationName: string }, permission: Permission): void {
  if (isAllowed(member.role, permission)) {
    return;
  }
  throw new AppError({
    kind: 'forbidden',
    code: 'role_insufficient',
    message: `Your role in ${member.organizationName} (${member.role}) doesn’t allow this.`,
    remedy: 'Contact an owner or admin of the organization.',
  });
}

/** @throws AppError `signed_out`, `membership_ended`, `role_insufficient` */
export async function requireAccess(
  database: Database,
  input: { sessionId: string; userId: string; organizationId: string; permission: Permission },
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
  requirePermission(member, input.permission);
}
