import type { Scope, Slice } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';
import { findCluster } from './cluster.ts';
import { type LiveAgent, toLiveAgent } from './cluster-view.ts';

/**
 * The agents of a cluster by id: those alive, and those seen in the last hour.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listAgents(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listAgents'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<LiveAgent[]> {
  const { id } = await findCluster(scope, clusterId);
  return readSlice(
    slice,
    async (page) => (await metadata.listAgents(id, page)).map(toLiveAgent),
    ({ agentId }) => agentId,
  );
}
