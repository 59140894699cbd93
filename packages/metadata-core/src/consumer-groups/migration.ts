// Migration of a group between the protocols while its members run, as with Kafka's default policy (`bidirectional`). The first member of the
// new protocol converts the group, and classic members stay in it. When the last member of the new protocol leaves, the group is converted
// back.

import type { GroupChanges } from '../groups/group-changes.ts';
import { chooseProtocol } from '../groups/protocol-choice.ts';
import { prepareRebalance } from '../groups/rebalance.ts';
import { ErrorCode } from '../model/error-code.ts';
import { type IdKey, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { createConsumerProtocol, NO_PARTITIONS, placeConsumerMember, setTarget } from '../state/consumer-group.ts';
import { dropAllMembers, setMember } from '../state/group.ts';
import type { ConsumerMember, ConsumerProtocol, Group, Member, OwnedPartitions } from '../state/group.types.ts';
import { classicAssignment } from './classic-assignment.ts';
import { decodeAssignment, decodeSubscription } from './consumer-protocol.ts';
import { subscribedTopicsOf } from './subscriptions.ts';

/**
 * The classic group as one of the new protocol; the group itself stays as it is. Null when its members are not consumers, or cannot be
 * understood.
 */
export function upgraded(state: ClusterState, group: Group): ConsumerProtocol | null {
  if (group.state === 'Empty') {
    return createConsumerProtocol(group.generation + 1);
  }
  if (group.protocolType !== 'consumer') {
    return null;
  }
  const consumer = createConsumerProtocol(Math.max(1, group.generation));
  for (const member of group.members.values()) {
    const converted = asConsumerMember(state, consumer, member);
    if (converted === null) {
      return null;
    }
    placeConsumerMember(consumer, converted);
    if (converted.assigned.size > 0) {
      const target = [...converted.assigned].map(([topic, numbers]) => [topic, [...numbers.keys()]] as const);
      setTarget(consumer, converted.memberId, new Map(target));
    }
  }
  consumer.topics = subscribedTopicsOf(state, consumer);
  return consumer;
}

function asConsumerMember(state: ClusterState, consumer: ConsumerProtocol, member: Member): ConsumerMember | null {
  const subscription = decodeSubscription(member.protocols[0]?.metadata ?? new Uint8Array(0));
  const assignment = decodeAssignment(member.assignment);
  if (subscription === null || assignment === null) {
    return null;
  }
  return {
    memberId: member.memberId,
    instanceId: member.groupInstanceId,
    rackId: subscription.rackId,
    clientId: member.clientId,
    clientHost: member.clientHost,
    principal: '',
    rebalanceTimeoutMs: member.rebalanceTimeoutMs,
    subscribedTopics: [...new Set(subscription.topics)].sort(),
    subscribedRegex: null,
    assignor: null,
    epoch: consumer.epoch,
    previousEpoch: consumer.epoch,
    state: 'stable',
    assigned: heldBy(state, consumer, assignment),
    revoking: NO_PARTITIONS,
    revocationDeadlineMs: null,
    classic: { sessionTimeoutMs: member.sessionTimeoutMs, protocols: member.protocols, deadlineMs: null },
  };
}

/** Partitions that exist and that no other member has: a client assigned them, which may have been wrong. */
function heldBy(
  state: ClusterState,
  { epoch, owners }: ConsumerProtocol,
  assignment: readonly (readonly [string, readonly number[]])[],
): OwnedPartitions {
  const held = new Map<IdKey, Map<number, number>>();
  for (const [name, partitions] of assignment) {
    const topic = state.topicsByName.get(name);
    if (topic === undefined) {
      continue;
    }
    const key = idKey(topic.id);
    const free = partitions
      .filter((partition) => topic.partitions[partition] !== undefined && owners.get(key)?.has(partition) !== true)
      .sort((a, b) => a - b);
    if (free.length > 0) {
      held.set(key, new Map([...(held.get(key) ?? []), ...free.map((partition) => [partition, epoch] as const)]));
    }
  }
  return held;
}

/** Makes the group one of the new protocol. Classic members that wait for an answer must join again. */
export function takeOver(group: Group, consumer: ConsumerProtocol, changes: GroupChanges): void {
  for (const member of group.members.values()) {
    changes.release(member, ErrorCode.REBALANCE_IN_PROGRESS);
    changes.session(member.memberId, member.sessionTimeoutMs);
  }
  for (const memberId of group.pendingMembers.keys()) {
    changes.end(memberId);
  }
  dropAllMembers(group);
  group.protocolType = 'consumer';
  group.protocolName = null;
  group.leaderId = null;
  group.deadlineMs = null;
  group.gathering = null;
  group.consumer = consumer;
}

/** Whether these members could form a classic group. */
export function areAllClassic(members: Iterable<ConsumerMember>): boolean {
  let count = 0;
  for (const { classic } of members) {
    if (classic === null) {
      return false;
    }
    count += 1;
  }
  return count > 0;
}

/** Makes the group a classic one again, and starts a rebalance. All its members use the classic protocol. */
export function downgrade(
  state: ClusterState,
  group: Group,
  consumer: ConsumerProtocol,
  nowMs: number,
  changes: GroupChanges,
): void {
  group.consumer = null;
  group.generation = consumer.epoch;
  group.deadlineMs = null;
  for (const member of consumer.members.values()) {
    const { memberId, instanceId, classic } = member;
    if (classic === null) {
      continue;
    }
    setMember(group, {
      memberId,
      groupInstanceId: instanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      sessionTimeoutMs: classic.sessionTimeoutMs,
      rebalanceTimeoutMs: member.rebalanceTimeoutMs,
      protocols: [...classic.protocols],
      assignment: classicAssignment(state, member),
      awaitingJoin: false,
      awaitingSync: false,
      hasSynced: true,
    });
    if (instanceId !== null) {
      group.staticMembers.set(instanceId, memberId);
    }
    group.leaderId ??= memberId;
    changes.session(memberId, classic.sessionTimeoutMs);
  }
  group.state = 'Stable';
  group.protocolName = chooseProtocol(group);
  prepareRebalance(group, nowMs, changes);
}
