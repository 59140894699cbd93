// Roles for single clusters. They add to the role for the organization and never take anything from it.
import { isAllowed, type Permission, type Role } from './permissions.ts';

/** The roles that make sense for one cluster. */
export const clusterRoleNames = ['admin', 'operator', 'viewer'] as const satisfies readonly Role[];
export type ClusterRole = (typeof clusterRoleNames)[number];

/** By cluster id, in lower case. */
export type ClusterRoles = Readonly<Record<string, ClusterRole>>;

export interface ClusterRoleEntry {
  clusterId: string;
  role: ClusterRole;
}

/** The roles of a member or an API key. */
export interface Grant {
  /** For the organization and all of its clusters. */
  role: Role;
  clusterRoles: ClusterRoles;
}

/** Permissions that a role for one cluster can give. The others concern the organization as a whole. */
const clusterPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'cluster:read',
  'cluster:write',
  'cluster:delete',
  'agent-key:read',
  'agent-key:write',
  'topic:write',
  'silence:write',
  'record:read',
  'access:read',
  'access:write',
  'usage:read',
]);

export const isClusterPermission = (permission: Permission): boolean => clusterPermissions.has(permission);

/** The role for a cluster; null if there is none of its own. */
export function clusterRoleOf({ clusterRoles }: Pick<Grant, 'clusterRoles'>, clusterId: string): ClusterRole | null {
  const key = clusterId.toLowerCase();
  return Object.hasOwn(clusterRoles, key) ? (clusterRoles[key] ?? null) : null;
}

/**
 * The one place that decides what a member or key may do.
 * @param clusterId null for what concerns the organization as a whole
 */
export function isGranted(grant: Grant, permission: Permission, clusterId: string | null): boolean {
  if (isAllowed(grant.role, permission)) {
    return true;
  }
  const own = clusterId === null ? null : clusterRoleOf(grant, clusterId);
  return own !== null && isClusterPermission(permission) && isAllowed(own, permission);
}

/** Whether a cluster exists for a member or key. */
export const seesCluster = (grant: Grant, clusterId: string): boolean => isGranted(grant, 'cluster:read', clusterId);

/** The clusters that exist for a member or key; null for all of the organization. */
export function visibleClusters(grant: Grant): readonly string[] | null {
  return isAllowed(grant.role, 'cluster:read')
    ? null
    : Object.keys(grant.clusterRoles).filter((clusterId) => seesCluster(grant, clusterId));
}

/** Reads the roles from the database. A check constraint there rules out other values. */
export function parseClusterRoles(stored: unknown): ClusterRoles {
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
  return Object.fromEntries(
    entries.map(([clusterId, role]): [string, ClusterRole] => {
      const known = clusterRoleNames.find((name) => name === role);
      if (known === undefined) {
        throw new Error(`The database holds an unknown role for a cluster: ${String(role)}`);
      }
      return [clusterId, known];
    }),
  );
}

/** Lists the roles by cluster id. */
export function listClusterRoles(clusterRoles: ClusterRoles): ClusterRoleEntry[] {
  return Object.entries(clusterRoles)
    .map(([clusterId, role]) => ({ clusterId, role }))
    .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1));
}
