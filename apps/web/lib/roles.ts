// The roles in words. What each may do stands in the permission matrix of the services.
import type { Role } from '@penstock/tenancy/permissions';

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; meaning: string }>> = {
  owner: { label: 'Owner', meaning: 'Everything, including who owns the organization.' },
  admin: { label: 'Admin', meaning: 'Everything but making and removing owners.' },
  billing: { label: 'Billing', meaning: 'Sees clusters, usage and the audit log, and pays. Changes no cluster.' },
  viewer: { label: 'Viewer', meaning: 'Sees clusters, keys by name, and usage. Changes nothing.' },
};

export function roleOptions(roles: readonly Role[]): { value: Role; label: string }[] {
  return roles.map((role) => ({ value: role, label: ROLE_TEXTS[role].label }));
}
