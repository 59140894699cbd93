// CreatePartitions: topics only grow.
import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { CreatePartitions, TopicDescription, TopicResult } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { createPartition } from '../state/partition.ts';
import { describeTopic } from '../state/topic.ts';
import { partitionLimitRefusal, requestSizeRefusal } from '../topics/partition-limit.ts';
import { acceptedTopic, type Refusal, refusedTopic } from '../topics/topic-result.ts';

export function createPartitions(state: ClusterState, command: CreatePartitions): Outcome<'create-partitions'> {
  const results: TopicResult[] = [];
  const grown: TopicDescription[] = [];
  let partitionCount = state.partitionCount;
  const sizeRefusal = requestSizeRefusal(addedBy(state, command));
  for (const { name, totalPartitions } of command.topics) {
    const topic = state.topicsByName.get(name);
    if (topic === undefined) {
      const message = `Topic '${name.slice(0, 300)}' does not exist.`;
      results.push(refusedTopic(name, null, { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message }));
      continue;
    }
    const added = totalPartitions - topic.partitions.length;
    const refusal =
      sizeRefusal ??
      refusalOf(name, topic.partitions.length, totalPartitions) ??
      partitionLimitRefusal(state, partitionCount, added);
    if (refusal !== null) {
      results.push(refusedTopic(name, topic.id, refusal));
      continue;
    }
    partitionCount += added;
    if (!command.validateOnly) {
      for (let count = 0; count < added; count += 1) {
        topic.partitions.push(createPartition(state.partitionMemory));
      }
      state.partitionCount = partitionCount;
      state.topicsVersion += 1;
      grown.push(describeTopic(topic));
    }
    results.push(acceptedTopic({ ...describeTopic(topic), partitions: totalPartitions }));
  }
  return grown.length === 0
    ? unchanged({ results })
    : changed({ results }, { catalogue: { topics: grown, deletedTopicIds: [], agentsChanged: false } });
}

/** How many partitions a command would create if nothing refused it. A topic may be named more than once. */
function addedBy({ topicsByName }: ClusterState, { topics }: CreatePartitions): number {
  return topics.reduce((sum, { name, totalPartitions }) => {
    const present = topicsByName.get(name)?.partitions.length;
    return sum + (present === undefined ? 0 : Math.max(0, totalPartitions - present));
  }, 0);
}

function refusalOf(name: string, present: number, wanted: number): Refusal | null {
  if (Number.isInteger(wanted) && wanted > present) {
    return null;
  }
  const message =
    wanted === present
      ? `Topic '${name}' already has ${present} partitions.`
      : `Topic '${name}' has ${present} partitions, which is more than the requested ${wanted}.`;
  return { errorCode: ErrorCode.INVALID_PARTITIONS, message };
}
