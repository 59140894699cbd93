// The clusters of an organization.
import type { ReadScope, Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, toCluster } from './cluster.ts';
import { clustersOfOrganization } from './cluster-statements.ts';

/** Clusters that are not deleted, oldest first. */
export function listClusters(scope: ReadScope): Promise<Cluster[]> {
  return scope.read(clustersOfOrganization, [scope.organizationId]);
}

/** Clusters that can still be restored, latest deletion first. */
export async function listDeletedClusters(scope: Scope): Promise<Cluster[]> {
  const rows = await scope.tx.virtualCluster.findMany({
    where: { organizationId: scope.organizationId, deletedAt: { not: null } },
    orderBy: [{ deletedAt: 'desc' }, { id: 'asc' }],
    select: clusterColumns,
  });
  return rows.map(toCluster).filter((cluster) => cluster.purgeAt !== null && cluster.purgeAt > scope.now);
}
