// The clusters of an organization.
import type { Scope } from '../access/scope.ts';
import { type Cluster, clusterColumns, toCluster } from './cluster.ts';

/** The living ones, oldest first. */
export async function listClusters(scope: Scope): Promise<Cluster[]> {
  const rows = await scope.tx.virtualCluster.findMany({
    where: { organizationId: scope.organizationId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: clusterColumns,
  });
  return rows.map(toCluster);
}

/** Those that can still be restored, the latest deletion first. */
export async function listDeletedClusters(scope: Scope): Promise<Cluster[]> {
  const rows = await scope.tx.virtualCluster.findMany({
    where: { organizationId: scope.organizationId, deletedAt: { not: null } },
    orderBy: [{ deletedAt: 'desc' }, { id: 'asc' }],
    select: clusterColumns,
  });
  return rows.map(toCluster).filter((cluster) => cluster.purgeAt !== null && cluster.purgeAt > scope.now);
}
