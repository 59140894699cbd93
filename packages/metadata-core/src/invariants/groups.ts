// Invariants of consumer groups of both protocols.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ConsumerMember, ConsumerProtocol, Group, OwnedPartitions } from '../state/group.types.ts';

export function checkGroup(state: ClusterState, groupId: string, group: Group): void {
  equal(group.groupId, groupId, 'a group is under its id');
  atLeast(group.generation, 0, 'the generation of a group is not negative');
  for (const [topic, partitions] of group.offsets) {
    atLeast(partitions.size, 1, 'a topic in a group has offsets');
    holds(state.topicsByName.has(topic), 'committed offsets are of a topic that exists', topic);
  }
  if (group.consumer === null) {
    checkClassic(group);
  } else {
    checkConsumer(group, group.consumer);
  }
}

function checkClassic(group: Group): void {
  const { members, groupId, state, leaderId, staticMembers, pendingMembers, gathering } = group;
  equal(leaderId === null, members.size === 0, 'there is a leader exactly when there are members');
  holds(leaderId === null || members.has(leaderId), 'the leader of a group is a member', groupId);
  holds(members.size === 0 || state !== 'Empty', 'an empty group has no members', groupId);
  holds(members.size > 0 || state === 'Empty' || gathering !== null, 'a group without members is empty', groupId);
  holds(gathering === null || state === 'PreparingRebalance', 'members gather only in the join phase', groupId);
  let [hasUnsynced, instances] = [false, 0];
  for (const [memberId, member] of members) {
    equal(member.memberId, memberId, 'a member is under its id');
    holds(!member.awaitingJoin || state === 'PreparingRebalance', 'a join waits only in the join phase', memberId);
    holds(!member.awaitingSync || state === 'CompletingRebalance', 'a sync waits only for an assignment', memberId);
    holds(!pendingMembers.has(memberId), 'a member is no longer pending', memberId);
    atLeast(member.sessionTimeoutMs, 1, 'a member has a session timeout');
    hasUnsynced ||= !member.hasSynced;
    if (member.groupInstanceId !== null) {
      equal(staticMembers.get(member.groupInstanceId), memberId, 'an instance id has one member');
      instances += 1;
    }
  }
  equal(staticMembers.size, instances, 'each instance id has a member');
  const isWaiting =
    state === 'PreparingRebalance' || state === 'CompletingRebalance' || (state === 'Stable' && hasUnsynced);
  equal(group.deadlineMs !== null, isWaiting, 'there is a deadline exactly while something is waited for');
}

function checkConsumer(group: Group, consumer: ConsumerProtocol): void {
  const { members, target, owners, regexes, subscribers, regexSubscribers, staticMembers } = consumer;
  equal(group.members.size + group.pendingMembers.size + group.staticMembers.size, 0, 'no member is a classic one');
  equal(group.state, members.size === 0 ? 'Empty' : 'Stable', 'the state of a group says whether it has members');
  equal(group.protocolType, 'consumer', 'the protocol type of the new protocol is consumer');
  atMost(consumer.assignmentEpoch, consumer.epoch, 'an assignment is not ahead of its group');
  const subscriptions = new Map<string, number>();
  const expressions = new Map<string, number>();
  let [usesNew, held, instances] = [false, 0, 0];
  for (const [memberId, member] of members) {
    equal(member.memberId, memberId, 'a member of the new protocol is under its id');
    checkMember(consumer, member);
    held += checkHeld(consumer, memberId, member.assigned) + checkHeld(consumer, memberId, member.revoking);
    usesNew ||= member.classic === null;
    for (const topic of member.subscribedTopics) {
      count(subscriptions, topic);
    }
    if (member.subscribedRegex !== null) {
      count(expressions, member.subscribedRegex);
    }
    if (member.instanceId !== null) {
      equal(staticMembers.get(member.instanceId), memberId, 'an instance id of the new protocol has one member');
      instances += 1;
    }
  }
  holds(usesNew || members.size === 0, 'a member uses the new protocol', group.groupId);
  equal(staticMembers.size, instances, 'each instance id of the new protocol has a member');
  equal(held, sizeOf(owners), 'each partition that is owned is held by a member');
  checkCounts(subscribers, subscriptions, 'subscribers are counted');
  checkCounts(regexSubscribers, expressions, 'subscribers of expressions are counted');
  for (const regex of regexes.keys()) {
    holds(regexSubscribers.has(regex), 'a resolved expression has a subscriber', regex);
  }
  const assigned = new Map<string, Set<number>>();
  for (const [memberId, topics] of target) {
    holds(members.has(memberId), 'a target is that of a member', memberId);
    for (const [topic, numbers] of topics) {
      const taken = assigned.get(topic) ?? new Set();
      assigned.set(topic, taken);
      atLeast(numbers.length, 1, 'a topic in a target has partitions');
      for (const partition of numbers) {
        holds(!taken.has(partition), 'no partition is in two targets', partition);
        taken.add(partition);
      }
    }
  }
}

function checkMember(consumer: ConsumerProtocol, member: ConsumerMember): void {
  atMost(member.epoch, consumer.assignmentEpoch, 'no member is ahead of its assignment');
  holds(
    member.state === 'unrevoked-partitions' || member.revoking.size === 0,
    'partitions are given up only in the state for it',
    member.memberId,
  );
}

/** The number of partitions that the member holds, each of which must name it as the owner. */
function checkHeld({ owners }: ConsumerProtocol, memberId: string, held: OwnedPartitions): number {
  let partitions = 0;
  for (const [topic, numbers] of held) {
    const here = owners.get(topic);
    for (const partition of numbers.keys()) {
      equal(here?.get(partition), memberId, 'the owner of a partition is the member that holds it');
      partitions += 1;
    }
  }
  return partitions;
}

function sizeOf(owners: ConsumerProtocol['owners']): number {
  let size = 0;
  for (const numbers of owners.values()) {
    size += numbers.size;
  }
  return size;
}

function count(counts: Map<string, number>, name: string): void {
  // Absent: not counted yet.
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function checkCounts(found: ReadonlyMap<string, number>, due: ReadonlyMap<string, number>, what: string): void {
  equal(found.size, due.size, what);
  for (const [name, times] of due) {
    equal(found.get(name), times, what);
  }
}
