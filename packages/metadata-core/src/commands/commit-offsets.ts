// CommitOffsets: saves a group's position.
import { commitRefusal } from '../consumer-groups/offset-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { CommitOffsets, OffsetToCommit } from '../model/groups.types.ts';
import { MAX_GROUP_ID_CHARS, MAX_GROUPS, MAX_OFFSET_METADATA_BYTES } from '../model/limits.ts';
import { utf8Length } from '../model/numbers.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { offsetsRetentionMs } from '../model/settings.ts';
import { beforeChange, type ClusterState, placeGroup } from '../state/cluster-state.ts';
import { createGroup, setOffset } from '../state/group.ts';
import type { Group } from '../state/group.types.ts';

export function commitOffsets(state: ClusterState, command: CommitOffsets, nowMs: number): Outcome<'commit-offsets'> {
  const existing = state.groups.get(command.groupId);
  const refusal = groupRefusal(state, command, false);
  if (refusal !== ErrorCode.NONE) {
    return unchanged({ errorCode: refusal, offsetErrorCodes: [] });
  }
  const codes = command.offsets.map((offset) => offsetRefusal(state, offset));
  const answer = { errorCode: ErrorCode.NONE, offsetErrorCodes: codes.some((code) => code !== 0) ? codes : [] };
  if (!codes.includes(ErrorCode.NONE)) {
    return unchanged(answer);
  }
  const group = existing ?? createGroup(command.groupId, nowMs);
  placeGroup(state, group);
  // A new offset expires last.
  const { expiresFromMs } = group;
  beforeChange(state, group);
  group.expiresFromMs = Math.min(expiresFromMs, nowMs + offsetsRetentionMs(state.settings));
  for (const [at, { topic, partition, offset, leaderEpoch, metadata }] of command.offsets.entries()) {
    if (codes[at] !== ErrorCode.NONE) {
      continue;
    }
    setOffset(group, topic, partition, { offset, leaderEpoch, metadata, committedAtMs: nowMs });
  }
  return changed(answer);
}

/** Whose offsets are committed, and on behalf of which member. */
export type OffsetCommitter = Omit<CommitOffsets, 'kind'>;

/**
 * Why the committer may not change the group's offsets.
 * @param isTransactional a producer commits, which need not be a member: it is checked only if it names one (KIP-447)
 */
export function groupRefusal(state: ClusterState, committer: OffsetCommitter, isTransactional: boolean): ErrorCode {
  const existing = state.groups.get(committer.groupId);
  if (existing === undefined) {
    return newGroupRefusal(state, committer, isTransactional);
  }
  const { memberId, groupInstanceId, generationId, offsets, knowsMemberEpochs = true } = committer;
  return existing.consumer === null
    ? refusalOf(existing, committer, isTransactional)
    : commitRefusal(state, existing.consumer, {
        memberId,
        groupInstanceId,
        memberEpoch: generationId,
        partitions: offsets,
        isTransactional,
        knowsMemberEpochs,
      });
}

/** A client that is not a member may create a group just to keep offsets in it. */
function newGroupRefusal(state: ClusterState, command: OffsetCommitter, isTransactional: boolean): ErrorCode {
  if (command.groupId.length > MAX_GROUP_ID_CHARS) {
    return ErrorCode.INVALID_GROUP_ID;
  }
  if (command.generationId >= 0) {
    return !isTransactional && command.knowsMemberEpochs === true
      ? ErrorCode.GROUP_ID_NOT_FOUND
      : ErrorCode.ILLEGAL_GENERATION;
  }
  return state.groups.size >= MAX_GROUPS ? ErrorCode.POLICY_VIOLATION : ErrorCode.NONE;
}

function refusalOf(group: Group, command: OffsetCommitter, isTransactional: boolean): ErrorCode {
  const { generationId, memberId, groupInstanceId } = command;
  if (generationId < 0 && group.state === 'Empty') {
    return ErrorCode.NONE;
  }
  if (generationId < 0 && memberId === '' && groupInstanceId === null) {
    return isTransactional ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
  }
  const { errorCode } = checkMember(group, memberId, groupInstanceId);
  if (errorCode !== ErrorCode.NONE) {
    return errorCode;
  }
  if (generationId !== group.generation) {
    return ErrorCode.ILLEGAL_GENERATION;
  }
  // In PreparingRebalance a member may still commit its work; once it has joined the next generation it may not.
  return !isTransactional && group.state === 'CompletingRebalance' ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
}

/** Why one offset can't be committed. */
export function offsetRefusal(state: ClusterState, { topic, partition, offset, metadata }: OffsetToCommit): ErrorCode {
  if (state.topicsByName.get(topic)?.partitions[partition] === undefined) {
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
  }
  if (utf8Length(metadata) > MAX_OFFSET_METADATA_BYTES) {
    return ErrorCode.OFFSET_METADATA_TOO_LARGE;
  }
  // Like Kafka, which takes any number. Some clients commit -2 for the earliest offset; to readers it counts as no offset at all.
  return Number.isSafeInteger(offset) ? ErrorCode.NONE : ErrorCode.INVALID_REQUEST;
}
