// The live state of one cluster of the organization, from its owner.
import type { Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { findCluster } from './cluster.ts';
import { type LiveClusterView, toLiveClusterView } from './cluster-view.ts';

/** @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function viewCluster(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string },
): Promise<LiveClusterView> {
  const cluster = await findCluster(scope, input.clusterId);
  return toLiveClusterView(await metadata.getClusterView(cluster.id));
}
