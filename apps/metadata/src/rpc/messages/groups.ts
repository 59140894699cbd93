// Consumer groups as messages. An absent group.instance.id differs from an empty one.
import type {
  CommittedOffset,
  DescribedConsumerGroup,
  DescribedGroup,
  JoinAnswer,
  NamedPartitions,
  SyncAnswer,
} from '@penstock/metadata-core';

export function instanceId(groupInstanceId: string | null): { groupInstanceId?: string } {
  return groupInstanceId === null ? {} : { groupInstanceId };
}

/** `skipsAssignment`: the client supports a leader that need not assign. */
export function joinMessage(joined: JoinAnswer, skipsAssignment: boolean) {
  const { ifSkipping } = joined;
  const answer =
    skipsAssignment && ifSkipping !== undefined ? { ...joined, ...ifSkipping, skipAssignment: true } : joined;
  return {
    errorCode: answer.errorCode,
    generationId: answer.generationId,
    protocolType: answer.protocolType,
    protocolName: answer.protocolName,
    leader: answer.leader,
    memberId: answer.memberId,
    members: answer.members.map((member) => ({
      memberId: member.memberId,
      metadata: member.metadata,
      ...instanceId(member.groupInstanceId),
    })),
    skipAssignment: answer.skipAssignment,
  };
}

export function syncMessage(answer: SyncAnswer) {
  return {
    errorCode: answer.errorCode,
    protocolType: answer.protocolType,
    protocolName: answer.protocolName,
    assignment: answer.assignment,
  };
}

function describedGroupMessage(group: DescribedGroup) {
  return {
    errorCode: group.errorCode,
    groupId: group.groupId,
    state: group.state,
    protocolType: group.protocolType,
    protocolName: group.protocolName,
    errorMessage: group.errorMessage,
    groupType: group.groupType,
    members: group.members.map((member) => ({
      memberId: member.memberId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      metadata: member.metadata,
      assignment: member.assignment,
      ...instanceId(member.groupInstanceId),
    })),
  };
}

/**
 * Like `describedGroupMessage`, in parts for `encodeInSteps`: a member may have sent 1 MiB, and a group has up to
 * 5,000.
 */
export function* describedGroupParts(group: DescribedGroup) {
  yield describedGroupMessage({ ...group, members: [] });
  for (const member of group.members) {
    yield { members: describedGroupMessage({ ...group, members: [member] }).members };
  }
}

/** The group in parts, for `encodeInSteps`: its members may have been assigned a million partitions. */
export function* describedConsumerGroupParts(group: DescribedConsumerGroup) {
  yield describedConsumerGroupMessage({ ...group, members: [] });
  for (const member of group.members) {
    yield { members: describedConsumerGroupMessage({ ...group, members: [member] }).members };
  }
}

function describedConsumerGroupMessage({ members, ...group }: DescribedConsumerGroup) {
  return {
    ...group,
    members: members.map((member) => ({
      memberId: member.memberId,
      memberEpoch: member.memberEpoch,
      clientId: member.clientId,
      clientHost: member.clientHost,
      subscribedTopicNames: member.subscribedTopics,
      assignment: member.assignment.map(partitionList),
      targetAssignment: member.targetAssignment.map(partitionList),
      isClassic: member.isClassic,
      ...(member.instanceId === null ? {} : { instanceId: member.instanceId }),
      ...(member.rackId === null ? {} : { rackId: member.rackId }),
      ...(member.subscribedRegex === null ? {} : { subscribedTopicRegex: member.subscribedRegex }),
    })),
  };
}

function partitionList({ topicId, topicName, partitions }: NamedPartitions) {
  return { topicId, topicName, partitions };
}

export function committedOffsetMessage(offset: CommittedOffset) {
  return {
    topic: offset.topic,
    partition: offset.partition,
    offset: BigInt(offset.offset),
    leaderEpoch: offset.leaderEpoch,
    metadata: offset.metadata,
    errorCode: offset.errorCode,
  };
}
