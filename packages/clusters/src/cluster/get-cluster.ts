// One cluster of the organization.
import { isUuid } from '@penstock/platform';
import type { ReadScope } from '@penstock/tenancy';
import { type Cluster, noSuchCluster } from './cluster.ts';
import { clusterById } from './cluster-statements.ts';

/** @throws AppError `cluster_not_found` */
export async function getCluster(scope: ReadScope, { clusterId }: { clusterId: string }): Promise<Cluster> {
  if (!isUuid(clusterId)) {
    throw noSuchCluster();
  }
  const [cluster] = await scope.read(clusterById, [clusterId, scope.organizationId]);
  if (cluster === undefined) {
    throw noSuchCluster();
  }
  return cluster;
}
