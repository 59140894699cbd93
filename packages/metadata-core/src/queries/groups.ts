// Queries about consumer groups, for clients and the dashboard.
import { heartbeatAsClassic } from '../consumer-groups/classic-members.ts';
import { fetchRefusal } from '../consumer-groups/offset-checks.ts';
import { isGroupId } from '../groups/join-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { metadataOf } from '../groups/protocol-choice.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { consumerGroupStateName } from '../state/consumer-group.ts';
import type { Group, StoredOffset } from '../state/group.types.ts';
import { consumerTimings } from '../state/group-configs.ts';
import { describeAsClassic } from './consumer-groups.ts';
import type { CommittedOffset, DescribedGroup, GroupTimers, HeartbeatCall, ListedGroup } from './queries.types.ts';

const NOTHING = new Uint8Array(0);
const NO_PENDING = new Map<string, Set<number>>();

/** Passes groups in these states and of these types (Kafka's names, in any case). Passes all when none is named. */
export class GroupFilter {
  readonly #states: ReadonlySet<string>;
  readonly #types: ReadonlySet<string>;

  /** Takes time for each name: make it once for many groups. */
  constructor(states: readonly string[] = [], types: readonly string[] = []) {
    this.#states = new Set(states.map((name) => name.toLowerCase()));
    this.#types = new Set(types.map((name) => name.toLowerCase()));
  }

  passes({ state, groupType }: Pick<ListedGroup, 'state' | 'groupType'>): boolean {
    return (
      (this.#states.size === 0 || this.#states.has(state.toLowerCase())) &&
      (this.#types.size === 0 || this.#types.has(groupType.toLowerCase()))
    );
  }
}

/** The ids of groups after another id, in order; null: all. What is created or deleted while they are read is found or skipped. */
export function groupIdsAfter(state: ClusterState, after: string | null): Iterable<string> {
  return state.groupIds.following(after);
}

/** @param groupIds those to look at; absent: all */
export function listGroups(
  state: ClusterState,
  filter = new GroupFilter(),
  groupIds: Iterable<string> = state.groups.keys(),
): ListedGroup[] {
  const listed: ListedGroup[] = [];
  for (const groupId of groupIds) {
    const group = state.groups.get(groupId);
    if (group === undefined) {
      continue;
    }
    const { protocolType, state: classicState, consumer } = group;
    const entry: ListedGroup = {
      groupId,
      protocolType: protocolType ?? '',
      state: consumer === null ? classicState : consumerGroupStateName(consumer),
      groupType: consumer === null ? 'Classic' : 'Consumer',
    };
    if (filter.passes(entry)) {
      listed.push(entry);
    }
  }
  return listed;
}

/**
 * In the order of the ids. An unknown group is Dead with GROUP_ID_NOT_FOUND (Kafka sends that code from version 6 on, else 0), and so is one
 * of the new protocol.
 */
export function describeGroups(state: ClusterState, groupIds: readonly string[]): DescribedGroup[] {
  return groupIds.map((groupId) => {
    const group = state.groups.get(groupId);
    return group === undefined || group.consumer !== null ? notClassic(groupId, group) : describeGroup(group);
  });
}

/** A group of either protocol. Undefined: there is none. */
export function describeAnyGroup(state: ClusterState, groupId: string): DescribedGroup | undefined {
  const group = state.groups.get(groupId);
  if (group === undefined) {
    return undefined;
  }
  return group.consumer === null ? describeGroup(group) : describeAsClassic(state, groupId, group.consumer);
}

function notClassic(groupId: string, group: Group | undefined): DescribedGroup {
  return {
    errorCode: ErrorCode.GROUP_ID_NOT_FOUND,
    errorMessage: `Group ${groupId} ${group === undefined ? 'not found' : 'is not a classic group'}.`,
    groupId,
    groupType: '',
    state: 'Dead',
    protocolType: '',
    protocolName: '',
    members: [],
  };
}

/** As in Kafka, metadata and assignments are shown only while the group is stable. */
function describeGroup(group: Group): DescribedGroup {
  const stable = group.state === 'Stable';
  return {
    errorCode: ErrorCode.NONE,
    errorMessage: '',
    groupId: group.groupId,
    groupType: 'Classic',
    state: group.state,
    protocolType: group.protocolType ?? '',
    protocolName: stable ? (group.protocolName ?? '') : '',
    members: [...group.members.values()].map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      metadata: stable ? metadataOf(member, group.protocolName) : NOTHING,
      assignment: stable ? member.assignment : NOTHING,
    })),
  };
}

/**
 * Committed offsets in the order of `partitions`, -1 where there is none.
 * @param requireStable an offset that an open transaction will change is answered with UNSTABLE_OFFSET_COMMIT
 */
export function fetchOffsets(
  state: ClusterState,
  groupId: string,
  partitions: readonly { topic: string; partition: number }[],
  requireStable = false,
): CommittedOffset[] {
  const offsets = state.groups.get(groupId)?.offsets;
  const pending = requireStable ? pendingIn(state, groupId) : NO_PENDING;
  return partitions.map(({ topic, partition }) =>
    stableOffset(topic, partition, offsets?.get(topic)?.get(partition), pending),
  );
}

/**
 * All committed offsets of a group, each made when it is taken. A taker may stop for a while: an offset that is committed in between may be
 * in the list or not.
 */
export function* allCommittedOffsets(
  state: ClusterState,
  groupId: string,
  requireStable = false,
): Generator<CommittedOffset> {
  const pending = requireStable ? pendingIn(state, groupId) : NO_PENDING;
  for (const [topic, stored] of state.groups.get(groupId)?.offsets ?? []) {
    for (const [partition, offset] of stored) {
      yield stableOffset(topic, partition, offset, pending);
    }
  }
}

/** Why a member may not fetch offsets; NONE when it may. Only groups of the new protocol check. @param memberId null: not named */
export function offsetFetchRefusal(
  state: ClusterState,
  groupId: string,
  memberId: string | null,
  memberEpoch: number,
): ErrorCode {
  const consumer = state.groups.get(groupId)?.consumer;
  return consumer ? fetchRefusal(consumer, memberId, memberEpoch) : ErrorCode.NONE;
}

/** The offsets of a group that open transactions will commit: by topic, the partitions. */
function pendingIn({ transactions }: ClusterState, groupId: string): Map<string, Set<number>> {
  const pending = new Map<string, Set<number>>();
  for (const transactionalId of transactions.open) {
    for (const [topic, offsets] of transactions.byId.get(transactionalId)?.open?.groups.get(groupId) ?? []) {
      const partitions = pending.get(topic) ?? new Set();
      pending.set(topic, partitions);
      for (const partition of offsets.keys()) {
        partitions.add(partition);
      }
    }
  }
  return pending;
}

function stableOffset(
  topic: string,
  partition: number,
  stored: StoredOffset | undefined,
  pending: Map<string, Set<number>>,
): CommittedOffset {
  return pending.get(topic)?.has(partition) === true
    ? { ...committed(topic, partition, undefined), errorCode: ErrorCode.UNSTABLE_OFFSET_COMMIT }
    : committed(topic, partition, stored);
}

function committed(topic: string, partition: number, stored: StoredOffset | undefined): CommittedOffset {
  return {
    topic,
    partition,
    offset: stored?.offset ?? -1,
    leaderEpoch: stored?.leaderEpoch ?? -1,
    metadata: stored?.metadata ?? '',
    errorCode: ErrorCode.NONE,
  };
}

/** The answer to a heartbeat. On 0 and on REBALANCE_IN_PROGRESS (27) the member is alive: restart its session timer. */
export function heartbeat(state: ClusterState, call: HeartbeatCall): ErrorCode {
  if (!isGroupId(call.groupId)) {
    return ErrorCode.INVALID_GROUP_ID;
  }
  const group = state.groups.get(call.groupId);
  if (group === undefined) {
    return ErrorCode.UNKNOWN_MEMBER_ID;
  }
  if (group.consumer !== null) {
    return heartbeatAsClassic(group.consumer, call);
  }
  const { errorCode } = checkMember(group, call.memberId, call.groupInstanceId);
  if (errorCode !== ErrorCode.NONE) {
    return errorCode;
  }
  if (call.generationId !== group.generation) {
    return ErrorCode.ILLEGAL_GENERATION;
  }
  return group.state === 'PreparingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
}

/** The session timeout of a member or of a pending member id of the classic protocol; null when it is neither. */
export function sessionTimeoutMs(state: ClusterState, groupId: string, memberId: string): number | null {
  const group = state.groups.get(groupId);
  return group?.members.get(memberId)?.sessionTimeoutMs ?? group?.pendingMembers.get(memberId) ?? null;
}

/** All timers of all groups, for a new owner to start after recovery. Groups without timers are omitted. */
export function groupTimers(state: ClusterState): GroupTimers[] {
  const timers: GroupTimers[] = [];
  for (const group of state.groups.values()) {
    const sessions = [
      ...[...group.members.values()].map(({ memberId, sessionTimeoutMs: timeoutMs }) => ({
        memberId,
        sessionTimeoutMs: timeoutMs,
      })),
      ...[...group.pendingMembers].map(([memberId, timeoutMs]) => ({ memberId, sessionTimeoutMs: timeoutMs })),
      ...consumerSessions(state, group),
    ];
    if (group.deadlineMs !== null || sessions.length > 0) {
      timers.push({ groupId: group.groupId, deadlineMs: group.deadlineMs, sessions });
    }
  }
  return timers;
}

function consumerSessions(state: ClusterState, { groupId, consumer }: Group): GroupTimers['sessions'] {
  if (consumer === null) {
    return [];
  }
  const { sessionTimeoutMs } = consumerTimings(state.groupConfigs, groupId);
  return Array.from(consumer.members.values(), ({ memberId, classic }) => ({
    memberId,
    sessionTimeoutMs: classic?.sessionTimeoutMs ?? sessionTimeoutMs,
  }));
}
