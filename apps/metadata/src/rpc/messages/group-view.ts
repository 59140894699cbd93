// A consumer group with its offsets and their lag, as the dashboard and the public API show it.
import {
  allCommittedOffsets,
  type ClusterState,
  type CommittedOffset,
  describeAnyGroup,
  describeConsumerGroups,
  firstUnreadMaxTimestampMs,
} from '@penstock/metadata-core';
import { committedOffsetMessage, describedConsumerGroupParts, describedGroupParts } from './groups.ts';

const OFFSETS_PER_PART = 500;

/** The parts of a GroupView, for `encodeInSteps`. None if there is no such group. */
export function* groupViewParts(state: ClusterState, groupId: string) {
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
