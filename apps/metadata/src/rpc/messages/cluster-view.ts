// The state of one virtual cluster, as the dashboard shows it.
import {
  allCommittedOffsets,
  type ClusterState,
  type CommittedOffset,
  clusterTotals,
  describeAnyGroup,
  describeConsumerGroups,
  describeTopics,
  firstUnreadMaxTimestampMs,
  type Id,
  partitionViews,
  registeredAgents,
} from '@penstock/metadata-core';
import { ClusterViewSchema, GroupViewSchema, TopicViewSchema } from '@penstock/metadata-protocol';
import type { Owner } from '../../owners/owner.ts';
import { POINT_SECONDS } from '../../owners/throughput-ring.ts';
import { nextRound } from '../answer-in-steps.ts';
import { allTopicIds } from '../describe-cluster.ts';
import { encodeInSteps, withList } from '../long-list.ts';
import { agentMessage, topicMessage, writtenLimitOf } from './catalogue.ts';
import { committedOffsetMessage, describedConsumerGroupParts, describedGroupParts } from './groups.ts';

const TOPICS = { entry: TopicViewSchema, fieldNumber: ClusterViewSchema.field.topics.number };
const GROUPS = { entry: GroupViewSchema, fieldNumber: ClusterViewSchema.field.groups.number };
/** Per part of an entry. */
const PARTITIONS_PER_PART = 2_000;
const OFFSETS_PER_PART = 500;

/** The owner's current view, of durable state only. It is made in steps: its parts may be of different moments. */
export async function clusterViewMessage(owner: Owner) {
  const answering = { owner, turn: nextRound };
  const unbounded = Number.POSITIVE_INFINITY;
  const topics = await encodeInSteps(answering, TOPICS, await allTopicIds(owner), topicView, unbounded);
  const groupIds = await owner.read((state) => [...state.groups.keys()]);
  const groups = await encodeInSteps(answering, GROUPS, groupIds, groupView, unbounded);
  return await owner.read((state) =>
    withList(ClusterViewSchema, withList(ClusterViewSchema, restOfView(owner, state), topics), groups),
  );
}

function restOfView(owner: Owner, state: ClusterState) {
  const nowMs = owner.nowMs();
  const throttledAtMs = owner.agents.presences.writesThrottledAtMs;
  const maxWrittenBytesPerSecond = writtenLimitOf(state.settings);
  const { newest: refusal, count: refusedCommits } = owner.meteringRefusals;
  const { newest: full, count: refusedCalls } = owner.memoryRefusals;
  const { newest: unordered, count: completions } = owner.jobRefusals;
  return {
    clusterId: owner.cluster.clusterId,
    atMs: BigInt(nowMs),
    agents: registeredAgents(state).map((agent) => agentMessage(agent, owner.agents.presences.get(agent.agentId))),
    throughput: owner.agents.throughput.points(nowMs).map((point) => ({
      startMs: BigInt(point.startMs),
      seconds: POINT_SECONDS,
      inBytes: BigInt(point.inBytes),
      inUncompressedBytes: BigInt(point.inUncompressedBytes),
      inRecords: BigInt(point.inRecords),
      outBytes: BigInt(point.outBytes),
    })),
    uncompressedBytesTotal: clusterTotals(state).uncompressedBytes,
    journalSeq: BigInt(owner.journalSeq),
    ...(state.settings.writesRefused ? { writesRefusedReason: state.settings.writesRefusedReason } : {}),
    ...(throttledAtMs === undefined || maxWrittenBytesPerSecond === 0
      ? {}
      : {
          writeThrottle: {
            atMs: BigInt(throttledAtMs),
            maxWrittenBytesPerSecond: BigInt(maxWrittenBytesPerSecond),
          },
        }),
    memoryAccounts: owner.memoryAccounts().map(({ name, heldBytes, limitBytes }) => ({
      name,
      heldBytes: BigInt(heldBytes),
      limitBytes: BigInt(Math.floor(limitBytes)),
    })),
    ...(full === undefined
      ? {}
      : { memoryRefusal: { atMs: BigInt(full.atMs), reason: full.reason, calls: BigInt(refusedCalls) } }),
    ...(unordered === undefined
      ? {}
      : { jobRefusal: { ...unordered, atMs: BigInt(unordered.atMs), completions: BigInt(completions) } }),
    ...(refusal === undefined
      ? {}
      : { meteringRefusal: { ...refusal, atMs: BigInt(refusal.atMs), commits: BigInt(refusedCommits) } }),
  };
}

function* topicView(state: ClusterState, topicId: Id) {
  for (const topic of describeTopics(state, { topicIds: [topicId] })) {
    yield { topic: topicMessage(topic) };
    for (let start = 0; start < topic.partitions; start += PARTITIONS_PER_PART) {
      const partitions = partitionViews(state, topicId, start, start + PARTITIONS_PER_PART);
      yield {
        logStartOffset: partitions.map((partition) => BigInt(partition.logStartOffset)),
        highWatermark: partitions.map((partition) => BigInt(partition.highWatermark)),
        storedBytes: partitions.map((partition) => BigInt(partition.storedBytes)),
      };
    }
  }
}

function* groupView(state: ClusterState, groupId: string) {
  const group = describeAnyGroup(state, groupId);
  if (group === undefined) {
    return;
  }
  for (const part of describedGroupParts(group)) {
    yield { group: part };
  }
  if (group.groupType === 'Consumer') {
    for (const described of describeConsumerGroups(state, [groupId])) {
      for (const part of describedConsumerGroupParts(described)) {
        yield { consumerGroup: part };
      }
    }
  }
  const part: CommittedOffset[] = [];
  for (const offset of allCommittedOffsets(state, groupId)) {
    part.push(offset);
    if (part.length === OFFSETS_PER_PART) {
      yield offsetsView(state, part);
      part.length = 0;
    }
  }
  yield offsetsView(state, part);
}

function offsetsView(state: ClusterState, offsets: readonly CommittedOffset[]) {
  return {
    offsets: offsets.map(committedOffsetMessage),
    lagRecords: offsets.map(({ topic, partition, offset }) => {
      const highWatermark = state.topicsByName.get(topic)?.partitions[partition]?.highWatermark ?? 0;
      return BigInt(Math.max(0, highWatermark - Math.max(0, offset)));
    }),
    firstUnreadMaxTimestampMs: offsets.map(({ topic, partition, offset }) =>
      BigInt(firstUnreadMaxTimestampMs(state, topic, partition, offset)),
    ),
  };
}
