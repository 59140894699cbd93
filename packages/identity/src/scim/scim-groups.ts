// The groups that an organization's provider provisions. The role mapping of single sign-on gives them their meaning.
import type { Prisma } from '@penstock/database/client';
import { AppError, isUuid, newId } from '@penstock/platform';
import { type OrganizationScope, recordAudit, type Scope } from '@penstock/tenancy';
import { lockMembers } from '../member/member.ts';
import { groupNotFound, limitReached } from './scim-refusals.ts';
import { getScimUser } from './scim-user.ts';
import { settleMemberships } from './settle-memberships.ts';

export interface ScimGroup {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
  members: { id: string; userName: string }[];
}

/** The attributes that a provider may set. */
export interface ScimGroupFacts {
  displayName: string;
  externalId: string | null;
  /** The user ids of members. */
  memberIds: readonly string[];
}

/** Equality only. All given ones must hold. */
export interface ScimGroupFilter {
  id?: string;
  displayName?: string;
  externalId?: string;
  memberId?: string;
}

const MAX_GROUPS = 1_000;
const MAX_GROUP_MEMBERS = 5_000;
/** In all groups together, which a provider may list at once. */
const MAX_MEMBERSHIPS = 50_000;

const columns = {
  id: true,
  displayName: true,
  externalId: true,
  createdAt: true,
  updatedAt: true,
  members: { orderBy: { userId: 'asc' }, select: { user: { select: { userId: true, userName: true } } } },
} as const satisfies Prisma.ScimGroupSelect;

type Row = Prisma.ScimGroupGetPayload<{ select: typeof columns }>;

const toGroup = ({ members, ...row }: Row): ScimGroup => ({
  ...row,
  members: members.map(({ user }) => ({ id: user.userId, userName: user.userName })),
});

/** @param page from its first item, counted from 0 */
export async function listScimGroups(
  { tx, organizationId }: OrganizationScope,
  { id, displayName, externalId, memberId }: ScimGroupFilter,
  page: { offset: number; limit: number },
): Promise<{ total: number; groups: ScimGroup[] }> {
  if (id !== undefined && !isUuid(id)) {
    return { total: 0, groups: [] };
  }
  const where: Prisma.ScimGroupWhereInput = {
    organizationId,
    ...(id === undefined ? {} : { id }),
    // Display names don't distinguish case in SCIM.
    ...(displayName === undefined ? {} : { displayName: { equals: escapeLike(displayName), mode: 'insensitive' } }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(memberId === undefined ? {} : { members: { some: { userId: memberId } } }),
  };
  const total = await tx.scimGroup.count({ where });
  const rows = await tx.scimGroup.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    skip: page.offset,
    take: page.limit,
    select: columns,
  });
  return { total, groups: rows.map(toGroup) };
}

/** Prisma compares without case by ILIKE, and doesn't escape its wildcards. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`);

/** @throws AppError `scim_group_not_found` */
export async function getScimGroup({ tx, organizationId }: OrganizationScope, id: string): Promise<ScimGroup> {
  const row = isUuid(id) ? await tx.scimGroup.findFirst({ where: { id, organizationId }, select: columns }) : null;
  if (row === null) {
    throw groupNotFound();
  }
  return toGroup(row);
}

/** @throws AppError `scim_group_exists`, `scim_member_unknown`, `scim_limit`, and what `settleMemberships` throws */
export async function createScimGroup(scope: Scope, facts: ScimGroupFacts): Promise<ScimGroup> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  if ((await tx.scimGroup.count({ where: { organizationId } })) >= MAX_GROUPS) {
    throw limitReached(`An organization can have at most ${MAX_GROUPS} provisioned groups.`);
  }
  await requireUnusedName(scope, facts.displayName, null);
  const id = newId(now.getTime());
  const { displayName, externalId } = facts;
  await tx.scimGroup.create({ data: { id, organizationId, displayName, externalId, createdAt: now, updatedAt: now } });
  const added = await addMembers(scope, id, [], facts.memberIds);
  await recordAudit(scope, {
    action: 'scim-group.create',
    targetType: 'scim-group',
    targetId: id,
    after: { displayName, externalId, added },
  });
  await settleMemberships(scope, added);
  return getScimGroup(scope, id);
}

/**
 * @param change the current group to what it becomes
 * @throws AppError `scim_group_not_found`, `scim_group_exists`, `scim_member_unknown`, `scim_limit`, and what
 *   `settleMemberships` throws
 */
export async function updateScimGroup(
  scope: Scope,
  id: string,
  change: (current: ScimGroup) => ScimGroupFacts,
): Promise<ScimGroup> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const before = await getScimGroup(scope, id);
  const { displayName, externalId, memberIds } = change(before);
  await requireUnusedName(scope, displayName, id);
  const current = before.members.map((member) => member.id);
  const wanted = new Set(memberIds);
  const removed = current.filter((member) => !wanted.has(member));
  const added = await addMembers(scope, id, current, memberIds);
  await tx.scimGroupMember.deleteMany({ where: { groupId: id, organizationId, userId: { in: removed } } });
  const isRenamed = displayName !== before.displayName || externalId !== before.externalId;
  if (!isRenamed && added.length === 0 && removed.length === 0) {
    return before;
  }
  await tx.scimGroup.update({ where: { id, organizationId }, data: { displayName, externalId, updatedAt: now } });
  await recordAudit(scope, {
    action: 'scim-group.update',
    targetType: 'scim-group',
    targetId: id,
    before: { displayName: before.displayName, externalId: before.externalId },
    after: { displayName, externalId, added, removed },
  });
  // A new name can mean another role for everyone in the group.
  await settleMemberships(scope, isRenamed ? [...current, ...added] : [...added, ...removed]);
  return getScimGroup(scope, id);
}

/** @throws AppError `scim_group_not_found`, and what `settleMemberships` throws */
export async function deleteScimGroup(scope: Scope, id: string): Promise<void> {
  const { tx, organizationId } = scope;
  await lockMembers(scope);
  const { displayName, externalId, members } = await getScimGroup(scope, id);
  const removed = members.map((member) => member.id);
  await tx.scimGroup.delete({ where: { id, organizationId } });
  await recordAudit(scope, {
    action: 'scim-group.delete',
    targetType: 'scim-group',
    targetId: id,
    before: { displayName, externalId, removed },
  });
  await settleMemberships(scope, removed);
}

async function requireUnusedName({ tx, organizationId }: Scope, displayName: string, id: string | null): Promise<void> {
  const row = await tx.scimGroup.findFirst({ where: { organizationId, displayName }, select: { id: true } });
  if (row !== null && row.id !== id) {
    throw new AppError({
      kind: 'conflict',
      code: 'scim_group_exists',
      message: `There is already a group named ${displayName}.`,
    });
  }
}

/** @returns the ids of those who were not in the group. @throws AppError `scim_member_unknown`, `scim_limit` */
async function addMembers(
  scope: Scope,
  groupId: string,
  current: readonly string[],
  memberIds: readonly string[],
): Promise<string[]> {
  const { tx, organizationId } = scope;
  const known = new Set(current);
  const added = [...new Set(memberIds)].filter((id) => !known.has(id));
  if (new Set(memberIds).size > MAX_GROUP_MEMBERS) {
    throw limitReached(`A group can have at most ${MAX_GROUP_MEMBERS} members.`);
  }
  if ((await tx.scimGroupMember.count({ where: { organizationId } })) + added.length > MAX_MEMBERSHIPS) {
    throw limitReached(`The groups of an organization can have at most ${MAX_MEMBERSHIPS} members together.`);
  }
  const rows = await tx.scimUser.findMany({
    where: { organizationId, userId: { in: added }, deletedAt: null },
    select: { userId: true },
  });
  const provisioned = new Set(rows.map(({ userId }) => userId));
  for (const id of added) {
    if (!provisioned.has(id)) {
      await adopt(scope, id);
    }
  }
  await tx.scimGroupMember.createMany({ data: added.map((userId) => ({ groupId, userId, organizationId })) });
  return added;
}

/** A member whom the provider found, and puts into a group before it changes anything else. */
async function adopt(scope: Scope, id: string): Promise<void> {
  const { tx, organizationId, now } = scope;
  const found = await getScimUser(scope, id).catch((error: unknown) => {
    if (!(error instanceof AppError)) {
      throw error;
    }
    throw new AppError({
      kind: 'invalid-input',
      code: 'scim_member_unknown',
      message: `There is no user with the id ${id.slice(0, 64)}.`,
      cause: error,
    });
  });
  const { id: userId, groups: _groups, updatedAt: _updatedAt, ...facts } = found;
  const data = { ...facts, deletedAt: null, updatedAt: now };
  await tx.scimUser.upsert({
    where: { organizationId_userId: { organizationId, userId } },
    create: { organizationId, userId, ...data },
    update: data,
  });
}
