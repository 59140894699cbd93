// Rebalances of a group: collecting joins, ending the join phase, removing members. The rules are those of Kafka's GroupCoordinator.

import { ErrorCode } from '../model/error-code.ts';
import type { JoinAnswer } from '../model/groups.types.ts';
import { changeMember, dropMember } from '../state/group.ts';
import type { Group, Member } from '../state/group.types.ts';
import type { GroupChanges } from './group-changes.ts';
import { chooseProtocol, metadataOf } from './protocol-choice.ts';

const NO_ASSIGNMENT = new Uint8Array(0);

/** The longest rebalance timeout of any member. */
function rebalanceTimeoutMs(group: Group): number {
  let longest = 0;
  for (const member of group.members.values()) {
    longest = Math.max(longest, member.rebalanceTimeoutMs);
  }
  return longest;
}

/**
 * Starts a join phase unless one is in progress. Calls waiting in SyncGroup get REBALANCE_IN_PROGRESS. A group that was empty first waits
 * `initialDelayMs` for members, and again as long as more of them join.
 */
export function prepareRebalance(group: Group, nowMs: number, changes: GroupChanges, initialDelayMs = 0): void {
  if (group.state !== 'PreparingRebalance') {
    if (group.state === 'CompletingRebalance') {
      for (const member of group.members.values()) {
        changeMember(group, member, { assignment: NO_ASSIGNMENT });
        changes.releaseSync(member, ErrorCode.REBALANCE_IN_PROGRESS);
      }
    }
    const timeoutMs = rebalanceTimeoutMs(group);
    if (group.state === 'Empty' && initialDelayMs > 0) {
      group.gathering = {
        untilMs: nowMs + Math.max(timeoutMs, initialDelayMs),
        delayMs: initialDelayMs,
        joinedSince: false,
      };
      group.deadlineMs = nowMs + initialDelayMs;
    } else {
      group.gathering = null;
      group.deadlineMs = nowMs + timeoutMs;
    }
    group.state = 'PreparingRebalance';
  }
  endJoinPhaseIfAllJoined(group, nowMs, changes);
}

/** Ends the join phase early when every member has joined and no member that was given an id is still expected. */
export function endJoinPhaseIfAllJoined(group: Group, nowMs: number, changes: GroupChanges): void {
  if (group.state !== 'PreparingRebalance' || group.gathering !== null) {
    return;
  }
  // Without members there is no rebalance timeout to wait for.
  if (group.pendingMembers.size > 0 && group.members.size > 0) {
    return;
  }
  for (const member of group.members.values()) {
    if (!member.awaitingJoin) {
      return;
    }
  }
  endJoinPhase(group, nowMs, changes);
}

/** Ends the join phase and starts a new generation: members that have not joined are removed, except static ones. */
export function endJoinPhase(group: Group, nowMs: number, changes: GroupChanges): void {
  for (const member of [...group.members.values()]) {
    if (!member.awaitingJoin && member.groupInstanceId === null) {
      removeMember(group, member, changes);
    }
  }
  group.gathering = null;
  if (group.members.size === 0) {
    becomeEmpty(group, nowMs);
    return;
  }
  if (!electJoinedLeader(group)) {
    // Only static members, and none has rejoined: wait for one of them.
    group.deadlineMs = nowMs + rebalanceTimeoutMs(group);
    return;
  }
  group.generation += 1;
  group.protocolName = chooseProtocol(group);
  group.state = 'CompletingRebalance';
  group.deadlineMs = nowMs + rebalanceTimeoutMs(group);
  for (const member of group.members.values()) {
    member.hasSynced = false;
    if (member.awaitingJoin) {
      member.awaitingJoin = false;
      changes.joined(member.memberId, joinAccepted(group, member));
      changes.session(member.memberId, member.sessionTimeoutMs);
    }
  }
}

function becomeEmpty(group: Group, nowMs: number): void {
  group.generation += 1;
  group.state = 'Empty';
  group.protocolName = null;
  group.leaderId = null;
  group.deadlineMs = null;
  group.gathering = null;
  group.emptySinceMs = nowMs;
}

/** Keeps the leader if it has joined, otherwise chooses the first member that has. False when none has. */
function electJoinedLeader(group: Group): boolean {
  const leader = group.leaderId === null ? undefined : group.members.get(group.leaderId);
  if (leader?.awaitingJoin === true) {
    return true;
  }
  for (const member of group.members.values()) {
    if (member.awaitingJoin) {
      group.leaderId = member.memberId;
      return true;
    }
  }
  return false;
}

/** The answer for a member of the current generation. Only the leader gets the other members. */
export function joinAccepted(group: Group, member: Member): JoinAnswer {
  const isLeader = member.memberId === group.leaderId;
  return {
    errorCode: ErrorCode.NONE,
    generationId: group.generation,
    protocolType: group.protocolType ?? '',
    protocolName: group.protocolName ?? '',
    leader: group.leaderId ?? '',
    memberId: member.memberId,
    members: isLeader
      ? [...group.members.values()].map((other) => ({
          memberId: other.memberId,
          groupInstanceId: other.groupInstanceId,
          metadata: metadataOf(other, group.protocolName),
        }))
      : [],
    skipAssignment: false,
  };
}

/** Removes a member; its parked calls are answered with UNKNOWN_MEMBER_ID. Call `afterRemoval` once all are removed. */
export function removeMember(group: Group, member: Member, changes: GroupChanges): void {
  changes.release(member, ErrorCode.UNKNOWN_MEMBER_ID);
  dropMember(group, member.memberId);
  if (member.groupInstanceId !== null && group.staticMembers.get(member.groupInstanceId) === member.memberId) {
    group.staticMembers.delete(member.groupInstanceId);
  }
  if (group.leaderId === member.memberId) {
    group.leaderId = group.members.keys().next().value ?? null;
  }
  changes.end(member.memberId);
}

/** Updates the group after members were removed, or only pending ids (`lostMembers` false). */
export function afterRemoval(group: Group, lostMembers: boolean, nowMs: number, changes: GroupChanges): void {
  if (lostMembers && (group.state === 'Stable' || group.state === 'CompletingRebalance')) {
    prepareRebalance(group, nowMs, changes);
  } else {
    endJoinPhaseIfAllJoined(group, nowMs, changes);
  }
}
