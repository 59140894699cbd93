// Reads the role that single sign-on may give from a select.
import { type ProvisionedRole, provisionedRoles } from '@penstock/identity/inputs';

export function provisionedRole(text: string): ProvisionedRole {
  return provisionedRoles.find((role) => role === text) ?? 'viewer';
}
