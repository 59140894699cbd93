// Queries about consumer groups, for clients and the dashboard.
import { ErrorCode } from '../error-code.ts';
import { isGroupId } from '../groups/join-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { metadataOf } from '../groups/protocol-choice.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Group, StoredOffset } from '../state/group.ts';
import type { CommittedOffset, DescribedGroup, GroupTimers, HeartbeatCall, ListedGroup } from './queries.types.ts';

const NOTHING = new Uint8Array(0);

/** Groups in these states (Kafka's names, in any case). All groups when none is named. */
export function listGroups(state: ClusterState, states: readonly string[]): ListedGroup[] {
  const wanted = new Set(states.map((name) => name.toLowerCase()));
  return [...state.groups.values()]
    .filter((group) => wanted.size === 0 || wanted.has(group.state.toLowerCase()))
    .map((group) => ({ groupId: group.groupId, protocolType: group.protocolType ?? '', state: group.state }));
}

/** In the order of the ids. An unknown group is Dead with GROUP_ID_NOT_FOUND (Kafka sends that code from version 6 on, else 0). */
export function describeGroups(state: ClusterState, groupIds: readonly string[]): DescribedGroup[] {
  return groupIds.map((groupId) => {
    const group = state.groups.get(groupId);
    return group === undefined
      ? {
          errorCode: ErrorCode.GROUP_ID_NOT_FOUND,
          groupId,
          state: 'Dead',
          protocolType: '',
          protocolName: '',
          members: [],
        }
      : describeGroup(group);
  });
}

/** As in Kafka, metadata and assignments are shown only while the group is stable. */
function describeGroup(group: Group): DescribedGroup {
  const stable = group.state === 'Stable';
  return {
    errorCode: ErrorCode.NONE,
    groupId: group.groupId,
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
 * Committed offsets in the order of `partitions`, -1 where there is none; or all offsets of the group.
 * @param requireStable an offset that an open transaction will change is answered with UNSTABLE_OFFSET_COMMIT
 */
export function fetchOffsets(
  state: ClusterState,
  groupId: string,
  partitions: readonly { topic: string; partition: number }[] | 'all',
  requireStable = false,
): CommittedOffset[] {
  const answers = committedOffsets(state, groupId, partitions);
  const pending = requireStable ? pendingIn(state, groupId) : [];
  return pending.length === 0
    ? answers
    : answers.map((answer) =>
        pending.some((topics) => topics.get(answer.topic)?.has(answer.partition) === true)
          ? {
              ...committed(answer.topic, answer.partition, undefined),
              errorCode: ErrorCode.UNSTABLE_OFFSET_COMMIT,
            }
          : answer,
      );
}

/** The offsets of a group that open transactions will commit, per transaction: by topic, then partition. */
function pendingIn({ transactions }: ClusterState, groupId: string) {
  return [...transactions.open]
    .map((transactionalId) => transactions.byId.get(transactionalId)?.open?.groups.get(groupId))
    .filter((topics) => topics !== undefined);
}

function committedOffsets(
  state: ClusterState,
  groupId: string,
  partitions: readonly { topic: string; partition: number }[] | 'all',
): CommittedOffset[] {
  const offsets = state.groups.get(groupId)?.offsets;
  if (partitions !== 'all') {
    return partitions.map(({ topic, partition }) => committed(topic, partition, offsets?.get(topic)?.get(partition)));
  }
  const all: CommittedOffset[] = [];
  for (const [topic, stored] of offsets ?? []) {
    for (const [partition, offset] of stored) {
      all.push(committed(topic, partition, offset));
    }
  }
  return all;
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
  const { errorCode } = checkMember(group, call.memberId, call.groupInstanceId);
  if (errorCode !== ErrorCode.NONE) {
    return errorCode;
  }
  if (call.generationId !== group.generation) {
    return ErrorCode.ILLEGAL_GENERATION;
  }
  return group.state === 'PreparingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
}

/** The session timeout of a member or of a pending member id; null when it is neither. */
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
    ];
    if (group.deadlineMs !== null || sessions.length > 0) {
      timers.push({ groupId: group.groupId, deadlineMs: group.deadlineMs, sessions });
    }
  }
  return timers;
}
