// SyncGroup: the leader sends the assignments, and every member gets its own.
import { syncAsClassic } from '../consumer-groups/classic-members.ts';
import { GroupChanges, syncRefused } from '../groups/group-changes.ts';
import { isGroupId } from '../groups/join-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { SyncAnswer, SyncGroup } from '../model/groups.types.ts';
import { MAX_ASSIGNMENT_BYTES } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange } from '../state/cluster-state.ts';
import { changeMember } from '../state/group.ts';
import type { Group, Member } from '../state/group.types.ts';

export function syncGroup(state: ClusterState, command: SyncGroup): Outcome<'sync-group'> {
  const refuse = (errorCode: ErrorCode): Outcome<'sync-group'> =>
    unchanged({ waiting: false, ...syncRefused(errorCode) });
  if (!isGroupId(command.groupId)) {
    return refuse(ErrorCode.INVALID_GROUP_ID);
  }
  const group = groupToChange(state, command.groupId);
  if (group === undefined) {
    return refuse(ErrorCode.UNKNOWN_MEMBER_ID);
  }
  if (group.consumer !== null) {
    return syncAsClassic(state, group, group.consumer, command);
  }
  const { errorCode, member } = checkMember(group, command.memberId, command.groupInstanceId);
  if (member === null) {
    return refuse(errorCode);
  }
  if (command.generationId !== group.generation) {
    return refuse(ErrorCode.ILLEGAL_GENERATION);
  }
  if (
    (command.protocolType !== '' && command.protocolType !== group.protocolType) ||
    (command.protocolName !== '' && command.protocolName !== group.protocolName)
  ) {
    return refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
  }
  switch (group.state) {
    case 'Empty':
      return refuse(ErrorCode.UNKNOWN_MEMBER_ID);
    case 'PreparingRebalance':
      return refuse(ErrorCode.REBALANCE_IN_PROGRESS);
    case 'CompletingRebalance':
      return command.memberId === group.leaderId
        ? assign(group, member, command, refuse)
        : awaitAssignment(group, member);
    case 'Stable':
      return takeAssignment(group, member);
  }
}

/** The leader's call assigns to every member; a member without an assignment gets an empty one. */
function assign(
  group: Group,
  leader: Member,
  command: SyncGroup,
  refuse: (errorCode: ErrorCode) => Outcome<'sync-group'>,
): Outcome<'sync-group'> {
  if (command.assignments.some(({ assignment }) => assignment.length > MAX_ASSIGNMENT_BYTES)) {
    return refuse(ErrorCode.INVALID_REQUEST);
  }
  const changes = new GroupChanges();
  const byMember = new Map(command.assignments.map(({ memberId, assignment }) => [memberId, assignment]));
  group.state = 'Stable';
  leader.hasSynced = true;
  changes.session(leader.memberId, leader.sessionTimeoutMs);
  for (const member of group.members.values()) {
    changeMember(group, member, { assignment: byMember.get(member.memberId) ?? new Uint8Array(0) });
    if (member.awaitingSync) {
      member.awaitingSync = false;
      changes.synced(member.memberId, syncAccepted(group, member));
      changes.session(member.memberId, member.sessionTimeoutMs);
    }
  }
  endSyncWaitIfAllSynced(group);
  return changed({ waiting: false, ...syncAccepted(group, leader) }, { groups: [changes.effect(group)] });
}

function awaitAssignment(group: Group, member: Member): Outcome<'sync-group'> {
  const answer = { waiting: true, memberId: member.memberId } as const;
  if (member.awaitingSync) {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  member.awaitingSync = true;
  member.hasSynced = true;
  changes.session(member.memberId, member.sessionTimeoutMs);
  return changed(answer, { groups: [changes.effect(group)] });
}

function takeAssignment(group: Group, member: Member): Outcome<'sync-group'> {
  const answer = { waiting: false, ...syncAccepted(group, member) } as const;
  if (member.hasSynced) {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  member.hasSynced = true;
  endSyncWaitIfAllSynced(group);
  changes.session(member.memberId, member.sessionTimeoutMs);
  return changed(answer, { groups: [changes.effect(group)] });
}

function endSyncWaitIfAllSynced(group: Group): void {
  for (const member of group.members.values()) {
    if (!member.hasSynced) {
      return;
    }
  }
  group.deadlineMs = null;
}

function syncAccepted(group: Group, member: Member): SyncAnswer {
  return {
    errorCode: ErrorCode.NONE,
    protocolType: group.protocolType ?? '',
    protocolName: group.protocolName ?? '',
    assignment: member.assignment,
  };
}
