// Resets a consumer group's offsets in a topic: to the beginning, the end, a time, or an offset.
import type { ClusterView, TopicView } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

export type ResetTarget = 'earliest' | 'latest' | 'time' | 'offset';

export interface ResetOffsetsInput {
  clusterId: string;
  groupId: string;
  topic: string;
  to: ResetTarget;
  /** All partitions if omitted. */
  partition?: number | undefined;
  /** With `time`: milliseconds since the Unix epoch. */
  timeMs?: number | undefined;
  /** With `offset`, which needs a partition. */
  offset?: number | undefined;
}

/** Kafka's error code for committing offsets from outside while a group has members. */
const KAFKA_UNKNOWN_MEMBER = 25;

/**
 * Sets the committed offsets of one or all partitions of a topic. A reset to a time goes to the start of the run with
 * the first record at or after that time. So no record is missed, and at most what an agent flushed together is read in
 * addition. Refused while the group has members, because they would continue from their own positions and overwrite the
 * reset.
 * @returns how many partitions were set
 * @throws AppError `cluster_not_found`, `group_not_found`, `topic_not_found`, `partition_not_found`,
 * `offset_out_of_range`, `group_has_members`, `metadata_unavailable`
 */
export async function resetOffsets(
  scope: Scope,
  metadata: MetadataAdmin,
  input: ResetOffsetsInput,
): Promise<{ partitions: number }> {
  const cluster = await findCluster(scope, input.clusterId);
  const { topic, committed } = partsOf(await metadata.getClusterView(cluster.id), input);
  const ends = await endsOf(metadata, cluster.id, topic, input);
  const partitions = ends.map((_end, partition) => partition).filter((own) => own === (input.partition ?? own));
  const offsets = partitions.map((partition) => ({ topic: input.topic, partition, offset: ends[partition] ?? 0 }));
  const before = partitions.map((partition) => committed.get(partition) ?? null);
  const answer = await metadata.commitOffsets(cluster.id, input.groupId, offsets);
  if (answer.errorCode === KAFKA_UNKNOWN_MEMBER) {
    throw new AppError({
      kind: 'conflict',
      code: 'group_has_members',
      message: `Group “${input.groupId}” has running consumers.`,
      remedy: 'Stop them and wait until their sessions end. Otherwise they continue from their current position.',
    });
  }
  const refused = [answer.errorCode, ...answer.offsetErrorCodes].find((code) => code !== 0);
  if (refused !== undefined) {
    throw new AppError({
      kind: 'conflict',
      code: 'offsets_refused',
      message: `Some offsets were not set (Kafka error code ${refused}).`,
      remedy: 'The topic may have been deleted. Reload the page and check the committed offsets.',
    });
  }
  await recordAudit(scope, {
    action: 'group.reset-offsets',
    targetType: 'group',
    targetId: `${cluster.id}/${input.groupId}`,
    before: { clusterId: cluster.id, offsets: before },
    after: {
      clusterId: cluster.id,
      topic: input.topic,
      to: input.to,
      ...(input.partition === undefined ? {} : { partition: input.partition }),
      ...(input.timeMs === undefined ? {} : { time: new Date(input.timeMs).toISOString() }),
      offsets: offsets.map(({ offset }) => offset),
    },
  });
  return { partitions: offsets.length };
}

/** @returns the topic, and the group's committed offsets in it, by partition */
function partsOf(
  view: ClusterView,
  { groupId, topic: name, partition }: ResetOffsetsInput,
): { topic: TopicView; committed: ReadonlyMap<number, number> } {
  const group = view.groups.find((candidate) => candidate.group?.groupId === groupId);
  if (group === undefined) {
    throw notFound('group_not_found', `This cluster has no consumer group “${groupId}”.`);
  }
  const topic = view.topics.find((candidate) => candidate.topic?.name === name);
  if (topic === undefined) {
    throw notFound('topic_not_found', `This cluster has no topic “${name}”.`);
  }
  if (partition !== undefined && partition >= topic.highWatermark.length) {
    throw notFound('partition_not_found', `“${name}” has no partition ${partition}.`);
  }
  const own = group.offsets.filter((offset) => offset.topic === name);
  return { topic, committed: new Map(own.map((offset) => [offset.partition, Number(offset.offset)])) };
}

/** The target offset of each partition. */
async function endsOf(
  metadata: MetadataAdmin,
  clusterId: string,
  { topic, logStartOffset, highWatermark }: TopicView,
  { to, timeMs, offset, partition }: ResetOffsetsInput,
): Promise<number[]> {
  const [starts, ends] = [logStartOffset.map(Number), highWatermark.map(Number)];
  switch (to) {
    case 'earliest':
      return starts;
    case 'latest':
      return ends;
    case 'time': {
      const topicId = topic?.topicId ?? new Uint8Array(16);
      const answers = await metadata.offsetsAtTime(clusterId, topicId, ends.length, timeMs ?? 0);
      // No record at or after that time: continue at the end.
      return ends.map((end, own) => {
        const answer = answers[own];
        return answer === undefined || answer.errorCode !== 0 || answer.offset < 0n ? end : Number(answer.offset);
      });
    }
    case 'offset': {
      const [start, end] = [starts[partition ?? 0] ?? 0, ends[partition ?? 0] ?? 0];
      if (offset === undefined || offset < start || offset > end) {
        throw new AppError({
          kind: 'invalid-input',
          code: 'offset_out_of_range',
          message: `Offset ${offset} is out of range. Partition ${partition} has offsets ${start} to ${end}.`,
          remedy: 'Enter an offset in this range.',
        });
      }
      return ends.map(() => offset);
    }
  }
}

function notFound(code: string, message: string): AppError {
  return new AppError({
    kind: 'not-found',
    code,
    message,
    remedy: 'It may have been deleted. Reload the page.',
  });
}
