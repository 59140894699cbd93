// The topics of a cluster with their partitions, from its owner.
import { notFound } from '@penstock/platform';
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type LiveTopic, toLiveTopic } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';

/**
 * Topics by name.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listTopics(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listTopics'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<LiveTopic[]> {
  const { id } = await findCluster(scope, clusterId);
  const views = await readSlice(
    slice,
    (page) => metadata.listTopics(id, page),
    ({ topic }) => topic?.name ?? '',
  );
  return views.map(toLiveTopic);
}

/** @throws AppError `cluster_not_found`, `topic_not_found`, `metadata_unavailable` */
export async function getTopic(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'findTopic'>,
  { clusterId, name }: { clusterId: string; name: string },
): Promise<LiveTopic> {
  const { id } = await findCluster(scope, clusterId);
  const view = await metadata.findTopic(id, name);
  if (view === undefined) {
    throw notFound('topic');
  }
  return toLiveTopic(view);
}
