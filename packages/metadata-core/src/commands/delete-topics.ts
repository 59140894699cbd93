// DeleteTopics, by name or by id. The runs leave the index at once; their files are deleted when they hold nothing else.
import { ErrorCode } from '../model/error-code.ts';
import { type Id, idKey } from '../model/ids.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { DeleteTopics, TopicResult } from '../model/topics.types.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import { dropOffsetsOfTopic } from '../state/group.ts';
import { truncateBefore } from '../state/partition.ts';
import { describeTopic, type Topic, topicChars } from '../state/topic.ts';
import { forgetPendingOffsets } from '../state/transactions.ts';
import { acceptedTopic, refusedTopic } from '../topics/topic-result.ts';

export function deleteTopics(state: ClusterState, command: DeleteTopics, nowMs: number): Outcome<'delete-topics'> {
  const results: TopicResult[] = [];
  const deletedTopicIds: Id[] = [];
  const remove = (topic: Topic): void => {
    removeTopic(state, topic, nowMs);
    deletedTopicIds.push(topic.id);
    results.push(acceptedTopic(describeTopic(topic)));
  };
  for (const name of command.names) {
    const topic = state.topicsByName.get(name);
    if (topic === undefined) {
      const message = `Topic '${name.slice(0, 300)}' does not exist.`;
      results.push(refusedTopic(name, null, { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message }));
    } else {
      remove(topic);
    }
  }
  for (const topicId of command.topicIds) {
    const topic = state.topics.get(idKey(topicId));
    if (topic === undefined) {
      const message = 'No topic has this id.';
      results.push(refusedTopic('', topicId, { errorCode: ErrorCode.UNKNOWN_TOPIC_ID, message }));
    } else {
      remove(topic);
    }
  }
  return deletedTopicIds.length === 0
    ? unchanged({ results })
    : changed({ results }, { catalogue: { topics: [], deletedTopicIds, agentsChanged: false } });
}

/** Removes the topic, its runs and the offsets that groups committed for it. */
function removeTopic(state: ClusterState, topic: Topic, nowMs: number): void {
  for (const partition of topic.partitions) {
    truncateBefore(partition, partition.highWatermark, state.files, nowMs);
    partition.runs?.discard();
    partition.producers?.discard();
  }
  state.topics.delete(idKey(topic.id));
  state.topicsByName.delete(topic.name);
  state.topicNames.delete(topic.name);
  state.topicChars -= topicChars(topic);
  state.partitionCount -= topic.partitions.length;
  state.topicsVersion += 1;
  forgetPendingOffsets(state.transactions, topic.name);
  for (const group of state.groups.values()) {
    if (group.offsets.has(topic.name)) {
      beforeChange(state, group);
      dropOffsetsOfTopic(group, topic.name);
    }
  }
}
