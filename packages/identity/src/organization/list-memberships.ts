// The organizations that a user's session opens, oldest membership first. Excludes deleted ones.
import type { Transaction } from '@penstock/database/client';
import { type Grant, parseClusterRoles, parseRole } from '@penstock/tenancy';

export interface Membership extends Grant {
  organizationId: string;
  organizationName: string;
}

/** Organizations that a user is a member of, but that the session does not open. */
export interface ClosedMemberships {
  /** They require single sign-on. */
  behindSso: Membership[];
  /** They require two-factor sign-in, which the user has not set up. */
  behindTwoFactor: Membership[];
}

/**
 * @param ssoOrganizationId the organization whose identity provider authenticated the session, which then opens only
 * that one: an administrator of the provider could sign in as anybody. The provider answers for its own second factor.
 * Null for other sessions, which open the organizations whose demands the account meets.
 */
export async function listMemberships(
  tx: Transaction,
  userId: string,
  ssoOrganizationId: string | null = null,
): Promise<Membership[]> {
  const rows = await readMemberships(tx, userId);
  return rows
    .filter((row) =>
      ssoOrganizationId === null ? !row.needs_sso && !row.needs_two_factor : row.organization_id === ssoOrganizationId,
    )
    .map(toMembership);
}

/** For sessions that no identity provider opened. */
export async function listClosedMemberships(tx: Transaction, userId: string): Promise<ClosedMemberships> {
  const rows = await readMemberships(tx, userId);
  return {
    behindSso: rows.filter((row) => row.needs_sso).map(toMembership),
    behindTwoFactor: rows.filter((row) => !row.needs_sso && row.needs_two_factor).map(toMembership),
  };
}

interface Row {
  organization_id: string;
  name: string;
  role: string;
  cluster_roles: unknown;
  needs_sso: boolean;
  needs_two_factor: boolean;
}

/**
 * One statement, since it runs before every request. Owners with a second factor may use every sign-in method, so that
 * a failure of the provider locks nobody out.
 */
function readMemberships(tx: Transaction, userId: string): Promise<Row[]> {
  return tx.$queryRaw<Row[]>`
    SELECT o.id AS organization_id, o.name, m.role, m.cluster_roles,
      coalesce(c.is_required, false) AND NOT (m.role = 'owner' AND u.two_factor_enabled) AND EXISTS (
        SELECT FROM sso_domain d WHERE d.organization_id = o.id AND d.verified_at IS NOT NULL
          AND d.domain = substring(lower(u.email) FROM '@([^@]+)$')) AS needs_sso,
      o.requires_two_factor AND NOT u.two_factor_enabled AS needs_two_factor
    FROM member m JOIN organization o ON o.id = m.organization_id JOIN "user" u ON u.id = m.user_id
    LEFT JOIN sso_connection c ON c.organization_id = o.id
    WHERE m.user_id = ${userId} AND o.deleted_at IS NULL ORDER BY m.created_at, m.id`;
}

function toMembership(row: Row): Membership {
  return {
    organizationId: row.organization_id,
    organizationName: row.name,
    role: parseRole(row.role),
    clusterRoles: parseClusterRoles(row.cluster_roles),
  };
}
