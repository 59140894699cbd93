// What groups take of the memory of a cluster. The sizes are derived from contents alone, never from how a state came about, and commands are
// refused by them: they are part of the rules, and change only with a rules level.

import type { GroupProtocol } from '../model/groups.types.ts';
import type {
  ConsumerMember,
  ConsumerProtocol,
  Group,
  GroupSize,
  Member,
  StoredOffset,
  TopicPartitions,
} from './group.types.ts';

export const GROUP_BYTES = 750;
const MEMBER_BYTES = 1_000;
const PENDING_MEMBER_BYTES = 100;
/** Size of a partition that a member holds, including its ownership. */
const ASSIGNED_PARTITION_BYTES = 100;
/** Size of a partition in a member's target. */
const TARGET_PARTITION_BYTES = 50;
/**
 * Size of a topic that a group subscribes to or that a regular expression matches: entries of maps and lists, which
 * share its name.
 */
const SUBSCRIBED_TOPIC_BYTES = 60;
const FOUND_TOPIC_BYTES = 16;
export const OFFSETS_OF_TOPIC_BYTES = 350;
const OFFSET_BYTES = 135;
/** Size of a character. V8 uses one byte if all are below 256. */
export const CHAR_BYTES = 2;

export const NO_SIZE: GroupSize = { members: 0, offsets: 0 };

export function groupSize(group: Group): GroupSize {
  return {
    members:
      GROUP_BYTES +
      group.groupId.length * CHAR_BYTES +
      group.memberBytes +
      (group.consumer === null ? 0 : consumerProtocolBytes(group.consumer)),
    offsets: group.offsetBytes + group.offsets.size * OFFSETS_OF_TOPIC_BYTES,
  };
}

function consumerProtocolBytes({ memberBytes, topics, subscribers, regexes }: ConsumerProtocol): number {
  return memberBytes + (topics.size + subscribers.size + regexes.size) * SUBSCRIBED_TOPIC_BYTES;
}

export function memberBytes(member: Omit<Member, 'awaitingJoin' | 'awaitingSync' | 'hasSynced'>): number {
  const { memberId, groupInstanceId, clientId, clientHost, protocols, assignment } = member;
  const chars = memberId.length + (groupInstanceId?.length ?? 0) + clientId.length + clientHost.length;
  return MEMBER_BYTES + chars * CHAR_BYTES + protocolBytes(protocols) + assignment.length;
}

export function protocolBytes(protocols: readonly GroupProtocol[]): number {
  let bytes = 0;
  for (const { name, metadata } of protocols) {
    bytes += name.length * CHAR_BYTES + metadata.length;
  }
  return bytes;
}

export function pendingMemberBytes(memberId: string): number {
  return PENDING_MEMBER_BYTES + memberId.length * CHAR_BYTES;
}

/** Size of a member without its target. */
export function consumerMemberBytes(member: ConsumerMember): number {
  let partitions = 0;
  for (const numbers of member.assigned.values()) {
    partitions += numbers.size;
  }
  for (const numbers of member.revoking.values()) {
    partitions += numbers.size;
  }
  return describedMemberBytes(member) + partitions * ASSIGNED_PARTITION_BYTES;
}

/** Size of the facts that a member reports about itself. */
export function describedMemberBytes(
  member: Pick<
    ConsumerMember,
    'memberId' | 'instanceId' | 'rackId' | 'clientId' | 'clientHost' | 'principal' | 'subscribedTopics'
  > & { subscribedRegex: string | null; classic: { protocols: readonly GroupProtocol[] } | null },
): number {
  let chars =
    member.memberId.length +
    (member.instanceId?.length ?? 0) +
    (member.rackId?.length ?? 0) +
    member.clientId.length +
    member.clientHost.length +
    member.principal.length +
    (member.subscribedRegex?.length ?? 0);
  for (const topic of member.subscribedTopics) {
    chars += topic.length;
  }
  const listed = member.subscribedTopics.length * FOUND_TOPIC_BYTES;
  const classic = member.classic === null ? 0 : protocolBytes(member.classic.protocols);
  return MEMBER_BYTES + chars * CHAR_BYTES + listed + classic;
}

export function targetBytes(target: TopicPartitions | undefined): number {
  let partitions = 0;
  for (const numbers of target?.values() ?? []) {
    partitions += numbers.length;
  }
  return partitions * TARGET_PARTITION_BYTES;
}

export function foundTopicsBytes(topics: readonly string[]): number {
  return topics.length * FOUND_TOPIC_BYTES;
}

export function offsetBytes({ metadata }: Pick<StoredOffset, 'metadata'>): number {
  return OFFSET_BYTES + metadata.length * CHAR_BYTES;
}

/** Size of all partitions that a new group could get: held by its members, and in their targets. */
export function assignableBytes(partitions: number): number {
  return partitions * (ASSIGNED_PARTITION_BYTES + TARGET_PARTITION_BYTES);
}
