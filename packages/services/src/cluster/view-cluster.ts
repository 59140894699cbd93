// The live state of one cluster of the organization, from the process that owns it.
import type { Database } from '@penstock/database/client';
import type { Scope } from '../access/scope.ts';
import { inTenant } from '../access/scope.ts';
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

/**
 * The view now and after each change, until the signal aborts. Holds no transaction while it waits.
 * @throws AppError `cluster_not_found`, `metadata_unavailable` when the owner goes away: the caller opens the stream again
 */
export async function* watchCluster(
  services: { database: Database; metadata: MetadataAdmin },
  scope: Omit<Scope, 'tx'>,
  input: { clusterId: string },
  signal: AbortSignal,
): AsyncGenerator<LiveClusterView, void, undefined> {
  const cluster = await inTenant(services.database, scope.organizationId, (tx) =>
    findCluster({ ...scope, tx }, input.clusterId),
  );
  for await (const view of services.metadata.watchClusterView(cluster.id, signal)) yield toLiveClusterView(view);
}
