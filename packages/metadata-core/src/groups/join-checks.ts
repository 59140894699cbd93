// Checks that refuse a JoinGroup whatever the group's state.

import { ErrorCode } from '../model/error-code.ts';
import type { JoinGroup } from '../model/groups.types.ts';
import {
  MAX_GROUP_FIELD_CHARS,
  MAX_GROUP_ID_CHARS,
  MAX_GROUPS,
  MAX_MEMBER_METADATA_BYTES,
  MAX_PROTOCOLS_PER_MEMBER,
  MAX_REBALANCE_TIMEOUT_MS,
  MAX_SESSION_TIMEOUT_MS,
  MIN_SESSION_TIMEOUT_MS,
} from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';

/** Checks in a fixed order: group id, session timeout, sizes, number of groups. */
export function joinGroupRefusal(state: ClusterState, command: JoinGroup): ErrorCode {
  if (!isGroupId(command.groupId)) {
    return ErrorCode.INVALID_GROUP_ID;
  }
  const { sessionTimeoutMs, rebalanceTimeoutMs, initialRebalanceDelayMs } = command;
  if (!(sessionTimeoutMs >= MIN_SESSION_TIMEOUT_MS && sessionTimeoutMs <= MAX_SESSION_TIMEOUT_MS)) {
    return ErrorCode.INVALID_SESSION_TIMEOUT;
  }
  const texts = [
    command.memberId,
    command.newMemberId,
    command.groupInstanceId ?? '',
    command.protocolType,
    command.clientId,
    command.clientHost,
    ...command.protocols.map(({ name }) => name),
  ];
  let metadataBytes = 0;
  for (const { metadata } of command.protocols) {
    metadataBytes += metadata.length;
  }
  if (
    !(rebalanceTimeoutMs >= 0 && rebalanceTimeoutMs <= MAX_REBALANCE_TIMEOUT_MS) ||
    !(initialRebalanceDelayMs >= 0 && initialRebalanceDelayMs <= MAX_REBALANCE_TIMEOUT_MS) ||
    texts.some((text) => text.length > MAX_GROUP_FIELD_CHARS) ||
    command.newMemberId === '' ||
    command.protocols.length > MAX_PROTOCOLS_PER_MEMBER ||
    metadataBytes > MAX_MEMBER_METADATA_BYTES
  ) {
    return ErrorCode.INVALID_REQUEST;
  }
  return !state.groups.has(command.groupId) && state.groups.size >= MAX_GROUPS
    ? ErrorCode.POLICY_VIOLATION
    : ErrorCode.NONE;
}

/** Kafka accepts any non-empty group id. */
export function isGroupId(groupId: string): boolean {
  return groupId !== '' && groupId.length <= MAX_GROUP_ID_CHARS;
}
