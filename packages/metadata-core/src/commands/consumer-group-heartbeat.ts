// ConsumerGroupHeartbeat: a member of the new protocol joins, stays, confirms that it has revoked partitions, or leaves. A heartbeat that
// changes nothing is answered from the state and not journaled.
import { heartbeatRefusal, LEAVE_EPOCH } from '../consumer-groups/heartbeat-checks.ts';
import { fenceMembers, findMember, instanceRefusal, staticMember, unknownMember } from '../consumer-groups/members.ts';
import { upgraded } from '../consumer-groups/migration.ts';
import { isRefusal, type Refusal } from '../consumer-groups/refusal.ts';
import { type Found, planStep, takeStep } from '../consumer-groups/step.ts';
import { GroupChanges } from '../groups/group-changes.ts';
import type {
  ConsumerGroupHeartbeat,
  ConsumerGroupHeartbeatAnswer,
  PartitionsOfTopic,
} from '../model/consumer-groups.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { type IdKey, idFromKey, idKey } from '../model/ids.ts';
import { MAX_GROUPS, MAX_MEMBERS_PER_GROUP } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import {
  createConsumerProtocol,
  NO_PARTITIONS,
  STATIC_LEAVE_EPOCH,
  setConsumerMember,
} from '../state/consumer-group.ts';
import { createGroup } from '../state/group.ts';
import type { ConsumerMember, OwnedPartitions } from '../state/group.types.ts';
import { consumerTimings } from '../state/group-configs.ts';

type Result = Outcome<'consumer-group-heartbeat'>;

export function consumerGroupHeartbeat(state: ClusterState, command: ConsumerGroupHeartbeat, nowMs: number): Result {
  const refusal = heartbeatRefusal(command);
  if (refusal !== null) {
    return refuse(refusal);
  }
  return command.memberEpoch === LEAVE_EPOCH || command.memberEpoch === STATIC_LEAVE_EPOCH
    ? leave(state, command, nowMs)
    : beat(state, command, nowMs);
}

/** The group that a member joins or belongs to. It is not part of the state yet if it is new. */
function consumerGroupOf(state: ClusterState, groupId: string, joins: boolean, nowMs: number): Found | Refusal {
  const group = state.groups.get(groupId);
  if (group === undefined) {
    if (!joins) {
      return notFound(`Group ${groupId} not found.`);
    }
    return state.groups.size >= MAX_GROUPS
      ? { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage: `A cluster has at most ${MAX_GROUPS} groups.` }
      : { group: createGroup(groupId, nowMs), consumer: createConsumerProtocol(1) };
  }
  if (group.consumer !== null) {
    return { group, consumer: group.consumer };
  }
  // A classic group becomes one of the new protocol, and keeps its members and offsets.
  const consumer = joins ? upgraded(state, group) : null;
  return consumer === null ? notFound(`Group ${groupId} is not a consumer group.`) : { group, consumer };
}

function beat(state: ClusterState, command: ConsumerGroupHeartbeat, nowMs: number): Result {
  const joins = command.memberEpoch === 0;
  const memberId = command.memberId === '' ? command.newMemberId : command.memberId;
  const found = consumerGroupOf(state, command.groupId, joins, nowMs);
  if (isRefusal(found)) {
    return refuse(found);
  }
  const { consumer } = found;
  if (consumer.members.size >= MAX_MEMBERS_PER_GROUP && !consumer.members.has(memberId)) {
    const errorMessage = `The consumer group has reached its maximum capacity of ${MAX_MEMBERS_PER_GROUP} members.`;
    return refuse({ errorCode: ErrorCode.GROUP_MAX_SIZE_REACHED, errorMessage });
  }
  const owned = ownedBy(command.owned);
  const { instanceId, memberEpoch } = command;
  const member = findMember(command.groupId, consumer, { memberId, instanceId, memberEpoch, owned }, joins);
  if (isRefusal(member)) {
    return refuse(member);
  }
  return advance(state, found, member.member, member.replaces, command, owned, nowMs);
}

/** Updates the member, and makes one step towards its target. */
function advance(
  state: ClusterState,
  found: Found,
  before: ConsumerMember,
  replaces: ConsumerMember | null,
  command: ConsumerGroupHeartbeat,
  owned: ReadonlyMap<IdKey, readonly number[]> | null,
  nowMs: number,
): Result {
  const { group, consumer } = found;
  const step = planStep(state, { ...found, before, updated: withFields(before, command), replaces, owned }, nowMs);
  const isAssignmentDue = step.isDue || consumer.epoch > consumer.assignmentEpoch;
  const answer = { ...accepted(state, group.groupId, before, step.after, command), isAssignmentDue };
  if (!step.isChanged) {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  takeStep(state, step, nowMs, changes);
  changes.session(step.after.memberId, answer.sessionTimeoutMs);
  return changed(answer, { groups: [changes.effect(group)] });
}

function leave(state: ClusterState, command: ConsumerGroupHeartbeat, nowMs: number): Result {
  const { groupId, memberId, instanceId, memberEpoch } = command;
  const found = consumerGroupOf(state, groupId, false, nowMs);
  if (isRefusal(found)) {
    return refuse(found);
  }
  const { group, consumer } = found;
  const member = instanceId === null ? consumer.members.get(memberId) : staticMember(consumer, instanceId);
  if (member === undefined) {
    return refuse(
      instanceId === null
        ? unknownMember(groupId, memberId)
        : { errorCode: ErrorCode.UNKNOWN_MEMBER_ID, errorMessage: `Instance id ${instanceId} is unknown.` },
    );
  }
  const fenced = instanceId === null ? null : instanceRefusal(member, memberId, instanceId);
  if (fenced !== null) {
    return refuse(fenced);
  }
  const answer = { ...NO_ANSWER, memberId, memberEpoch };
  if (memberEpoch === STATIC_LEAVE_EPOCH && member.epoch === STATIC_LEAVE_EPOCH) {
    return unchanged(answer);
  }
  const changes = new GroupChanges();
  beforeChange(state, group);
  if (memberEpoch === STATIC_LEAVE_EPOCH) {
    // It keeps its partitions until its session ends. What it was giving up is free.
    const gone = { ...member, epoch: memberEpoch, revoking: NO_PARTITIONS, revocationDeadlineMs: null };
    setConsumerMember(group, consumer, gone);
  } else {
    fenceMembers(state, group, consumer, [member.memberId], nowMs, changes);
  }
  return changed(answer, { groups: [changes.effect(group)] });
}

/** The member with what the request says about it. */
function withFields(member: ConsumerMember, command: ConsumerGroupHeartbeat): ConsumerMember {
  const { instanceId, rackId, rebalanceTimeoutMs, subscribedTopics, subscribedRegex, serverAssignor } = command;
  return {
    ...member,
    instanceId: instanceId ?? member.instanceId,
    rackId: rackId ?? member.rackId,
    clientId: command.clientId,
    clientHost: command.clientHost,
    principal: command.principal,
    rebalanceTimeoutMs: rebalanceTimeoutMs === -1 ? member.rebalanceTimeoutMs : rebalanceTimeoutMs,
    subscribedTopics: subscribedTopics === null ? member.subscribedTopics : [...new Set(subscribedTopics)].sort(),
    subscribedRegex:
      subscribedRegex === null ? member.subscribedRegex : subscribedRegex === '' ? null : subscribedRegex,
    assignor: serverAssignor ?? member.assignor,
    classic: null,
  };
}

function accepted(
  state: ClusterState,
  groupId: string,
  before: ConsumerMember,
  after: ConsumerMember,
  command: ConsumerGroupHeartbeat,
): Omit<ConsumerGroupHeartbeatAnswer, 'isAssignmentDue'> {
  const { sessionTimeoutMs, heartbeatIntervalMs } = consumerTimings(state.groupConfigs, groupId);
  // A full request comes from a member that joins, or is unsure after an error.
  const isFull =
    command.memberEpoch === 0 ||
    (command.rebalanceTimeoutMs !== -1 &&
      (command.subscribedTopics !== null || command.subscribedRegex !== null) &&
      command.owned !== null);
  return {
    errorCode: ErrorCode.NONE,
    errorMessage: '',
    memberId: after.memberId,
    memberEpoch: after.epoch,
    heartbeatIntervalMs,
    sessionTimeoutMs,
    assignment: isFull || !samePartitions(before.assigned, after.assigned) ? partitionLists(after.assigned) : null,
  };
}

const NO_ANSWER: ConsumerGroupHeartbeatAnswer = {
  errorCode: ErrorCode.NONE,
  errorMessage: '',
  memberId: '',
  memberEpoch: 0,
  heartbeatIntervalMs: 0,
  sessionTimeoutMs: 0,
  assignment: null,
  isAssignmentDue: false,
};

function refuse(refusal: Refusal): Result {
  return unchanged({ ...NO_ANSWER, ...refusal });
}

function notFound(errorMessage: string): Refusal {
  return { errorCode: ErrorCode.GROUP_ID_NOT_FOUND, errorMessage };
}

function ownedBy(lists: readonly PartitionsOfTopic[] | null): ReadonlyMap<IdKey, readonly number[]> | null {
  return lists === null ? null : new Map(lists.map(({ topicId, partitions }) => [idKey(topicId), partitions]));
}

function partitionLists(assigned: OwnedPartitions): PartitionsOfTopic[] {
  return [...assigned].map(([topic, numbers]) => ({
    topicId: idFromKey(topic),
    partitions: [...numbers.keys()].sort((a, b) => a - b),
  }));
}

function samePartitions(a: OwnedPartitions, b: OwnedPartitions): boolean {
  if (a === b) {
    return true;
  }
  if (a.size !== b.size) {
    return false;
  }
  for (const [topic, numbers] of a) {
    const others = b.get(topic);
    if (others?.size !== numbers.size || ![...numbers.keys()].every((partition) => others.has(partition))) {
      return false;
    }
  }
  return true;
}
