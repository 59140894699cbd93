// One cluster of the organization.
import type { Scope } from '../access/scope.ts';
import { type Cluster, findCluster } from './cluster.ts';

/** @throws AppError `cluster_not_found` */
export function getCluster(scope: Scope, input: { clusterId: string }): Promise<Cluster> {
  return findCluster(scope, input.clusterId);
}
