// The organizations that a user's session opens, oldest membership first. Excludes deleted ones.
import type { Transaction } from '@penstock/database/client';
import { type Grant, parseClusterRoles, parseRole } from '@penstock/tenancy';

export interface Membership extends Grant {
  organizationId: string;
  organizationName: string;
}

/**
 * @param ssoOrganizationId the organization whose OpenID provider authenticated the session, which then opens only that
 * one: whoever runs the provider can claim to be anybody. Null for other sessions, which open the organizations that do
 * not require SSO.
 */
export async function listMemberships(
  tx: Transaction,
  userId: string,
  ssoOrganizationId: string | null = null,
): Promise<Membership[]> {
  const rows = await readMemberships(tx, userId);
  return rows
    .filter((row) => (ssoOrganizationId === null ? !row.needs_sso : row.organization_id === ssoOrganizationId))
    .map(toMembership);
}

/** Organizations that the user is a member of, but that require single sign-on. */
export async function listMembershipsBehindSso(tx: Transaction, userId: string): Promise<Membership[]> {
  return (await readMemberships(tx, userId)).filter((row) => row.needs_sso).map(toMembership);
}

interface Row {
  organization_id: string;
  name: string;
  role: string;
  cluster_roles: unknown;
  needs_sso: boolean;
}

/** One statement, since it runs before every request. Owners may use every sign-in method. */
function readMemberships(tx: Transaction, userId: string): Promise<Row[]> {
  return tx.$queryRaw<Row[]>`
    SELECT o.id AS organization_id, o.name, m.role, m.cluster_roles,
      coalesce(c.is_required, false) AND m.role <> 'owner' AND EXISTS (
        SELECT FROM sso_domain d WHERE d.organization_id = o.id AND d.verified_at IS NOT NULL
          AND d.domain = substring(lower(u.email) FROM '@([^@]+)$')) AS needs_sso
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
