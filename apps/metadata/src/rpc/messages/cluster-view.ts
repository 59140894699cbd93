// The state of one virtual cluster, as the dashboard shows it.
import {
  type ClusterState,
  clusterTotals,
  describeAllGroups,
  describeConsumerGroups,
  describeTopics,
  fetchOffsets,
  firstUnreadMaxTimestampMs,
  partitionViews,
  registeredAgents,
} from '@penstock/metadata-core';
import type { Owner } from '../../owners/owner.ts';
import { POINT_SECONDS } from '../../owners/throughput-ring.ts';
import { agentMessage, topicMessage, writtenLimitOf } from './catalogue.ts';
import { committedOffsetMessage, describedConsumerGroupMessage, describedGroupMessage } from './groups.ts';

/** The owner's current view. Call it within a read, so that it is sent only once durable. */
export function clusterViewMessage(owner: Owner, state: ClusterState) {
  const nowMs = owner.nowMs();
  const throttledAtMs = owner.presences.writesThrottledAtMs;
  const maxWrittenBytesPerSecond = writtenLimitOf(state.settings);
  const { newest: refusal, commits: refusedCommits } = owner.meteringRefusals;
  const { newest: full, count: refusedCalls } = owner.memoryRefusals;
  return {
    clusterId: owner.cluster.clusterId,
    atMs: BigInt(nowMs),
    agents: registeredAgents(state).map((agent) => agentMessage(agent, owner.presences.get(agent.agentId))),
    topics: topicViews(state),
    groups: groupViews(state),
    throughput: owner.throughput.points(nowMs).map((point) => ({
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
    ...(refusal === undefined
      ? {}
      : { meteringRefusal: { ...refusal, atMs: BigInt(refusal.atMs), commits: BigInt(refusedCommits) } }),
  };
}

function topicViews(state: ClusterState) {
  return describeTopics(state).map((topic) => {
    const partitions = partitionViews(state, topic.topicId);
    return {
      topic: topicMessage(topic),
      logStartOffset: partitions.map((partition) => BigInt(partition.logStartOffset)),
      highWatermark: partitions.map((partition) => BigInt(partition.highWatermark)),
      storedBytes: partitions.map((partition) => BigInt(partition.storedBytes)),
    };
  });
}

function groupViews(state: ClusterState) {
  return describeAllGroups(state).map((group) => {
    const offsets = fetchOffsets(state, group.groupId, 'all');
    const consumerGroup =
      group.groupType === 'Consumer' ? describeConsumerGroups(state, [group.groupId])[0] : undefined;
    return {
      group: describedGroupMessage(group),
      ...(consumerGroup === undefined ? {} : { consumerGroup: describedConsumerGroupMessage(consumerGroup) }),
      offsets: offsets.map(committedOffsetMessage),
      lagRecords: offsets.map(({ topic, partition, offset }) => {
        const highWatermark = state.topicsByName.get(topic)?.partitions[partition]?.highWatermark ?? 0;
        return BigInt(Math.max(0, highWatermark - Math.max(0, offset)));
      }),
      firstUnreadMaxTimestampMs: offsets.map(({ topic, partition, offset }) =>
        BigInt(firstUnreadMaxTimestampMs(state, topic, partition, offset)),
      ),
    };
  });
}
