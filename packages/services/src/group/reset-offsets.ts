// Sets a consumer group back to the beginning of a topic's partitions, or on to their end.
import type { ClusterView } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin, OffsetToSet } from '../metadata/metadata-admin.ts';

export type ResetTarget = 'earliest' | 'latest';

export interface ResetOffsetsInput {
  clusterId: string;
  groupId: string;
  topic: string;
  to: ResetTarget;
}

/** Kafka's code for a change of offsets from outside while a group has members. */
const kafkaUnknownMember = 25;

/**
 * Sets the offsets of all partitions of a topic at once. Only of a group without members: they would go on from what they have in hand
 * and commit over it.
 * @returns how many partitions were set
 * @throws AppError `cluster_not_found`, `group_not_found`, `topic_not_found`, `group_has_members`, `metadata_unavailable`
 */
export async function resetOffsets(
  scope: Scope,
  metadata: MetadataAdmin,
  input: ResetOffsetsInput,
): Promise<{ partitions: number }> {
  const cluster = await findCluster(scope, input.clusterId);
  const { offsets, before } = offsetsIn(await metadata.getClusterView(cluster.id), input);
  const answer = await metadata.commitOffsets(cluster.id, input.groupId, offsets);
  if (answer.errorCode === kafkaUnknownMember) {
    throw new AppError({
      kind: 'conflict',
      code: 'group_has_members',
      message: `Consumers of “${input.groupId}” are running.`,
      remedy: 'Stop them first: they would go on from where they are. The group is free once its sessions have ended.',
    });
  }
  const refused = [answer.errorCode, ...answer.offsetErrorCodes].find((code) => code !== 0);
  if (refused !== undefined) {
    throw new AppError({
      kind: 'conflict',
      code: 'offsets_refused',
      message: `The offsets were not all set (Kafka error code ${refused}).`,
      remedy: 'The topic may have been deleted meanwhile; reload the page and look at what is committed.',
    });
  }
  await recordAudit(scope, {
    action: 'group.reset-offsets',
    targetType: 'group',
    targetId: `${cluster.id}/${input.groupId}`,
    before: { clusterId: cluster.id, offsets: before },
    after: { clusterId: cluster.id, topic: input.topic, to: input.to, offsets: offsets.map(({ offset }) => offset) },
  });
  return { partitions: offsets.length };
}

/** @returns the offsets to set, by partition, and those committed before them (null where there was none) */
function offsetsIn(
  view: ClusterView,
  { groupId, topic: name, to }: ResetOffsetsInput,
): { offsets: OffsetToSet[]; before: (number | null)[] } {
  const group = view.groups.find((candidate) => candidate.group?.groupId === groupId);
  if (group === undefined) throw notFound('group_not_found', `This cluster has no consumer group “${groupId}”.`);
  const topic = view.topics.find((candidate) => candidate.topic?.name === name);
  if (topic === undefined) throw notFound('topic_not_found', `This cluster has no topic “${name}”.`);
  const ends = to === 'earliest' ? topic.logStartOffset : topic.highWatermark;
  const committed = new Map(
    group.offsets.filter((offset) => offset.topic === name).map(({ partition, offset }) => [partition, Number(offset)]),
  );
  return {
    offsets: ends.map((offset, partition) => ({ topic: name, partition, offset: Number(offset) })),
    before: ends.map((_offset, partition) => committed.get(partition) ?? null),
  };
}

function notFound(code: string, message: string): AppError {
  return new AppError({
    kind: 'not-found',
    code,
    message,
    remedy: 'It may have been deleted meanwhile; reload the page.',
  });
}
