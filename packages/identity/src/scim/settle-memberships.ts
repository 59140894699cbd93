// Makes memberships follow what the provider says: who is active, and in which groups.
import { AppError, newId } from '@penstock/platform';
import { parseRole, type Role, recordAudit, type Scope } from '@penstock/tenancy';
import { setMemberRole } from '../member/change-member-role.ts';
import { deleteMembership, requireAnotherOwner } from '../member/member.ts';
import { provisionedGroups } from '../member/provisioned-person.ts';
import { forgetRemoval, isBarred } from '../member/removed-member.ts';
import { requireRoomForMembership } from '../organization/membership-limit.ts';
import { changedRole, type GrantedRole, parseGroupRoles, type RoleRules, roleByGroups } from '../sso/group-roles.ts';
import { parseProvisionedRole } from '../sso/provisioned-roles.ts';

/** Without a connection, groups decide nothing. */
async function readRules({ tx, organizationId }: Scope): Promise<RoleRules> {
  const row = await tx.ssoConnection.findUnique({
    where: { organizationId },
    select: { defaultRole: true, groupRoles: true, isGroupRequired: true },
  });
  return row === null
    ? { defaultRole: 'viewer', groupRoles: [], isGroupRequired: false }
    : {
        defaultRole: parseProvisionedRole(row.defaultRole),
        groupRoles: parseGroupRoles(row.groupRoles),
        isGroupRequired: row.isGroupRequired,
      };
}

/** Null if the person is in none of the groups that may open the organization. */
function roleOf(rules: RoleRules, groups: readonly string[]): GrantedRole | null {
  try {
    return roleByGroups(rules, groups);
  } catch (error) {
    if (error instanceof AppError && error.code === 'sso_group_missing') {
      return null;
    }
    throw error;
  }
}

/**
 * Adds, changes and ends the memberships of these people. The caller holds the organization's lock. A person whom somebody
 * removed stays out.
 * @throws AppError `last_owner`, `organization_limit`
 */
export async function settleMemberships(scope: Scope, userIds: readonly string[]): Promise<void> {
  const { tx, organizationId } = scope;
  const rules = await readRules(scope);
  const groups = await provisionedGroups(
    scope,
    userIds,
    rules.groupRoles.map(({ group }) => group),
  );
  const rows = await tx.scimUser.findMany({
    where: { organizationId, userId: { in: [...userIds] } },
    orderBy: { userId: 'asc' },
    select: { userId: true, address: true, isActive: true, deletedAt: true, user: { select: { email: true } } },
  });
  const members = await tx.member.findMany({
    where: { organizationId, userId: { in: [...userIds] } },
    select: { userId: true, role: true },
  });
  const roles = new Map(members.map(({ userId, role }) => [userId, parseRole(role)]));
  for (const { userId, user, isActive, deletedAt } of rows) {
    const person = { userId, email: user.email, role: roles.get(userId) ?? null };
    if (!isActive || deletedAt !== null) {
      await endMembership(scope, person, 'deactivated by the identity provider');
    } else if (groups !== null) {
      await followGroups(scope, person, rules, roleOf(rules, groups.get(userId) ?? []));
    } else if (person.role === null && !rules.isGroupRequired) {
      await addMember(scope, person, { role: rules.defaultRole, group: null });
    }
  }
}

interface Person {
  userId: string;
  email: string;
  /** Null if they are no member. */
  role: Role | null;
}

async function followGroups(
  scope: Scope,
  person: Person,
  rules: RoleRules,
  granted: GrantedRole | null,
): Promise<void> {
  const { userId, email, role } = person;
  if (granted === null) {
    // Groups don't decide about owners, so that a mapping can't take the last one away.
    if (role !== 'owner') {
      await endMembership(scope, person, 'in none of the required groups');
    }
    return;
  }
  if (role === null) {
    await addMember(scope, person, granted);
    return;
  }
  const changed = changedRole(rules, role, granted);
  if (changed !== null) {
    await setMemberRole(scope, { userId, email, role }, changed, becauseOf(granted));
  }
}

const becauseOf = ({ group }: GrantedRole) => (group === null ? {} : { group });

async function addMember(scope: Scope, { userId, email }: Person, granted: GrantedRole): Promise<void> {
  const { tx, organizationId, now } = scope;
  if (await isBarred(scope, { userId, email }, now)) {
    return;
  }
  await requireRoomForMembership(tx, userId);
  const { role } = granted;
  await tx.member.create({ data: { id: newId(now.getTime()), organizationId, userId, role, createdAt: now } });
  await forgetRemoval(scope, userId);
  await recordAudit(scope, {
    action: 'member.provision',
    targetType: 'member',
    targetId: userId,
    after: { email, role, ...becauseOf(granted) },
  });
}

/** Ends what a removal ends, and the sessions that the provider opened: a returning person signs in again. */
async function endMembership(scope: Scope, { userId, email, role }: Person, reason: string): Promise<void> {
  const { tx, organizationId } = scope;
  if (role === null) {
    return;
  }
  if (role === 'owner') {
    await requireAnotherOwner(scope, { userId, email, role, clusterRoles: [] });
  }
  await deleteMembership(scope, userId);
  await tx.session.deleteMany({ where: { userId, ssoOrganizationId: organizationId } });
  await recordAudit(scope, {
    action: 'member.deprovision',
    targetType: 'member',
    targetId: userId,
    before: { email, role },
    after: { reason },
  });
}
