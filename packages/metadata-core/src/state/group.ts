// A consumer group: the state of its protocol, classic or consumer (KIP-848), and its committed offsets.

import { copyConsumerProtocol } from './consumer-group.ts';
import type { Group, Member, StoredOffset } from './group.types.ts';
import { memberBytes, NO_SIZE, offsetBytes, pendingMemberBytes } from './group-bytes.ts';

type Derived = 'expiresFromMs' | 'memberBytes' | 'offsetBytes' | 'counted';
/** The part of a group that a snapshot stores first, before its members and offsets. */
export type GroupHead = Omit<Group, Derived | 'members' | 'pendingMembers' | 'consumer' | 'offsets'>;

/** A group with its head only. */
export function groupOf(head: GroupHead): Group {
  return {
    ...head,
    members: new Map(),
    pendingMembers: new Map(),
    consumer: null,
    offsets: new Map(),
    expiresFromMs: 0,
    memberBytes: 0,
    offsetBytes: 0,
    counted: NO_SIZE,
  };
}

/** Adds a classic member, or replaces the one of its id. */
export function setMember(group: Group, member: Member): void {
  dropMember(group, member.memberId);
  group.members.set(member.memberId, member);
  group.memberBytes += memberBytes(member);
}

export function dropMember(group: Group, memberId: string): void {
  const member = group.members.get(memberId);
  if (member !== undefined) {
    group.members.delete(memberId);
    group.memberBytes -= memberBytes(member);
  }
}

/** Changes fields of a classic member, which keeps its place. */
export function changeMember(
  group: Group,
  member: Member,
  fields: Partial<Omit<Member, 'memberId' | 'groupInstanceId'>>,
): void {
  group.memberBytes -= memberBytes(member);
  Object.assign(member, fields);
  group.memberBytes += memberBytes(member);
}

export function setPendingMember(group: Group, memberId: string, sessionTimeoutMs: number): void {
  dropPendingMember(group, memberId);
  group.pendingMembers.set(memberId, sessionTimeoutMs);
  group.memberBytes += pendingMemberBytes(memberId);
}

/** False when there was none. */
export function dropPendingMember(group: Group, memberId: string): boolean {
  const isDropped = group.pendingMembers.delete(memberId);
  group.memberBytes -= isDropped ? pendingMemberBytes(memberId) : 0;
  return isDropped;
}

/** Removes all classic members, pending ones included. */
export function dropAllMembers(group: Group): void {
  group.members.clear();
  group.pendingMembers.clear();
  group.staticMembers.clear();
  group.memberBytes = 0;
}

export function setOffset(group: Group, topic: string, partition: number, stored: StoredOffset): void {
  let partitions = group.offsets.get(topic);
  if (partitions === undefined) {
    partitions = new Map();
    group.offsets.set(topic, partitions);
  }
  const before = partitions.get(partition);
  partitions.set(partition, stored);
  group.offsetBytes += offsetBytes(stored) - (before === undefined ? 0 : offsetBytes(before));
}

/** False when there was none. */
export function dropOffset(group: Group, topic: string, partition: number): boolean {
  const partitions = group.offsets.get(topic);
  const stored = partitions?.get(partition);
  if (partitions === undefined || stored === undefined) {
    return false;
  }
  partitions.delete(partition);
  group.offsetBytes -= offsetBytes(stored);
  if (partitions.size === 0) {
    group.offsets.delete(topic);
  }
  return true;
}

export function dropOffsetsOfTopic(group: Group, topic: string): void {
  for (const stored of group.offsets.get(topic)?.values() ?? []) {
    group.offsetBytes -= offsetBytes(stored);
  }
  group.offsets.delete(topic);
}

/** A copy of the group, independent of later changes. */
export function copyGroup(group: Group): Group {
  return {
    ...group,
    members: new Map([...group.members].map(([memberId, member]) => [memberId, { ...member }])),
    pendingMembers: new Map(group.pendingMembers),
    staticMembers: new Map(group.staticMembers),
    gathering: group.gathering === null ? null : { ...group.gathering },
    consumer: group.consumer === null ? null : copyConsumerProtocol(group.consumer),
    offsets: new Map([...group.offsets].map(([topic, partitions]) => [topic, new Map(partitions)])),
  };
}

export function createGroup(groupId: string, nowMs: number): Group {
  return groupOf({
    groupId,
    state: 'Empty',
    generation: 0,
    protocolType: null,
    protocolName: null,
    leaderId: null,
    staticMembers: new Map(),
    deadlineMs: null,
    gathering: null,
    emptySinceMs: nowMs,
  });
}
