// An invitation: for one address, with one role, until it is used, revoked or expired.
import { createHash } from 'node:crypto';
import { AppError, randomBase62 } from '@penstock/platform';
import {
  type ClusterRoleEntry,
  type ClusterRoles,
  listClusterRoles,
  parseClusterRoles,
  parseRole,
  type Role,
} from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  /** Roles for single clusters, by cluster id. */
  clusterRoles: ClusterRoleEntry[];
  inviterEmail: string;
  createdAt: Date;
  expiresAt: Date;
}

/** How long an invitation can be accepted. */
export const INVITATION_LIFETIME_MS = 7 * DAY_MS;

/** 238 random bits, so a plain hash of it is safe to store. */
const TOKEN_LENGTH = 40;

export function newInvitationToken(): string {
  return randomBase62(TOKEN_LENGTH);
}

export function hashInvitationToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

export const invitationColumns = {
  id: true,
  email: true,
  role: true,
  clusterRoles: true,
  createdAt: true,
  expiresAt: true,
  inviter: { select: { email: true } },
} as const;

interface InvitationColumns {
  id: string;
  email: string;
  role: string | null;
  clusterRoles: unknown;
  createdAt: Date;
  expiresAt: Date;
  inviter: { email: string };
}

export function toInvitation(row: InvitationColumns): Invitation {
  const { id, email, createdAt, expiresAt, inviter } = row;
  const clusterRoles = listClusterRoles(parseClusterRoles(row.clusterRoles));
  return {
    id,
    email,
    role: parseRole(row.role ?? ''),
    clusterRoles,
    createdAt,
    expiresAt,
    inviterEmail: inviter.email,
  };
}

/**
 * Whether only the link in the mail can accept it. For a role above viewer, an account with the right address is not
 * enough: the link also proves that its holder reads the mail today.
 */
export function needsLink(invitation: { role: string | null; clusterRoles: unknown }): boolean {
  const isHarmless = (role: string) => role === 'viewer' || role === 'none';
  return ![
    parseRole(invitation.role ?? ''),
    ...listClusterRoles(parseClusterRoles(invitation.clusterRoles)).map(({ role }) => role),
  ].every(isHarmless);
}

/** One error for used, revoked, expired and invented tokens. */
export function invitationNotUsable(): AppError {
  return new AppError({
    kind: 'not-found',
    code: 'invitation_not_usable',
    message: 'This invitation has expired, was revoked or has already been used.',
    remedy: 'Ask the person who invited you to send a new one.',
  });
}

/** Roles for single clusters in the audit log; most invitations have none. */
export function recordedRoles(clusterRoles: ClusterRoles): { clusterRoles?: ClusterRoles } {
  return Object.keys(clusterRoles).length === 0 ? {} : { clusterRoles };
}
