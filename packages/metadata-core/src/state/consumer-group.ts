// The part of a group that the new consumer protocol adds (KIP-848): members, epochs, and the target assignment. Members and assignments are
// immutable, because a snapshot in progress may read them later: a command replaces them.

import { assert } from '../model/assert.ts';
import type {
  ConsumerMember,
  ConsumerProtocol,
  Group,
  OwnedPartitions,
  ReconciliationState,
  ResolvedRegex,
  TopicPartitions,
} from './group.types.ts';
import { consumerMemberBytes, foundTopicsBytes, targetBytes } from './group-bytes.ts';

/** In the order of their numbers in snapshots. */
export const RECONCILIATION_STATES: readonly ReconciliationState[] = [
  'stable',
  'unrevoked-partitions',
  'unreleased-partitions',
];

/** The epoch of a static member that left and may come back. */
export const STATIC_LEAVE_EPOCH = -2;

/** Kafka's names of the states of such a group. */
export type ConsumerGroupStateName = 'Empty' | 'Assigning' | 'Reconciling' | 'Stable';

export const NO_PARTITIONS: OwnedPartitions = new Map();
export const NO_TARGET: TopicPartitions = new Map();

/** A group without members. @param epoch the first epoch, whose target assigns nothing */
export function createConsumerProtocol(epoch: number): ConsumerProtocol {
  return {
    epoch,
    assignmentEpoch: epoch,
    assignedAtMs: 0,
    members: new Map(),
    target: new Map(),
    topics: new Map(),
    regexes: new Map(),
    staticMembers: new Map(),
    owners: new Map(),
    subscribers: new Map(),
    regexSubscribers: new Map(),
    memberBytes: 0,
    checkedTopicsVersion: -1,
  };
}

/** For a snapshot: what is persisted, independent of later changes. */
export function copyConsumerProtocol(consumer: ConsumerProtocol): ConsumerProtocol {
  const { epoch, assignmentEpoch, assignedAtMs, members, target, topics, regexes } = consumer;
  return {
    ...createConsumerProtocol(epoch),
    assignmentEpoch,
    assignedAtMs,
    members: new Map(members),
    target: new Map(target),
    topics,
    regexes: new Map(regexes),
  };
}

export function consumerGroupStateName(consumer: ConsumerProtocol): ConsumerGroupStateName {
  if (consumer.members.size === 0) {
    return 'Empty';
  }
  if (consumer.epoch > consumer.assignmentEpoch) {
    return 'Assigning';
  }
  for (const member of consumer.members.values()) {
    if (!isReconciled(member, consumer.assignmentEpoch)) {
      return 'Reconciling';
    }
  }
  return 'Stable';
}

/** Whether the member has exactly its target of this epoch. */
export function isReconciled(member: ConsumerMember, assignmentEpoch: number): boolean {
  return member.state === 'stable' && member.epoch === assignmentEpoch;
}

/** Adds a member, or replaces the one of its id. */
export function setConsumerMember(group: Group, consumer: ConsumerProtocol, member: ConsumerMember): void {
  placeConsumerMember(consumer, member);
  group.state = 'Stable';
  refreshDeadline(group, consumer);
}

/** Like `setConsumerMember`, without changing the group's state and deadline, which a snapshot contains. */
export function placeConsumerMember(consumer: ConsumerProtocol, member: ConsumerMember): void {
  const before = consumer.members.get(member.memberId);
  if (before !== undefined) {
    forget(consumer, before);
  }
  consumer.members.set(member.memberId, member);
  consumer.memberBytes += consumerMemberBytes(member);
  if (member.instanceId !== null) {
    consumer.staticMembers.set(member.instanceId, member.memberId);
  }
  for (const topic of member.subscribedTopics) {
    count(consumer.subscribers, topic, 1);
  }
  if (member.subscribedRegex !== null) {
    count(consumer.regexSubscribers, member.subscribedRegex, 1);
  }
  own(consumer, member.memberId, member.assigned);
  own(consumer, member.memberId, member.revoking);
}

/** Removes a member with its target. The group epoch stays as it is. */
export function removeConsumerMember(group: Group, consumer: ConsumerProtocol, memberId: string, nowMs: number): void {
  const member = consumer.members.get(memberId);
  assert(member !== undefined, 'a member that is removed is there');
  forget(consumer, member);
  consumer.members.delete(memberId);
  setTarget(consumer, memberId, NO_TARGET);
  if (consumer.members.size === 0) {
    group.state = 'Empty';
    group.emptySinceMs = nowMs;
  }
  refreshDeadline(group, consumer);
}

/** Replaces a member's target. */
export function setTarget(consumer: ConsumerProtocol, memberId: string, target: TopicPartitions): void {
  consumer.memberBytes += targetBytes(target) - targetBytes(consumer.target.get(memberId));
  if (target.size === 0) {
    consumer.target.delete(memberId);
  } else {
    consumer.target.set(memberId, target);
  }
}

/** Notes what a regular expression finds. */
export function setRegex(consumer: ConsumerProtocol, regex: string, resolved: ResolvedRegex): void {
  const before = consumer.regexes.get(regex)?.topics ?? [];
  consumer.memberBytes += foundTopicsBytes(resolved.topics) - foundTopicsBytes(before);
  consumer.regexes.set(regex, resolved);
}

/** Drops resolved regular expressions that no member uses. */
export function forgetUnusedRegexes(consumer: ConsumerProtocol): void {
  for (const [regex, { topics }] of consumer.regexes) {
    if (!consumer.regexSubscribers.has(regex)) {
      consumer.regexes.delete(regex);
      consumer.memberBytes -= foundTopicsBytes(topics);
    }
  }
}

/** Until when the member must do something: confirm a revocation, or join or sync; null: nothing is expected. */
export function memberDeadlineMs({ revocationDeadlineMs, classic }: ConsumerMember): number | null {
  return revocationDeadlineMs ?? classic?.deadlineMs ?? null;
}

function refreshDeadline(group: Group, consumer: ConsumerProtocol): void {
  let deadlineMs: number | null = null;
  for (const member of consumer.members.values()) {
    const mineMs = memberDeadlineMs(member);
    if (mineMs !== null && (deadlineMs === null || mineMs < deadlineMs)) {
      deadlineMs = mineMs;
    }
  }
  group.deadlineMs = deadlineMs;
}

/** Takes a member out of what is derived. */
function forget(consumer: ConsumerProtocol, member: ConsumerMember): void {
  consumer.memberBytes -= consumerMemberBytes(member);
  if (member.instanceId !== null && consumer.staticMembers.get(member.instanceId) === member.memberId) {
    consumer.staticMembers.delete(member.instanceId);
  }
  for (const topic of member.subscribedTopics) {
    count(consumer.subscribers, topic, -1);
  }
  if (member.subscribedRegex !== null) {
    count(consumer.regexSubscribers, member.subscribedRegex, -1);
  }
  disown(consumer, member.memberId, member.assigned);
  disown(consumer, member.memberId, member.revoking);
}

function own({ owners }: ConsumerProtocol, memberId: string, partitions: OwnedPartitions): void {
  for (const [topic, numbers] of partitions) {
    let here = owners.get(topic);
    if (here === undefined) {
      here = new Map();
      owners.set(topic, here);
    }
    for (const partition of numbers.keys()) {
      assert(!here.has(partition), 'a partition has one owner');
      here.set(partition, memberId);
    }
  }
}

function disown({ owners }: ConsumerProtocol, memberId: string, partitions: OwnedPartitions): void {
  for (const [topic, numbers] of partitions) {
    const here = owners.get(topic);
    for (const partition of numbers.keys()) {
      assert(here?.get(partition) === memberId, 'a member owns what it holds');
      here?.delete(partition);
    }
    if (here?.size === 0) {
      owners.delete(topic);
    }
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) {
    counts.delete(key);
  } else {
    counts.set(key, next);
  }
}
