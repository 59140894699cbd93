// A topic with the bounds of its partitions, as the dashboard and the public API show it.
import { type ClusterState, describeTopics, type Id, partitionViews } from '@penstock/metadata-core';
import { topicMessage } from './catalogue.ts';

const PARTITIONS_PER_PART = 2_000;

/** The parts of a TopicView, for `encodeInSteps`. None if there is no such topic. */
export function* topicViewParts(state: ClusterState, topicId: Id) {
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
