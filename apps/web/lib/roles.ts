// Descriptions of the roles. The permission matrix in the services defines what each may do.
import type { Role } from '@penstock/tenancy/permissions';

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; meaning: string }>> = {
  owner: { label: 'Owner', meaning: 'Full access, including ownership of the organization.' },
  admin: { label: 'Admin', meaning: 'Full access, except adding and removing owners.' },
  operator: {
    label: 'Operator',
    meaning:
      'Manages topics and consumer groups and silences alerts. Can’t see records or costs, or change clusters, keys and ACLs.',
  },
  billing: {
    label: 'Billing',
    meaning: 'Manages billing. Can view clusters, usage and the audit log, but can’t change clusters.',
  },
  viewer: { label: 'Viewer', meaning: 'Read-only access to clusters, key names and usage.' },
  none: { label: 'Selected clusters', meaning: 'Sees only the clusters with a role of their own.' },
};

export function roleOptions<Given extends Role>(
  roles: readonly Given[],
): { value: Given; label: string; hint: string }[] {
  return roles.map((role) => ({ value: role, label: ROLE_TEXTS[role].label, hint: ROLE_TEXTS[role].meaning }));
}
