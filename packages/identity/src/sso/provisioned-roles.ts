// The roles that single sign-on and provisioning may give. Client-safe.
import type { Role } from '@penstock/tenancy/permissions';

/** Signing in never makes a user an owner. */
export const provisionedRoles = ['viewer', 'billing', 'operator', 'admin'] as const satisfies readonly Role[];
export type ProvisionedRole = (typeof provisionedRoles)[number];

export function parseProvisionedRole(text: string): ProvisionedRole {
  const role = provisionedRoles.find((known) => known === text);
  if (role === undefined) {
    throw new Error(`The table of connections holds a role that nobody may be given: ${text}`);
  }
  return role;
}
