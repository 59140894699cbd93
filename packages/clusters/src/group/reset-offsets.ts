// Resets a consumer group's offsets in a topic: to the beginning, the end, a time, an offset, or by a number of records.
import type { ClusterView, TopicView } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

export type ResetTarget = 'earliest' | 'latest' | 'time' | 'offset' | 'shift';

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
  /** With `shift`: records forward, or back if negative. */
  shiftBy?: number | undefined;
}

/** Kafka's error code for committing offsets from outside while a group has members. */
const KAFKA_UNKNOWN_MEMBER = 25;

/** One partition before and after a reset. */
export interface OffsetChange {
  partition: number;
  /** The committed offset; null if there is none. */
  before: number | null;
  after: number;
  /** Records from there to the high watermark, which are read next. */
  lagRecords: number;
}

export interface OffsetsPreview {
  topic: string;
  /** The changes, by partition. */
  changes: OffsetChange[];
  /** The reset is refused while the group has members. */
  members: number;
}

/**
 * Returns the changes that a reset would make. Records that arrive in between move the end, so a reset to the end may
 * go further.
 * @throws AppError like resetOffsets, except `group_has_members`
 */
export async function previewResetOffsets(
  scope: Scope,
  metadata: MetadataAdmin,
  input: ResetOffsetsInput,
): Promise<OffsetsPreview> {
  const cluster = await findCluster(scope, input.clusterId);
  const { topic, committed, members } = partsOf(await metadata.getClusterView(cluster.id), input);
  return { topic: input.topic, changes: await changesOf(metadata, cluster.id, topic, committed, input), members };
}

/**
 * Sets the committed offsets of one or all partitions of a topic. A reset to a time goes to the start of the run with
 * the first record at or after that time. So no record is missed, and at most what an agent flushed together is read in
 * addition. A shift moves each committed offset, within what its partition holds; partitions without one stay without.
 * Refused while the group has members, because they would continue from their own positions and overwrite the reset.
 * @returns what was set
 * @throws AppError `cluster_not_found`, `group_not_found`, `topic_not_found`, `partition_not_found`,
 * `offset_out_of_range`, `offset_not_committed`, `group_has_members`, `metadata_unavailable`
 */
export async function resetOffsets(
  scope: Scope,
  metadata: MetadataAdmin,
  input: ResetOffsetsInput,
): Promise<{ partitions: number; changes: OffsetChange[] }> {
  const cluster = await findCluster(scope, input.clusterId);
  const { topic, committed } = partsOf(await metadata.getClusterView(cluster.id), input);
  const changes = await changesOf(metadata, cluster.id, topic, committed, input);
  const offsets = changes.map(({ partition, after }) => ({ topic: input.topic, partition, offset: after }));
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
    before: { clusterId: cluster.id, offsets: changes.map(({ before }) => before) },
    after: {
      clusterId: cluster.id,
      topic: input.topic,
      to: input.to,
      ...(input.partition === undefined ? {} : { partition: input.partition }),
      ...(input.timeMs === undefined ? {} : { time: new Date(input.timeMs).toISOString() }),
      ...(input.shiftBy === undefined ? {} : { shiftBy: input.shiftBy }),
      ...(input.to === 'shift' ? { partitions: changes.map(({ partition }) => partition) } : {}),
      offsets: changes.map(({ after }) => after),
    },
  });
  return { partitions: changes.length, changes };
}

/** The partitions that the reset is about, with the offsets that they get. */
async function changesOf(
  metadata: MetadataAdmin,
  clusterId: string,
  topic: TopicView,
  committed: ReadonlyMap<number, number>,
  input: ResetOffsetsInput,
): Promise<OffsetChange[]> {
  const targets = await targetsOf(metadata, clusterId, topic, committed, input);
  const changes = targets.flatMap((after, partition) => {
    if (after === null || partition !== (input.partition ?? partition)) {
      return [];
    }
    const lagRecords = Math.max(0, Number(topic.highWatermark[partition] ?? 0n) - after);
    return [{ partition, before: committed.get(partition) ?? null, after, lagRecords }];
  });
  if (changes.length === 0) {
    throw new AppError({
      kind: 'conflict',
      code: 'offset_not_committed',
      message:
        input.partition === undefined
          ? `Group “${input.groupId}” has no committed offsets in “${input.topic}” to shift.`
          : `Group “${input.groupId}” has no committed offset in partition ${input.partition} to shift.`,
      remedy: 'Reset to the beginning, the end or a time instead.',
    });
  }
  return changes;
}

/** @returns the topic, the group's committed offsets in it by partition, and how many members the group has */
function partsOf(
  view: ClusterView,
  { groupId, topic: name, partition }: ResetOffsetsInput,
): { topic: TopicView; committed: ReadonlyMap<number, number>; members: number } {
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
  return {
    topic,
    committed: new Map(own.map((offset) => [offset.partition, Number(offset.offset)])),
    members: group.group?.members.length ?? 0,
  };
}

/** The target offset of each partition; null for those that stay as they are. */
async function targetsOf(
  metadata: MetadataAdmin,
  clusterId: string,
  { topic, logStartOffset, highWatermark }: TopicView,
  committed: ReadonlyMap<number, number>,
  { to, timeMs, offset, partition, shiftBy = 0 }: ResetOffsetsInput,
): Promise<(number | null)[]> {
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
    case 'shift':
      return ends.map((end, own) => {
        const current = committed.get(own);
        return current === undefined ? null : Math.min(end, Math.max(starts[own] ?? 0, current + shiftBy));
      });
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
