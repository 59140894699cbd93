// The roles that single sign-on may give. Never owner.
export const PROVISIONED_ROLES = ['viewer', 'billing', 'operator', 'admin'] as const;
export type ProvisionedRole = (typeof PROVISIONED_ROLES)[number];

/** Reads the value of a select. */
export function provisionedRole(text: string): ProvisionedRole {
  return PROVISIONED_ROLES.find((role) => role === text) ?? 'viewer';
}
