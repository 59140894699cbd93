// Conditions of commands about topics.
import { type Id, idKey } from '../model/ids.ts';
import { MAX_PARTITIONS_PER_CLUSTER } from '../model/limits.ts';
import type { TopicDescription, TopicResults } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Topic } from '../state/topic.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

function requireResults({ results }: TopicResults, asked: number): void {
  equal(results.length, asked, 'each topic of a request has a result');
  for (const { name, errorCode, errorMessage, topic } of results) {
    holds(errorCode === 0 || errorMessage !== '', 'a refused topic has a reason', name);
    holds((topic === null) === (errorCode !== 0), 'an accepted topic is described, and only it', name);
  }
}

/** The topic of a description, under both of its keys. */
function described(state: ClusterState, { name, topicId, partitions }: TopicDescription): Topic {
  const topic = state.topicsByName.get(name);
  holds(topic !== undefined, 'a published topic is under its name', name);
  equal(state.topics.get(idKey(topicId)), topic, 'a published topic is under its id');
  equal(topic.name, name, 'a published topic has its name');
  equal(topic.partitions.length, partitions, 'a published topic has its partitions');
  return topic;
}

export const createTopics: Conditions<'create-topics'> =
  (before, state, command, nowMs) =>
  ({ changed, answer, effects }) => {
    const created = effects.catalogue?.topics ?? [];
    requireResults(answer, command.topics.length);
    equal(changed, created.length > 0, 'a created topic is a change');
    holds(!changed || !command.validateOnly, 'a validated topic is not created', command.validateOnly);
    equal(state.topics.size, before.topics + created.length, 'each created topic is added');
    equal(state.topicsVersion, before.topicsVersion + created.length, 'each created topic raises the version');
    equal(effects.catalogue?.deletedTopicIds.length ?? 0, 0, 'a creation deletes no topic');
    let [partitions, chars] = [0, 0];
    for (const description of created) {
      const topic = described(state, description);
      equal(topic.createdAtMs, nowMs, 'a topic is created now');
      equal(topic.firstProducerId, state.nextProducerId, 'a topic is newer than all producer ids');
      atLeast(topic.partitions.length, 1, 'a created topic has a partition');
      for (const partition of [topic.partitions[0], topic.partitions.at(-1)]) {
        equal(partition?.highWatermark, 0, 'a new partition is empty');
        equal(partition?.logStartOffset, 0, 'a new partition starts at 0');
        equal(partition?.runs, null, 'a new partition has no runs');
        equal(partition?.producers, null, 'a new partition has no producers');
        equal(partition?.memory, state.partitionMemory, 'a new partition is on the account of its cluster');
      }
      partitions += topic.partitions.length;
      chars += topic.name.length;
    }
    equal(state.partitionCount, before.partitions + partitions, 'the partitions of created topics are counted');
    atLeast(state.topicChars, before.topicChars + chars, 'the names of created topics are counted');
    holds(!changed || state.partitionCount <= MAX_PARTITIONS_PER_CLUSTER, 'created topics fit', state.partitionCount);
  };

export const deleteTopics: Conditions<'delete-topics'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const deleted: readonly Id[] = effects.catalogue?.deletedTopicIds ?? [];
    requireResults(answer, command.names.length + command.topicIds.length);
    equal(changed, deleted.length > 0, 'a deleted topic is a change');
    equal(state.topics.size, before.topics - deleted.length, 'each deleted topic is removed');
    equal(state.topicsByName.size, before.topics - deleted.length, 'each name of a deleted topic is removed');
    equal(state.topicsVersion, before.topicsVersion + deleted.length, 'each deletion raises the version');
    atMost(state.partitionCount, before.partitions - deleted.length, 'the partitions of a deleted topic are gone');
    atMost(state.topicChars, before.topicChars - deleted.length, 'the name of a deleted topic is gone');
    equal(effects.catalogue?.topics.length ?? 0, 0, 'a deletion creates no topic');
    for (const topicId of deleted) {
      equal(state.topics.has(idKey(topicId)), false, 'a deleted topic is not under its id');
    }
    equal(state.files.size, before.files, 'the deletion of a topic forgets no file');
    atLeast(state.files.dead, before.deadFiles, 'the deletion of a topic revives no file');
    atMost(state.partitionMemory.producerCount, before.producers, 'the deletion of a topic adds no producer');
    const { transactions } = state;
    equal(transactions.byId.size, before.transactionalIds, 'the deletion of a topic leaves transactional ids');
    equal(transactions.open.size, before.openTransactions, 'the deletion of a topic ends no transaction');
    atMost(transactions.counts.offsets, before.pendingOffsets, 'the deletion of a topic adds no pending offset');
    atMost(transactions.counts.offsetChars, before.pendingChars, 'pending offsets of a deleted topic are gone');
    atMost(transactions.counts.aborted, before.abortedTransactions, 'the deletion of a topic aborts nothing');
  };

export const createPartitions: Conditions<'create-partitions'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const grown = effects.catalogue?.topics ?? [];
    requireResults(answer, command.topics.length);
    equal(changed, grown.length > 0, 'a topic that grows is a change');
    holds(!changed || !command.validateOnly, 'validated partitions are not created', command.validateOnly);
    equal(state.topics.size, before.topics, 'new partitions make no topic');
    equal(state.topicChars, before.topicChars, 'new partitions leave names and configs');
    equal(state.topicsVersion, before.topicsVersion + grown.length, 'each topic that grows raises the version');
    atLeast(state.partitionCount, before.partitions + grown.length, 'a topic that grows gets a partition');
    holds(!changed || state.partitionCount <= MAX_PARTITIONS_PER_CLUSTER, 'new partitions fit', state.partitionCount);
    for (const { name, topicId, partitions } of grown) {
      const topic = state.topicsByName.get(name);
      holds(topic !== undefined, 'a topic that grows exists', name);
      equal(state.topics.get(idKey(topicId)), topic, 'a topic that grows keeps its id');
      // A request can name a topic twice.
      atLeast(topic.partitions.length, partitions, 'a topic has the partitions that it grew to');
      equal(topic.partitions.at(-1)?.highWatermark, 0, 'the newest partition of a topic is empty');
    }
  };

export const alterConfigs: Conditions<'alter-configs'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const altered = effects.catalogue?.topics ?? [];
    requireResults(answer, command.topics.length);
    equal(changed, altered.length > 0, 'an altered config is a change');
    holds(!changed || !command.validateOnly, 'a validated config is not altered', command.validateOnly);
    equal(state.topics.size, before.topics, 'configs make no topic');
    equal(state.topicsVersion, before.topicsVersion, 'configs leave the version of the topics');
    equal(state.partitionCount, before.partitions, 'configs make no partition');
    for (const description of altered) {
      described(state, description);
    }
  };
