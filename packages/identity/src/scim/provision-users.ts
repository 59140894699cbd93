// Creates, changes and deletes users as an organization's provider asks.
import { AppError, newId } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { lockMembers } from '../member/member.ts';
import { isBarred } from '../member/removed-member.ts';
import { domainOf } from '../sso/sso-domains.ts';
import { limitReached, removedByPerson, userExists } from './scim-refusals.ts';
import { getScimUser, type ScimUser } from './scim-user.ts';
import { settleMemberships } from './settle-memberships.ts';

/** The attributes that a provider may set. */
export interface ScimUserFacts {
  userName: string;
  /** Addresses, the preferred one first. The user name counts too, if it is an address. */
  addresses: readonly string[];
  externalId: string | null;
  displayName: string | null;
  formattedName: string | null;
  givenName: string | null;
  familyName: string | null;
  isActive: boolean;
}

/** Far above what an organization has, and low enough for a list of all of them. */
const MAX_USERS = 10_000;

function nameOf(facts: ScimUserFacts, address: string): string {
  const parts = [facts.givenName, facts.familyName].filter((part) => part !== null).join(' ');
  return facts.displayName ?? facts.formattedName ?? (parts === '' ? address : parts);
}

/** One `@`, and no white space or control characters, which could pass for another address. */
const isAddress = (text: string): boolean => text.length <= 320 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text);

/** @throws AppError `scim_domain_foreign` unless an address is in a verified domain of the organization */
async function requireOwnAddress({ tx, organizationId }: Scope, facts: ScimUserFacts): Promise<string> {
  const candidates = [...facts.addresses, facts.userName].map((text) => text.trim().toLowerCase()).filter(isAddress);
  const rows = await tx.ssoDomain.findMany({
    where: { organizationId, verifiedAt: { not: null } },
    select: { domain: true },
  });
  const domains = new Set(rows.map(({ domain }) => domain));
  const address = candidates.find((candidate) => domains.has(domainOf(candidate) ?? ''));
  if (address === undefined) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'scim_domain_foreign',
      message: 'Neither the user name nor an email address is in one of the organization’s verified domains.',
    });
  }
  return address;
}

/** @throws AppError `scim_user_exists` if somebody else of the organization has the user name or address */
async function requireUnused(
  { tx, organizationId }: Scope,
  { userName, address, userId }: { userName: string; address: string; userId: string | null },
): Promise<void> {
  const rows = await tx.$queryRaw<{ user_id: string }[]>`
    SELECT user_id FROM scim_user WHERE organization_id = ${organizationId} AND deleted_at IS NULL
      AND (lower(user_name) = lower(${userName}) OR address = ${address})
    UNION ALL
    SELECT m.user_id FROM member m JOIN "user" u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND lower(u.email) IN (${address}, lower(${userName}))`;
  if (rows.some((row) => row.user_id !== userId)) {
    throw userExists(userName);
  }
}

/** The account that the address belongs to: the one that was provisioned with it before, else the one that has it. */
async function findOrMakeAccount(scope: Scope, facts: ScimUserFacts, address: string): Promise<string> {
  const { tx, organizationId, now } = scope;
  const deleted = await tx.scimUser.findFirst({
    where: { organizationId, address, deletedAt: { not: null } },
    orderBy: { deletedAt: 'desc' },
    select: { userId: true },
  });
  if (deleted !== null) {
    return deleted.userId;
  }
  const existing = await tx.user.findUnique({ where: { email: address }, select: { id: true } });
  if (existing !== null) {
    return existing.id;
  }
  const name = nameOf(facts, address);
  const id = newId(now.getTime());
  await tx.user.create({ data: { id, name, email: address, emailVerified: true, createdAt: now, updatedAt: now } });
  return id;
}

/** @throws AppError `scim_user_removed` if a person of the organization removed them */
async function requireNotRemoved(scope: Scope, userId: string): Promise<void> {
  const { email } = await scope.tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (await isBarred(scope, { userId, email }, scope.now)) {
    throw removedByPerson();
  }
}

function columnsOf({ addresses: _addresses, ...facts }: ScimUserFacts, address: string) {
  return { ...facts, address };
}

/**
 * @throws AppError `scim_domain_foreign`, `scim_user_exists`, `scim_user_removed`, `scim_limit`,
 *   `organization_limit`
 */
export async function createScimUser(scope: Scope, facts: ScimUserFacts): Promise<ScimUser> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const address = await requireOwnAddress(scope, facts);
  await requireUnused(scope, { userName: facts.userName, address, userId: null });
  if ((await tx.scimUser.count({ where: { organizationId } })) >= MAX_USERS) {
    throw limitReached(`An organization can have at most ${MAX_USERS} provisioned users.`);
  }
  const userId = await findOrMakeAccount(scope, facts, address);
  if (facts.isActive) {
    await requireNotRemoved(scope, userId);
  }
  const data = { ...columnsOf(facts, address), deletedAt: null, createdAt: now, updatedAt: now };
  await tx.scimUser.upsert({
    where: { organizationId_userId: { organizationId, userId } },
    create: { organizationId, userId, ...data },
    update: data,
  });
  await recordAudit(scope, {
    action: 'scim-user.create',
    targetType: 'scim-user',
    targetId: userId,
    after: columnsOf(facts, address),
  });
  await settleMemberships(scope, [userId]);
  return getScimUser(scope, userId);
}

/**
 * Replaces what the provider may set, also of a member whom it hasn't provisioned before. The account keeps its email
 * address, which may open other organizations.
 * @param change the current facts to the new ones
 * @throws AppError `scim_user_not_found`, `last_owner`, and what `createScimUser` throws
 */
export async function updateScimUser(
  scope: Scope,
  id: string,
  change: (current: ScimUser) => ScimUserFacts,
): Promise<ScimUser> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const before = await getScimUser(scope, id);
  const facts = change(before);
  const after = { ...columnsOf(facts, await addressAfter(scope, before, facts)) };
  await requireUnused(scope, { userName: after.userName, address: after.address, userId: id });
  if (after.isActive) {
    await requireNotRemoved(scope, id);
  }
  const data = { ...after, deletedAt: null, updatedAt: now };
  await tx.scimUser.upsert({
    where: { organizationId_userId: { organizationId, userId: id } },
    create: { organizationId, userId: id, ...data, createdAt: before.createdAt },
    update: data,
  });
  const { id: _id, groups: _groups, createdAt: _createdAt, updatedAt: _updatedAt, ...stored } = before;
  if (JSON.stringify(sorted(stored)) !== JSON.stringify(sorted(after))) {
    await recordAudit(scope, {
      action: 'scim-user.update',
      targetType: 'scim-user',
      targetId: id,
      before: stored,
      after,
    });
  }
  await settleMemberships(scope, [id]);
  return getScimUser(scope, id);
}

const sorted = (facts: object) => Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));

/** Unchanged addresses are not checked: a domain that lost its verification must not keep a provider from deactivating. */
async function addressAfter(scope: Scope, before: ScimUser, facts: ScimUserFacts): Promise<string> {
  const isSame = facts.userName === before.userName && facts.addresses.every((address) => address === before.address);
  return isSame && !(facts.isActive && !before.isActive) ? before.address : requireOwnAddress(scope, facts);
}

/**
 * Ends the membership. The row stays, so that single sign-on doesn't let the person in again by itself.
 * @throws AppError `scim_user_not_found`, `last_owner`
 */
export async function deleteScimUser(scope: Scope, id: string): Promise<void> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const { groups: _groups, ...before } = await getScimUser(scope, id);
  const { id: userId, createdAt, updatedAt: _updatedAt, ...facts } = before;
  const data = { ...facts, isActive: false, deletedAt: now, updatedAt: now };
  await tx.scimUser.upsert({
    where: { organizationId_userId: { organizationId, userId } },
    create: { organizationId, userId, ...data, createdAt },
    update: data,
  });
  await tx.scimGroupMember.deleteMany({ where: { organizationId, userId } });
  await recordAudit(scope, {
    action: 'scim-user.delete',
    targetType: 'scim-user',
    targetId: userId,
    before: facts,
  });
  await settleMemberships(scope, [userId]);
}
