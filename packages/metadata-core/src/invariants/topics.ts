// Invariants of topics: each is under its id and its name, and what is derived from them is complete.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import { ID_BYTES, type IdKey, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { OrderedTexts } from '../state/ordered-texts.ts';
import { type Topic, topicChars } from '../state/topic.ts';

/** Compares ordered texts with those that they are derived from. */
export function checkOrder(ordered: OrderedTexts, texts: ReadonlyMap<string, unknown>, what: string): void {
  let count = 0;
  let before: string | null = null;
  for (const text of ordered.following(null)) {
    holds(before === null || before < text, what, text);
    holds(texts.has(text), what, text);
    before = text;
    count += 1;
  }
  equal(count, texts.size, what);
}

export function checkTopic(state: ClusterState, key: IdKey, topic: Topic): void {
  const { name } = topic;
  equal(topic.id.length, ID_BYTES, 'the id of a topic has 16 bytes');
  equal(idKey(topic.id), key, 'a topic is under its id');
  equal(state.topicsByName.get(name), topic, 'a topic is under its name');
  atLeast(topic.partitions.length, 1, 'a topic has partitions');
  atLeast(topic.firstProducerId, 1, 'the first producer id after a topic is positive');
  atMost(topic.firstProducerId, state.nextProducerId, 'a topic knows no producer id of the future');
  atLeast(topic.createdAtMs, 0, 'a topic was created after the epoch');
}

export function checkTopics(state: ClusterState): void {
  equal(state.topicsByName.size, state.topics.size, 'each topic has one name');
  checkOrder(state.topicNames.inOrder, state.topicsByName, 'the names of topics are in order');
  checkOrder(state.groupIds, state.groups, 'the ids of groups are in order');
  let chars = 0;
  for (const topic of state.topics.values()) {
    chars += topicChars(topic);
  }
  equal(state.topicChars, chars, 'the characters of topics are what they add up to');
  equal(state.changedGroups.size, 0, 'changed groups are counted');
}
