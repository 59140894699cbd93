// Which role a person has by their groups. Pure.
import { AppError } from '@penstock/platform';
import type { Role } from '@penstock/tenancy';
import { z } from 'zod';
import { type ProvisionedRole, provisionedRoles } from './provisioned-roles.ts';

export interface GroupRole {
  /** As the provider sends it: a name, or an object ID in Entra ID. */
  group: string;
  role: ProvisionedRole;
}

export interface RoleRules {
  defaultRole: ProvisionedRole;
  /** The first group in this list that a person is in decides. Empty: the provider doesn't decide roles. */
  groupRoles: readonly GroupRole[];
  /** Refuses people who are in none of the groups, instead of giving them the default role. */
  isGroupRequired: boolean;
}

const storedGroupRoles = z.array(z.object({ group: z.string(), role: z.enum(provisionedRoles) }));

/** Reads the database column. */
export function parseGroupRoles(value: unknown): GroupRole[] {
  return storedGroupRoles.parse(value);
}

export interface GrantedRole {
  role: ProvisionedRole;
  /** The group that decided; null for the default role. */
  group: string | null;
}

/**
 * The role for a person in these groups.
 * @param groups null if the provider left them out
 * @throws AppError `sso_groups_left_out`, `sso_group_missing`
 */
export function roleByGroups(
  { defaultRole, groupRoles, isGroupRequired }: RoleRules,
  groups: readonly string[] | null,
): GrantedRole {
  if (groupRoles.length === 0) {
    return { role: defaultRole, group: null };
  }
  // Without the groups we would have to guess, and could give back a role that was taken away.
  if (groups === null) {
    throw new AppError({
      kind: 'forbidden',
      code: 'sso_groups_left_out',
      message: 'You are in more groups than your identity provider can report.',
      remedy: 'In Entra ID, set the groups claim to “Groups assigned to the application”.',
    });
  }
  const found = groupRoles.find(({ group }) => groups.includes(group));
  if (found !== undefined) {
    return found;
  }
  if (isGroupRequired) {
    throw new AppError({
      kind: 'forbidden',
      code: 'sso_group_missing',
      message: 'You aren’t in any group that may open this organization.',
      remedy: 'Ask the administrator of your identity provider to add you to one.',
    });
  }
  return { role: defaultRole, group: null };
}

/**
 * The role that a member gets at a sign-in; null if theirs stays. Owners keep theirs: only owners appoint and remove
 * owners, and an organization must not lose its last one to a provider.
 */
export function changedRole(rules: RoleRules, current: Role, granted: GrantedRole): ProvisionedRole | null {
  const isDecided = rules.groupRoles.length > 0 && current !== 'owner';
  return isDecided && granted.role !== current ? granted.role : null;
}
