// Lets a person in whom an organization's provider has identified: finds or creates the account and the membership,
// and gives the role that their groups map to. The same for OpenID Connect and SAML.
import type { Transaction } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { parseRole, recordAudit, type Scope } from '@penstock/tenancy';
import { setMemberRole } from '../member/change-member-role.ts';
import { findProvisionedUser, isDeprovisioned, provisionedGroups } from '../member/provisioned-person.ts';
import { forgetRemoval, isBarred, isInvited } from '../member/removed-member.ts';
import { requireRoomForMembership } from '../organization/membership-limit.ts';
import { changedRole, type GrantedRole, parseGroupRoles, type RoleRules, roleByGroups } from './group-roles.ts';
import { sha256 } from './login-in-hand.ts';
import { type ProviderAnswer, type ProviderFacts, readFacts, requireAddress } from './provider-claims.ts';
import { parseProvisionedRole } from './provisioned-roles.ts';
import { domainOf } from './sso-domains.ts';

/** An identity asserted by a provider. */
interface Identity {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

interface Place {
  tx: Transaction;
  organizationId: string;
}

function refused(code: string, message: string, remedy = 'Start again from the sign-in page.'): AppError {
  return new AppError({ kind: 'forbidden', code, message, remedy });
}

export interface Rules extends RoleRules {
  groupsClaim: string;
}

/** @throws AppError `sso_not_configured` */
export async function readRules({ tx, organizationId }: Place): Promise<Rules> {
  const connection = await tx.ssoConnection.findUnique({ where: { organizationId } });
  if (connection === null) {
    throw refused('sso_not_configured', 'Your organization no longer uses this identity provider.');
  }
  return {
    groupsClaim: connection.groupsClaim,
    defaultRole: parseProvisionedRole(connection.defaultRole),
    groupRoles: parseGroupRoles(connection.groupRoles),
    isGroupRequired: connection.isGroupRequired,
  };
}

/**
 * The address that the provider vouches for. Changes nothing, so a connection test uses it too.
 * @throws AppError `sso_domain_foreign`, and what `requireAddress` throws
 */
export async function findAddress(place: Place, answer: ProviderAnswer, facts: ProviderFacts): Promise<string> {
  const email = requireAddress(facts, answer);
  await requireOwnDomain(place, email);
  return email;
}

/** @throws AppError `sso_domain_foreign` unless the organization verified the address's domain */
async function requireOwnDomain({ tx, organizationId }: Place, email: string): Promise<void> {
  const domain = domainOf(email) ?? '';
  const owned = await tx.ssoDomain.findFirst({ where: { organizationId, domain, verifiedAt: { not: null } } });
  if (owned === null) {
    throw refused('sso_domain_foreign', 'The email address isn’t in one of the organization’s verified domains.');
  }
}

/**
 * @param address the network address that the person signs in from
 * @returns the id of the user
 * @throws AppError `sso_member_removed`, `sso_member_deprovisioned`, `organization_limit`, and
 *   what `readRules`, `findAddress` and `roleByGroups` throw
 */
export async function admitIdentity(place: Place, answer: ProviderAnswer, address: string, now: Date): Promise<string> {
  const { tx, organizationId } = place;
  // Serializes concurrent sign-ins of the same user.
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const rules = await readRules(place);
  const facts = readFacts(answer.claims, rules.groupsClaim);
  const email = await findAddress(place, answer, facts);
  const { issuer, subject } = answer;
  const identity = { issuer, subject, email, name: facts.name ?? email };
  const userId = await findOrMakeUser(place, identity, now);
  const actor = { type: 'user', id: userId, label: identity.email, source: 'web' } as const;
  const scope: Scope = { tx, organizationId, actor, now };
  // Provisioned groups are newer than those of a sign-in, and complete.
  const mapped = rules.groupRoles.map(({ group }) => group);
  const provisioned = await provisionedGroups(place, [userId], mapped);
  const granted = roleByGroups(rules, provisioned === null ? facts.groups : (provisioned.get(userId) ?? []));
  await grantMembership(scope, userId, { email, granted }, rules);
  await recordAudit(scope, {
    action: 'account.sign-in',
    targetType: 'account',
    targetId: userId,
    after: { address, method: 'sso' },
  });
  return userId;
}

/** Makes the person a member, or changes the role of a member whose groups have changed. */
async function grantMembership(
  scope: Scope,
  userId: string,
  { email, granted }: { email: string; granted: GrantedRole },
  rules: Rules,
): Promise<void> {
  const { tx, organizationId, now } = scope;
  const because = granted.group === null ? {} : { group: granted.group };
  const member = await tx.member.findUnique({ where: { organizationId_userId: { organizationId, userId } } });
  if (member !== null) {
    const current = parseRole(member.role);
    const role = changedRole(rules, current, granted);
    if (role !== null) {
      await setMemberRole(scope, { userId, email, role: current }, role, because);
    }
    return;
  }
  if (await isBarred({ tx, organizationId }, { userId, email }, now)) {
    throw refused(
      'sso_member_removed',
      'You were removed from this organization.',
      'Ask an owner or admin of the organization to invite you again.',
    );
  }
  const isEnded = await isDeprovisioned({ tx, organizationId }, userId);
  if (isEnded && !(await isInvited({ tx, organizationId }, { email }, now))) {
    throw refused(
      'sso_member_deprovisioned',
      'Your identity provider has deactivated you in this organization.',
      'Ask the administrator of your identity provider to activate you again.',
    );
  }
  await requireRoomForMembership(tx, userId);
  const { role } = granted;
  await tx.member.create({ data: { id: newId(now.getTime()), organizationId, userId, role, createdAt: now } });
  await forgetRemoval({ tx, organizationId }, userId);
  await recordAudit(scope, {
    action: 'member.provision',
    targetType: 'member',
    targetId: userId,
    after: { email, role, ...because },
  });
}

/**
 * Finds the user by the provider's subject, else by the provisioned id, else by e-mail address. An account whose
 * address was never verified loses everything that was set up in it, because its creator must not share it.
 */
async function findOrMakeUser(
  { tx, organizationId }: Place,
  { issuer, subject, email, name }: Identity,
  now: Date,
): Promise<string> {
  // Subjects are unique only within their issuer.
  const account = { providerId: `sso:${organizationId}:${sha256(issuer)}`, accountId: subject };
  const known = await tx.account.findFirst({ where: account, select: { userId: true } });
  if (known !== null) {
    return known.userId;
  }
  const provisioned = await findProvisionedUser({ tx, organizationId }, email);
  const existing = await tx.user.findUnique({
    where: provisioned === null ? { email } : { id: provisioned },
    select: { id: true },
  });
  const userId = existing?.id ?? newId(now.getTime());
  if (existing === null) {
    await tx.user.create({ data: { id: userId, name, email, emailVerified: true, createdAt: now, updatedAt: now } });
  }
  await tx.account.create({ data: { id: newId(now.getTime()), userId, ...account, createdAt: now, updatedAt: now } });
  return userId;
}
