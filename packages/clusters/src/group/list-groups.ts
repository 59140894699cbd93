// The consumer groups of a cluster with their lag, from its owner.
import { notFound } from '@penstock/platform';
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type LiveGroup, toLiveGroup } from '../cluster/cluster-view.ts';
import type { GroupsNow, MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';

/**
 * Groups by id.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listGroups(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listGroups'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<LiveGroup[]> {
  const { id } = await findCluster(scope, clusterId);
  return readSlice(
    slice,
    async (page) => liveGroups(await metadata.listGroups(id, page)),
    ({ groupId }) => groupId,
  );
}

/** @throws AppError `cluster_not_found`, `consumer_group_not_found`, `metadata_unavailable` */
export async function getGroup(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'findGroup'>,
  { clusterId, groupId }: { clusterId: string; groupId: string },
): Promise<LiveGroup> {
  const { id } = await findCluster(scope, clusterId);
  const [group] = liveGroups(await metadata.findGroup(id, groupId));
  if (group === undefined) {
    throw notFound('consumer group');
  }
  return group;
}

function liveGroups({ groups, atMs }: GroupsNow): LiveGroup[] {
  return groups.map((group) => toLiveGroup(group, atMs));
}
