// Members that use the classic protocol in a group of the new protocol. A JoinGroup is one step of reconciliation, and is answered at once;
// SyncGroup returns what the step gave. Heartbeats tell the member to join again while there is a step to make. The rules are those of Kafka
// 4.3's GroupMetadataManager.

import { GroupChanges, joinRefused, syncRefused } from '../groups/group-changes.ts';
import { joinGroupRefusal } from '../groups/join-checks.ts';
import { endJoinPhaseIfAllJoined } from '../groups/rebalance.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { JoinGroup, LeaveGroup, SyncGroup } from '../model/groups.types.ts';
import { type IdKey, idKey } from '../model/ids.ts';
import { MAX_MEMBERS_PER_GROUP } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import { NO_TARGET, setConsumerMember } from '../state/consumer-group.ts';
import type { ClassicMembership, ConsumerMember, ConsumerProtocol, Group } from '../state/group.types.ts';
import { classicAssignment } from './classic-assignment.ts';
import { decodeSubscription } from './consumer-protocol.ts';
import { fenceMembers, findMember, instanceRefusal, staticMember } from './members.ts';
import { areAllClassic, downgrade } from './migration.ts';
import { isRefusal } from './refusal.ts';
import { planStep, type Step, takeStep } from './step.ts';

type ClassicMember = ConsumerMember & { readonly classic: ClassicMembership };

export function joinAsClassic(
  state: ClusterState,
  group: Group,
  consumer: ConsumerProtocol,
  command: JoinGroup,
  nowMs: number,
): Outcome<'join-group'> {
  const refuse = (errorCode: ErrorCode, memberId = command.memberId): Outcome<'join-group'> =>
    unchanged({ waiting: false, ...joinRefused(errorCode, memberId) });
  const refusal = joinGroupRefusal(state, command);
  if (refusal !== ErrorCode.NONE) {
    return refuse(refusal);
  }
  const isUnknown = command.memberId === '';
  const memberId = isUnknown ? command.newMemberId : command.memberId;
  if (consumer.members.size >= MAX_MEMBERS_PER_GROUP && !consumer.members.has(memberId)) {
    return refuse(ErrorCode.GROUP_MAX_SIZE_REACHED);
  }
  const subscription = decodeSubscription(command.protocols[0]?.metadata ?? new Uint8Array(0));
  if (subscription === null || !supportsProtocols(consumer, memberId, command)) {
    return refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
  }
  const { groupInstanceId } = command;
  if (isUnknown && groupInstanceId === null && command.requireKnownMemberId) {
    return refuse(ErrorCode.MEMBER_ID_REQUIRED, memberId);
  }
  const call = { memberId, instanceId: groupInstanceId, memberEpoch: -1, owned: null };
  const joins = groupInstanceId === null || isUnknown;
  const found = findMember(command.groupId, consumer, call, joins, true);
  if (isRefusal(found)) {
    return refuse(found.errorCode);
  }
  const updated: ConsumerMember = {
    ...found.member,
    rackId: subscription.rackId ?? found.member.rackId,
    clientId: command.clientId,
    clientHost: command.clientHost,
    rebalanceTimeoutMs: command.rebalanceTimeoutMs,
    subscribedTopics: [...new Set(subscription.topics)].sort(),
    subscribedRegex: null,
    revocationDeadlineMs: null,
    classic: {
      sessionTimeoutMs: command.sessionTimeoutMs,
      protocols: command.protocols,
      // It must sync in time.
      deadlineMs: nowMs + command.rebalanceTimeoutMs,
    },
  };
  const owned = new Map<IdKey, readonly number[]>();
  for (const [name, partitions] of subscription.owned) {
    const topic = state.topicsByName.get(name);
    if (topic !== undefined) {
      owned.set(idKey(topic.id), partitions);
    }
  }
  const { member: before, replaces } = found;
  return join(state, planStep(state, { group, consumer, before, updated, replaces, owned }, nowMs), command, nowMs);
}

function join(state: ClusterState, step: Step, command: JoinGroup, nowMs: number): Outcome<'join-group'> {
  const { group, consumer, after } = step;
  const changes = new GroupChanges();
  takeStep(state, step, nowMs, changes);
  changes.session(after.memberId, command.sessionTimeoutMs);
  if (areAllClassic(consumer.members.values())) {
    // It took the place of the last member of the new protocol.
    downgrade(state, group, consumer, nowMs, changes);
    const member = group.members.get(after.memberId);
    if (member !== undefined) {
      member.awaitingJoin = true;
    }
    endJoinPhaseIfAllJoined(group, nowMs, changes);
    return changed({ waiting: true, memberId: after.memberId }, { groups: [changes.effect(group)] });
  }
  const answer = {
    waiting: false,
    errorCode: ErrorCode.NONE,
    generationId: after.epoch,
    protocolType: 'consumer',
    protocolName: command.protocols[0]?.name ?? '',
    // Nobody leads: the service assigns.
    leader: '',
    memberId: after.memberId,
    members: [],
    skipAssignment: false,
    isAssignmentDue: consumer.epoch > consumer.assignmentEpoch,
  } as const;
  return changed({ ...answer, members: [] }, { groups: [changes.effect(group)] });
}

/** Whether there is a protocol that all classic members have, if this one joins. */
function supportsProtocols(consumer: ConsumerProtocol, memberId: string, command: JoinGroup): boolean {
  if (command.protocolType !== 'consumer' || command.protocols.length === 0) {
    return false;
  }
  const others = [...consumer.members.values()].filter((member) => member.memberId !== memberId).filter(isClassic);
  return command.protocols.some(({ name }) =>
    others.every(({ classic }) => classic.protocols.some((protocol) => protocol.name === name)),
  );
}

function isClassic(member: ConsumerMember): member is ClassicMember {
  return member.classic !== null;
}

/** The classic member that calls. */
function classicMember(
  consumer: ConsumerProtocol,
  memberId: string,
  instanceId: string | null,
): ClassicMember | ErrorCode {
  const member = instanceId === null ? consumer.members.get(memberId) : staticMember(consumer, instanceId);
  if (member === undefined) {
    return ErrorCode.UNKNOWN_MEMBER_ID;
  }
  if (instanceId !== null && instanceRefusal(member, memberId, instanceId) !== null) {
    return ErrorCode.FENCED_INSTANCE_ID;
  }
  return isClassic(member) ? member : ErrorCode.UNKNOWN_MEMBER_ID;
}

export function syncAsClassic(
  state: ClusterState,
  group: Group,
  consumer: ConsumerProtocol,
  command: SyncGroup,
): Outcome<'sync-group'> {
  const refuse = (errorCode: ErrorCode): Outcome<'sync-group'> =>
    unchanged({ waiting: false, ...syncRefused(errorCode) });
  const member = classicMember(consumer, command.memberId, command.groupInstanceId);
  if (typeof member === 'number') {
    return refuse(member);
  }
  if (command.generationId !== member.epoch) {
    return refuse(ErrorCode.ILLEGAL_GENERATION);
  }
  const protocolName = member.classic.protocols[0]?.name ?? '';
  if (
    (command.protocolType !== '' && command.protocolType !== 'consumer') ||
    (command.protocolName !== '' && command.protocolName !== protocolName)
  ) {
    return refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
  }
  if (isBehind(consumer, member)) {
    return refuse(ErrorCode.REBALANCE_IN_PROGRESS);
  }
  const assignment = classicAssignment(state, member);
  const answer = {
    waiting: false,
    errorCode: ErrorCode.NONE,
    protocolType: 'consumer',
    protocolName,
    assignment,
  } as const;
  // What it gives up, it confirms when it joins again, which it must do in time.
  if (member.classic.deadlineMs === null || member.state === 'unrevoked-partitions') {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  beforeChange(state, group);
  setConsumerMember(group, consumer, { ...member, classic: { ...member.classic, deadlineMs: null } });
  changes.session(member.memberId, member.classic.sessionTimeoutMs);
  return changed(answer, { groups: [changes.effect(group)] });
}

/** The group has moved on since the member joined. One that gives up partitions finishes that first. */
function isBehind(consumer: ConsumerProtocol, member: ConsumerMember): boolean {
  return member.epoch < consumer.epoch && member.state !== 'unrevoked-partitions';
}

export function heartbeatAsClassic(
  consumer: ConsumerProtocol,
  call: { memberId: string; groupInstanceId: string | null; generationId: number },
): ErrorCode {
  const member = classicMember(consumer, call.memberId, call.groupInstanceId);
  if (typeof member === 'number') {
    return member;
  }
  if (call.generationId !== member.epoch) {
    return ErrorCode.ILLEGAL_GENERATION;
  }
  const hasStepToMake =
    member.epoch < consumer.epoch ||
    member.state === 'unrevoked-partitions' ||
    (member.state === 'unreleased-partitions' && canTakeMore(consumer, member));
  return hasStepToMake ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
}

/** Whether partitions of the member's target have become free. */
function canTakeMore({ target, owners }: ConsumerProtocol, { memberId, assigned }: ConsumerMember): boolean {
  for (const [topic, partitions] of target.get(memberId) ?? NO_TARGET) {
    for (const partition of partitions) {
      if (assigned.get(topic)?.has(partition) !== true && owners.get(topic)?.has(partition) !== true) {
        return true;
      }
    }
  }
  return false;
}

export function leaveAsClassic(
  state: ClusterState,
  group: Group,
  consumer: ConsumerProtocol,
  command: LeaveGroup,
  nowMs: number,
): Outcome<'leave-group'> {
  const leaving: string[] = [];
  const memberErrorCodes = command.members.map(({ memberId, groupInstanceId }) => {
    // With an empty member id, an operator names a static member of either protocol by its instance id only.
    const named = memberId === '' && groupInstanceId !== null ? staticMember(consumer, groupInstanceId) : undefined;
    const member = named ?? classicMember(consumer, memberId, groupInstanceId);
    if (typeof member === 'number' || leaving.includes(member.memberId)) {
      return typeof member === 'number' ? member : ErrorCode.UNKNOWN_MEMBER_ID;
    }
    leaving.push(member.memberId);
    return ErrorCode.NONE;
  });
  const answer = { errorCode: ErrorCode.NONE, memberErrorCodes };
  if (leaving.length === 0) {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  beforeChange(state, group);
  fenceMembers(state, group, consumer, leaving, nowMs, changes);
  return changed(answer, { groups: [changes.effect(group)] });
}
