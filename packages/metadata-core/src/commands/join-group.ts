// JoinGroup: a client becomes or remains a member.
import { joinAsClassic } from '../consumer-groups/classic-members.ts';
import { GroupChanges, joinRefused } from '../groups/group-changes.ts';
import { joinGroupRefusal } from '../groups/join-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { chooseProtocol, sameProtocols, supportsProtocols } from '../groups/protocol-choice.ts';
import { endJoinPhaseIfAllJoined, joinAccepted, prepareRebalance } from '../groups/rebalance.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { JoinAnswer, JoinGroup } from '../model/groups.types.ts';
import { MAX_MEMBERS_PER_GROUP } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange, placeGroup } from '../state/cluster-state.ts';
import {
  changeMember,
  createGroup,
  dropMember,
  dropPendingMember,
  setMember,
  setPendingMember,
} from '../state/group.ts';
import type { Group, Member } from '../state/group.types.ts';

export function joinGroup(state: ClusterState, command: JoinGroup, nowMs: number): Outcome<'join-group'> {
  const existing = groupToChange(state, command.groupId);
  const refuse = (errorCode: ErrorCode): Outcome<'join-group'> =>
    unchanged({ waiting: false, ...joinRefused(errorCode, command.memberId) });
  const refusal = joinGroupRefusal(state, command);
  if (refusal !== ErrorCode.NONE) {
    return refuse(refusal);
  }
  if (existing === undefined && command.memberId !== '') {
    return refuse(ErrorCode.UNKNOWN_MEMBER_ID);
  }
  if (existing !== undefined && existing.consumer !== null && existing.state !== 'Empty') {
    return joinAsClassic(state, existing, existing.consumer, command, nowMs);
  }
  const group = existing ?? createGroup(command.groupId, nowMs);
  if (
    command.memberId === '' &&
    (group.members.has(command.newMemberId) || group.pendingMembers.has(command.newMemberId))
  ) {
    // Every new member gets an id of its own.
    return refuse(ErrorCode.INVALID_REQUEST);
  }
  const replaced = command.groupInstanceId === null ? undefined : group.staticMembers.get(command.groupInstanceId);
  const self = command.memberId === '' ? (replaced ?? '') : command.memberId;
  if (!supportsProtocols(group, command.protocolType, command.protocols, self)) {
    return refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
  }
  if (command.memberId !== '' && !group.pendingMembers.has(command.memberId)) {
    const { errorCode, member } = checkMember(group, command.memberId, command.groupInstanceId);
    return member === null ? refuse(errorCode) : rejoin(group, member, command, nowMs);
  }
  if (command.memberId !== '' && command.groupInstanceId !== null) {
    // Only dynamic members are given their id beforehand.
    return refuse(ErrorCode.UNKNOWN_MEMBER_ID);
  }
  if (command.memberId === '' && replaced !== undefined) {
    const holder = group.members.get(replaced);
    return holder === undefined ? refuse(ErrorCode.UNKNOWN_MEMBER_ID) : replaceStatic(group, holder, command, nowMs);
  }
  if (command.memberId === '' && group.members.size + group.pendingMembers.size >= MAX_MEMBERS_PER_GROUP) {
    return refuse(ErrorCode.GROUP_MAX_SIZE_REACHED);
  }
  becomeClassic(group);
  placeGroup(state, group);
  if (command.memberId === '' && command.groupInstanceId === null && command.requireKnownMemberId) {
    return tellMemberId(group, command);
  }
  return addMember(group, command, nowMs);
}

/** An empty group of the new protocol becomes one of the classic protocol, and keeps its offsets. */
function becomeClassic(group: Group): void {
  if (group.consumer !== null) {
    group.generation = group.consumer.epoch;
    group.consumer = null;
  }
}

/** A new dynamic member first gets its id, so that a client that retries does not leave ghost members behind. */
function tellMemberId(group: Group, command: JoinGroup): Outcome<'join-group'> {
  const changes = new GroupChanges();
  setPendingMember(group, command.newMemberId, command.sessionTimeoutMs);
  changes.session(command.newMemberId, command.sessionTimeoutMs);
  return changed(
    { waiting: false, ...joinRefused(ErrorCode.MEMBER_ID_REQUIRED, command.newMemberId) },
    { groups: [changes.effect(group)] },
  );
}

function addMember(group: Group, command: JoinGroup, nowMs: number): Outcome<'join-group'> {
  const changes = new GroupChanges();
  const memberId = command.memberId === '' ? command.newMemberId : command.memberId;
  dropPendingMember(group, memberId);
  if (group.members.size === 0) {
    group.protocolType = command.protocolType;
  }
  const member: Member = {
    memberId,
    groupInstanceId: command.groupInstanceId,
    clientId: command.clientId,
    clientHost: command.clientHost,
    sessionTimeoutMs: command.sessionTimeoutMs,
    rebalanceTimeoutMs: command.rebalanceTimeoutMs,
    protocols: command.protocols,
    assignment: new Uint8Array(0),
    awaitingJoin: true,
    awaitingSync: false,
    hasSynced: false,
  };
  setMember(group, member);
  if (command.groupInstanceId !== null) {
    group.staticMembers.set(command.groupInstanceId, memberId);
  }
  group.leaderId ??= memberId;
  if (group.gathering !== null) {
    group.gathering.joinedSince = true;
  }
  changes.session(memberId, member.sessionTimeoutMs);
  prepareRebalance(group, nowMs, changes, command.initialRebalanceDelayMs);
  return waiting(group, memberId, changes);
}

/** A member joins again: for a rebalance, with new subscriptions, or because it lost the answer. */
function rejoin(group: Group, member: Member, command: JoinGroup, nowMs: number): Outcome<'join-group'> {
  const unchangedMember = sameProtocols(member.protocols, command.protocols);
  const isLeader = group.leaderId === member.memberId;
  const keepsGeneration =
    unchangedMember && (group.state === 'CompletingRebalance' || (group.state === 'Stable' && !isLeader));
  if (keepsGeneration) {
    return unchanged({ waiting: false, ...joinAccepted(group, member) });
  }
  const changes = new GroupChanges();
  const wasPreparing = group.state === 'PreparingRebalance';
  updateMember(group, member, command);
  changes.session(member.memberId, member.sessionTimeoutMs);
  if (wasPreparing) {
    endJoinPhaseIfAllJoined(group, nowMs, changes);
  } else {
    prepareRebalance(group, nowMs, changes);
  }
  return waiting(group, member.memberId, changes);
}

/** A known group.instance.id under a new member id: a restarted process replaces the old one, which is fenced. */
function replaceStatic(group: Group, old: Member, command: JoinGroup, nowMs: number): Outcome<'join-group'> {
  const changes = new GroupChanges();
  const oldLeader = group.leaderId;
  changes.release(old, ErrorCode.FENCED_INSTANCE_ID);
  changes.end(old.memberId);
  dropMember(group, old.memberId);
  const member: Member = { ...old, memberId: command.newMemberId };
  setMember(group, member);
  if (old.groupInstanceId !== null) {
    group.staticMembers.set(old.groupInstanceId, member.memberId);
  }
  if (oldLeader === old.memberId) {
    group.leaderId = member.memberId;
  }
  updateMember(group, member, command);
  changes.session(member.memberId, member.sessionTimeoutMs);
  if (group.state === 'Stable' && chooseProtocol(group) === group.protocolName) {
    member.awaitingJoin = false;
    // Names the old leader id, so that a restarted leader does not assign again within a stable generation.
    const { leader, members, ...accepted } = joinAccepted(group, member);
    const isLeader = leader === member.memberId;
    const answer: JoinAnswer = {
      ...accepted,
      leader: oldLeader ?? '',
      members: [],
      ...(isLeader && { ifSkipping: { leader, members } }),
    };
    return changed({ waiting: false, ...answer }, { groups: [changes.effect(group)] });
  }
  if (group.state === 'PreparingRebalance') {
    endJoinPhaseIfAllJoined(group, nowMs, changes);
  } else {
    prepareRebalance(group, nowMs, changes);
  }
  return waiting(group, member.memberId, changes);
}

function updateMember(group: Group, member: Member, command: JoinGroup): void {
  const { clientId, clientHost, sessionTimeoutMs, rebalanceTimeoutMs, protocols } = command;
  changeMember(group, member, {
    clientId,
    clientHost,
    sessionTimeoutMs,
    rebalanceTimeoutMs,
    protocols,
    awaitingJoin: true,
  });
}

function waiting(group: Group, memberId: string, changes: GroupChanges): Outcome<'join-group'> {
  return changed({ waiting: true, memberId }, { groups: [changes.effect(group)] });
}
