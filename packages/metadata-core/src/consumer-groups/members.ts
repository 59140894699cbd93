// Finds the member of the new protocol that a call comes from, and removes members. The checks and their order are those of Kafka 4.3's
// GroupMetadataManager.

import type { GroupChanges } from '../groups/group-changes.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import {
  forgetUnusedRegexes,
  NO_PARTITIONS,
  removeConsumerMember,
  STATIC_LEAVE_EPOCH,
} from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol, Group } from '../state/group.types.ts';
import { areAllClassic, downgrade } from './migration.ts';
import type { Refusal } from './refusal.ts';
import { bumpGroupEpoch } from './subscriptions.ts';

/** The member that calls. */
export interface MemberCall {
  readonly memberId: string;
  readonly instanceId: string | null;
  readonly memberEpoch: number;
  readonly owned: ConsumerMemberOwned;
}
export type ConsumerMemberOwned = ReadonlyMap<string, readonly number[]> | null;

/** A member as it is before the call, and the one whose place it takes. */
export interface FoundMember {
  readonly member: ConsumerMember;
  /** The static member with the same instance id, which is replaced; null: none. */
  readonly replaces: ConsumerMember | null;
}

/** A member that has not been added yet. */
export function newConsumerMember(memberId: string, instanceId: string | null): ConsumerMember {
  return {
    memberId,
    instanceId,
    rackId: null,
    clientId: '',
    clientHost: '',
    principal: '',
    rebalanceTimeoutMs: 0,
    subscribedTopics: [],
    subscribedRegex: null,
    assignor: null,
    epoch: 0,
    previousEpoch: 0,
    state: 'stable',
    assigned: NO_PARTITIONS,
    revoking: NO_PARTITIONS,
    revocationDeadlineMs: null,
    classic: null,
  };
}

/** Finds the member that sent the request; it may be joining. @param usesClassicProtocol the caller sends JoinGroup, whose epoch is not checked */
export function findMember(
  groupId: string,
  consumer: ConsumerProtocol,
  call: MemberCall,
  joins: boolean,
  usesClassicProtocol = false,
): FoundMember | Refusal {
  return call.instanceId === null
    ? findDynamic(groupId, consumer, call, joins, usesClassicProtocol)
    : findStatic(consumer, call, call.instanceId, joins, usesClassicProtocol);
}

function findDynamic(
  groupId: string,
  consumer: ConsumerProtocol,
  call: MemberCall,
  joins: boolean,
  usesClassicProtocol: boolean,
): FoundMember | Refusal {
  const member = consumer.members.get(call.memberId);
  if (member === undefined) {
    return joins
      ? { member: newConsumerMember(call.memberId, null), replaces: null }
      : unknownMember(groupId, call.memberId);
  }
  return (usesClassicProtocol ? null : epochRefusal(member, call)) ?? { member, replaces: null };
}

function findStatic(
  consumer: ConsumerProtocol,
  call: MemberCall,
  instanceId: string,
  joins: boolean,
  usesClassicProtocol: boolean,
): FoundMember | Refusal {
  const holder = staticMember(consumer, instanceId);
  if (!joins) {
    if (holder === undefined) {
      return { errorCode: ErrorCode.UNKNOWN_MEMBER_ID, errorMessage: `Instance id ${instanceId} is unknown.` };
    }
    return (
      instanceRefusal(holder, call.memberId, instanceId) ??
      (usesClassicProtocol ? null : epochRefusal(holder, call)) ?? { member: holder, replaces: null }
    );
  }
  if (holder === undefined) {
    return {
      member: { ...(consumer.members.get(call.memberId) ?? newConsumerMember(call.memberId, null)), instanceId },
      replaces: null,
    };
  }
  // Between two members of the new protocol, the first must have left. One of the classic protocol is replaced as in that protocol.
  if (!usesClassicProtocol && holder.classic === null && holder.epoch !== STATIC_LEAVE_EPOCH) {
    return {
      errorCode: ErrorCode.UNRELEASED_INSTANCE_ID,
      errorMessage: `Static member ${call.memberId} with instance id ${instanceId} cannot join the group because the instance id is owned by ${holder.memberId} member.`,
    };
  }
  return { member: { ...holder, memberId: call.memberId, epoch: 0, previousEpoch: 0 }, replaces: holder };
}

/** The static member with this instance id. */
export function staticMember(consumer: ConsumerProtocol, instanceId: string): ConsumerMember | undefined {
  const memberId = consumer.staticMembers.get(instanceId);
  return memberId === undefined ? undefined : consumer.members.get(memberId);
}

/** Null when the caller is the holder of the instance id. */
export function instanceRefusal(holder: ConsumerMember, memberId: string, instanceId: string): Refusal | null {
  return holder.memberId === memberId
    ? null
    : {
        errorCode: ErrorCode.FENCED_INSTANCE_ID,
        errorMessage: `Static member ${memberId} with instance id ${instanceId} was fenced by member ${holder.memberId}.`,
      };
}

export function unknownMember(groupId: string, memberId: string): Refusal {
  return {
    errorCode: ErrorCode.UNKNOWN_MEMBER_ID,
    errorMessage: `Member ${memberId} is not a member of group ${groupId}.`,
  };
}

/** An older epoch passes if the answer with the present one may have been lost, and the member owns nothing that it must not. */
function epochRefusal(member: ConsumerMember, { memberEpoch, owned }: MemberCall): Refusal | null {
  if (memberEpoch === 0 || memberEpoch === member.epoch) {
    return null;
  }
  const isAhead = memberEpoch > member.epoch;
  if (!isAhead && memberEpoch === member.previousEpoch && isWithin(owned, member)) {
    return null;
  }
  return {
    errorCode: ErrorCode.FENCED_MEMBER_EPOCH,
    errorMessage: `The consumer group member has a ${isAhead ? 'greater' : 'smaller'} member epoch (${memberEpoch}) than the one known by the group coordinator (${member.epoch}). The member must abandon all its partitions and rejoin.`,
  };
}

function isWithin(owned: ConsumerMemberOwned, member: ConsumerMember): boolean {
  if (owned === null) {
    return false;
  }
  for (const [topic, partitions] of owned) {
    const assigned = member.assigned.get(topic);
    if (!partitions.every((partition) => assigned?.has(partition) === true)) {
      return false;
    }
  }
  return true;
}

/**
 * Removes members that left or are fenced. What they had is free at once, and a new assignment is due; or the group becomes a classic one,
 * because only members of the classic protocol remain.
 */
export function fenceMembers(
  state: ClusterState,
  group: Group,
  consumer: ConsumerProtocol,
  memberIds: readonly string[],
  nowMs: number,
  changes: GroupChanges,
): void {
  for (const memberId of memberIds) {
    removeConsumerMember(group, consumer, memberId, nowMs);
    changes.end(memberId);
  }
  if (areAllClassic(consumer.members.values())) {
    downgrade(state, group, consumer, nowMs, changes);
    return;
  }
  forgetUnusedRegexes(consumer);
  bumpGroupEpoch(state, group, consumer, nowMs);
}
