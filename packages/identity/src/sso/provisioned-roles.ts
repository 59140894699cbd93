// The roles that single sign-on and provisioning may give.
import type { Role } from '@penstock/tenancy';

/** Signing in never makes a user an owner. */
export const provisionedRoles = ['admin', 'operator', 'billing', 'viewer'] as const satisfies readonly Role[];
export type ProvisionedRole = (typeof provisionedRoles)[number];

export function parseProvisionedRole(text: string): ProvisionedRole {
  const role = provisionedRoles.find((known) => known === text);
  if (role === undefined) {
    throw new Error(`The table of connections holds a role that nobody may be given: ${text}`);
  }
  return role;
}
