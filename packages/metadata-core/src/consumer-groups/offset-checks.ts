// Whether a member of a group of the new protocol may commit or fetch offsets. A commit from an earlier epoch of the member is taken for
// partitions that it has held since then (KIP-1251), as by Kafka 4.3.
import { ErrorCode } from '../model/error-code.ts';
import { idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ConsumerMember, ConsumerProtocol } from '../state/group.types.ts';

export interface ConsumerCommit {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  /** -1: not a member. */
  readonly memberEpoch: number;
  readonly partitions: readonly { readonly topic: string; readonly partition: number }[];
  readonly isTransactional: boolean;
  readonly knowsMemberEpochs: boolean;
}

/** Kafka's error code for a commit that is refused; NONE if it is allowed. */
export function commitRefusal(state: ClusterState, consumer: ConsumerProtocol, commit: ConsumerCommit): ErrorCode {
  const { memberId, memberEpoch, isTransactional } = commit;
  if (memberEpoch < 0 && consumer.members.size === 0) {
    return ErrorCode.NONE;
  }
  if (isTransactional && memberEpoch === -1 && memberId === '' && commit.groupInstanceId === null) {
    return ErrorCode.NONE;
  }
  const member = consumer.members.get(memberId);
  if (member === undefined) {
    return ErrorCode.UNKNOWN_MEMBER_ID;
  }
  if (!isTransactional && member.classic === null && !commit.knowsMemberEpochs) {
    return ErrorCode.UNSUPPORTED_VERSION;
  }
  const isCurrent =
    memberEpoch === member.epoch ||
    (memberEpoch < member.epoch &&
      commit.partitions.every(({ topic, partition }) => memberEpoch >= heldSince(state, member, topic, partition)));
  // In a transaction, both are errors of the classic protocol.
  return isCurrent ? ErrorCode.NONE : isTransactional ? ErrorCode.ILLEGAL_GENERATION : staleCode(member);
}

/** Kafka's error code for a fetch that is refused; NONE if it is allowed. @param memberId null: the caller names no member */
export function fetchRefusal(consumer: ConsumerProtocol, memberId: string | null, memberEpoch: number): ErrorCode {
  if (memberId === null && memberEpoch < 0) {
    return ErrorCode.NONE;
  }
  const member = memberId === null ? undefined : consumer.members.get(memberId);
  if (member === undefined) {
    return ErrorCode.UNKNOWN_MEMBER_ID;
  }
  return memberEpoch === member.epoch ? ErrorCode.NONE : staleCode(member);
}

function staleCode({ classic }: ConsumerMember): ErrorCode {
  return classic === null ? ErrorCode.STALE_MEMBER_EPOCH : ErrorCode.ILLEGAL_GENERATION;
}

/** The epoch at which the member got the partition; infinity when it does not hold it. */
function heldSince(state: ClusterState, member: ConsumerMember, topicName: string, partition: number): number {
  const topic = state.topicsByName.get(topicName);
  const key = topic === undefined ? '' : idKey(topic.id);
  return (
    member.assigned.get(key)?.get(partition) ?? member.revoking.get(key)?.get(partition) ?? Number.POSITIVE_INFINITY
  );
}
