// What members of the new protocol subscribe to, and whether the topics have changed since the group epoch.
import { present } from '../model/assert.ts';
import { type IdKey, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { setConsumerMember } from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol, Group } from '../state/group.types.ts';

type Regexes = ConsumerProtocol['regexes'];

/** The names of the topics that a member subscribes to, by name and by its regular expression, whether they exist or not. */
export function* subscribedNames(member: ConsumerMember, regexes: Regexes): Iterable<string> {
  yield* member.subscribedTopics;
  yield* (member.subscribedRegex === null ? undefined : regexes.get(member.subscribedRegex))?.topics ?? [];
}

/** Whether a member subscribes to a topic. */
export function subscribesTo(member: ConsumerMember, regexes: Regexes, topic: string): boolean {
  return (
    isIn(member.subscribedTopics, topic) ||
    (member.subscribedRegex !== null && isIn(regexes.get(member.subscribedRegex)?.topics ?? [], topic))
  );
}

/** All topics that any member subscribes to, whether they exist or not. */
export function groupSubscription({ subscribers, regexes }: ConsumerProtocol): Set<string> {
  const names = new Set(subscribers.keys());
  for (const { topics } of regexes.values()) {
    for (const topic of topics) {
      names.add(topic);
    }
  }
  return names;
}

/** The subscribed topics that exist, with their numbers of partitions, in the order of their ids. */
export function subscribedTopicsOf(state: ClusterState, consumer: ConsumerProtocol): ReadonlyMap<IdKey, number> {
  const found: [IdKey, number][] = [];
  for (const name of groupSubscription(consumer)) {
    const topic = state.topicsByName.get(name);
    if (topic !== undefined) {
      found.push([idKey(topic.id), topic.partitions.length]);
    }
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether subscribed topics were created, deleted or enlarged since the group epoch. Looks only when any topic of the cluster changed. */
export function haveTopicsChanged(state: ClusterState, consumer: ConsumerProtocol): boolean {
  if (consumer.checkedTopicsVersion === state.topicsVersion) {
    return false;
  }
  const now = subscribedTopicsOf(state, consumer);
  if (now.size === consumer.topics.size && [...now].every(([topic, count]) => consumer.topics.get(topic) === count)) {
    consumer.checkedTopicsVersion = state.topicsVersion;
    return false;
  }
  return true;
}

/** A new assignment is due, for which classic members must join again in time. Call it after the members have changed. */
export function bumpGroupEpoch(state: ClusterState, group: Group, consumer: ConsumerProtocol, nowMs: number): void {
  consumer.epoch += 1;
  for (const member of consumer.members.values()) {
    if (member.classic !== null && member.classic.deadlineMs === null) {
      const classic = { ...member.classic, deadlineMs: nowMs + member.rebalanceTimeoutMs };
      setConsumerMember(group, consumer, { ...member, classic });
    }
  }
  consumer.topics = subscribedTopicsOf(state, consumer);
  consumer.checkedTopicsVersion = state.topicsVersion;
}

/** Whether a sorted list has the text. */
function isIn(sorted: readonly string[], text: string): boolean {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (present(sorted[middle], 'topic in the middle') < text) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return sorted[from] === text;
}
