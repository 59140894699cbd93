// The people whom an organization's provider may provision: those whom it has provisioned, and members with an address in
// a verified domain. Nobody else exists for it.
import { Prisma } from '@penstock/database/client';
import type { OrganizationScope } from '@penstock/tenancy';
import { userNotFound } from './scim-refusals.ts';

export interface ScimUser {
  id: string;
  userName: string;
  /** In lower case. The address of the account may be another one. */
  address: string;
  externalId: string | null;
  displayName: string | null;
  formattedName: string | null;
  givenName: string | null;
  familyName: string | null;
  /** False also for a person whom somebody removed in Penstock. */
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
  groups: { id: string; displayName: string }[];
}

/** Equality only. All given ones must hold. */
export interface ScimUserFilter {
  id?: string;
  userName?: string;
  externalId?: string;
  address?: string;
}

export interface PageOfUsers {
  total: number;
  users: ScimUser[];
}

interface Row {
  id: string;
  user_name: string;
  address: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

/** Without `"user"` rows of people who aren't members, which a tenant's transaction doesn't see. */
function visible(organizationId: string, filter: ScimUserFilter): Prisma.Sql {
  const equal: Prisma.Sql[] = [];
  if (filter.id !== undefined) {
    equal.push(Prisma.sql`id = ${filter.id}`);
  }
  if (filter.userName !== undefined) {
    equal.push(Prisma.sql`lower(user_name) = lower(${filter.userName})`);
  }
  if (filter.externalId !== undefined) {
    equal.push(Prisma.sql`external_id = ${filter.externalId}`);
  }
  if (filter.address !== undefined) {
    equal.push(Prisma.sql`address = lower(${filter.address})`);
  }
  const where = equal.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(equal, ' AND ')}`;
  return Prisma.sql`
    FROM (
      SELECT s.user_id AS id, s.user_name, s.address, s.external_id, s.display_name, s.formatted_name, s.given_name,
        s.family_name, s.is_active AND NOT EXISTS (
          SELECT FROM removed_member r WHERE r.organization_id = s.organization_id AND r.user_id = s.user_id) AS is_active,
        s.created_at, s.updated_at
      FROM scim_user s WHERE s.organization_id = ${organizationId} AND s.deleted_at IS NULL
      UNION ALL
      SELECT u.id, u.email, lower(u.email), NULL, u.name, NULL, NULL, NULL, true, m.created_at, m.created_at
      FROM member m JOIN "user" u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId}
        AND NOT EXISTS (
          SELECT FROM scim_user s
          WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id AND s.deleted_at IS NULL)
        AND EXISTS (
          SELECT FROM sso_domain d WHERE d.organization_id = m.organization_id AND d.verified_at IS NOT NULL
            AND d.domain = substring(lower(u.email) FROM '@([^@]+)$'))
    ) people ${where}`;
}

/** @param page from its first item, counted from 0 */
export async function listScimUsers(
  scope: OrganizationScope,
  filter: ScimUserFilter,
  page: { offset: number; limit: number },
): Promise<PageOfUsers> {
  const { tx, organizationId } = scope;
  const people = visible(organizationId, filter);
  const [counted] = await tx.$queryRaw<{ total: number }[]>(Prisma.sql`SELECT count(*)::int AS total ${people}`);
  const rows = await tx.$queryRaw<Row[]>(
    Prisma.sql`SELECT * ${people} ORDER BY created_at, id LIMIT ${page.limit} OFFSET ${page.offset}`,
  );
  const groups = await groupsOf(
    scope,
    rows.map(({ id }) => id),
  );
  return { total: counted?.total ?? 0, users: rows.map((row) => toUser(row, groups.get(row.id) ?? [])) };
}

/** @throws AppError `scim_user_not_found` */
export async function getScimUser(scope: OrganizationScope, id: string): Promise<ScimUser> {
  const { users } = await listScimUsers(scope, { id }, { offset: 0, limit: 1 });
  const [user] = users;
  if (user === undefined) {
    throw userNotFound();
  }
  return user;
}

async function groupsOf(
  { tx, organizationId }: OrganizationScope,
  userIds: readonly string[],
): Promise<Map<string, ScimUser['groups']>> {
  const rows = await tx.scimGroupMember.findMany({
    where: { organizationId, userId: { in: [...userIds] } },
    orderBy: { groupId: 'asc' },
    select: { userId: true, group: { select: { id: true, displayName: true } } },
  });
  const groups = new Map<string, ScimUser['groups']>();
  for (const { userId, group } of rows) {
    groups.set(userId, [...(groups.get(userId) ?? []), group]);
  }
  return groups;
}

function toUser(row: Row, groups: ScimUser['groups']): ScimUser {
  return {
    id: row.id,
    userName: row.user_name,
    address: row.address,
    externalId: row.external_id,
    displayName: row.display_name,
    formattedName: row.formatted_name,
    givenName: row.given_name,
    familyName: row.family_name,
    isActive: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    groups,
  };
}
