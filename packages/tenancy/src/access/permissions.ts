// Which role may do what in an organization. The roles are fixed, and every procedure names one permission.
export const roles = ['owner', 'admin', 'operator', 'billing', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const permissions = [
  'organization:read',
  'organization:export',
  'organization:delete',
  'member:read',
  'member:write',
  'owner:write',
  'sso:write',
  'cluster:read',
  'cluster:write',
  'cluster:delete',
  'agent-key:read',
  'agent-key:write',
  'api-key:read',
  'api-key:write',
  'topic:write',
  'silence:write',
  'record:read',
  'access:read',
  'access:write',
  'usage:read',
  'billing:read',
  'billing:write',
  'audit:read',
] as const;
export type Permission = (typeof permissions)[number];

const viewerPermissions: readonly Permission[] = [
  'organization:read',
  'member:read',
  'cluster:read',
  'agent-key:read',
  'usage:read',
];

const ownerPermissions: readonly Permission[] = [
  'organization:export',
  'organization:delete',
  'owner:write',
  'sso:write',
];

const permissionsOfRole: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  // Everything except appointing and removing owners, and actions on the organization as a whole.
  admin: new Set(permissions.filter((permission) => !ownerPermissions.includes(permission))),
  // Sees usage and costs, and pays. Holds nothing that opens or changes a cluster.
  billing: new Set<Permission>([
    'organization:read',
    'member:read',
    'cluster:read',
    'usage:read',
    'billing:read',
    'billing:write',
    'audit:read',
  ]),
  // Runs what exists: topics, groups, open issues. Creates no clusters, opens nothing to clients, sees no costs and no
  // records.
  operator: new Set<Permission>([...viewerPermissions, 'topic:write', 'silence:write', 'access:read']),
  viewer: new Set(viewerPermissions),
};

/** Whether a role includes a permission. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return permissionsOfRole[role].has(permission);
}

/** Whether a role includes nothing that the other role does not. */
export function isRoleWithin(role: Role, other: Role): boolean {
  return permissions.every((permission) => !isAllowed(role, permission) || isAllowed(other, permission));
}

/** The roles that a member with this role may assign and remove. */
export function rolesWithinReach(role: Role): readonly Role[] {
  if (!isAllowed(role, 'member:write')) {
    return [];
  }
  return roles.filter((other) => other !== 'owner' || isAllowed(role, 'owner:write'));
}

/** Reads a role from the database. A check constraint there rules out any other text. */
export function parseRole(text: string): Role {
  const role = roles.find((candidate) => candidate === text);
  if (role === undefined) {
    throw new Error(`The member table holds an unknown role: ${text}`);
  }
  return role;
}
