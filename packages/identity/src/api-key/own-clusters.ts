// Checks the clusters that roles are given for. Members and API keys share it.
import { AppError } from '@penstock/platform';
import type { ClusterRoleEntry, ClusterRoles, Scope } from '@penstock/tenancy';

/** The stored form. @throws AppError `cluster_unknown` unless all are clusters of the organization */
export async function requireOwnClusters(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  entries: readonly ClusterRoleEntry[],
): Promise<ClusterRoles> {
  const clusterRoles = Object.fromEntries(entries.map(({ clusterId, role }) => [clusterId.toLowerCase(), role]));
  const ids = Object.keys(clusterRoles);
  const found = ids.length === 0 ? 0 : await tx.virtualCluster.count({ where: { organizationId, id: { in: ids } } });
  if (found < ids.length) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'cluster_unknown',
      field: 'clusterRoles',
      message: 'One of these clusters doesn’t exist.',
      remedy: 'Use the IDs of clusters of this organization.',
    });
  }
  return clusterRoles;
}
