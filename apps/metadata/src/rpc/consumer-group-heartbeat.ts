import { ErrorCode } from '@penstock/metadata-core';
import type { MetadataService, TopicPartitionLists } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Heartbeats of the new consumer group protocol, by which members also join and leave. */
export const consumerGroupHeartbeat: AgentCall<typeof MetadataService.method.consumerGroupHeartbeat> = async (
  { owner },
  request,
) => {
  const regex = request.subscribedTopicRegex ?? '';
  const problem = request.memberEpoch >= 0 && regex !== '' ? await owner.groups.patternProblem(regex) : null;
  if (problem !== null) {
    return {
      errorCode: ErrorCode.INVALID_REGULAR_EXPRESSION,
      errorMessage: `SubscribedTopicRegex is not accepted as a regular expression of RE2: ${problem}.`,
    };
  }
  const answer = await owner.groups.heartbeat({
    kind: 'consumer-group-heartbeat',
    groupId: request.groupId,
    memberId: request.memberId,
    newMemberId: owner.ids.uuid(),
    memberEpoch: request.memberEpoch,
    instanceId: request.instanceId ?? null,
    rackId: request.rackId ?? null,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs,
    subscribedTopics: request.subscribedTopicNames?.names ?? null,
    subscribedRegex: request.subscribedTopicRegex ?? null,
    serverAssignor: request.serverAssignor ?? null,
    owned: ownedLists(request.topicPartitions),
    apiVersion: request.apiVersion,
    clientId: request.clientId,
    clientHost: request.clientHost,
    principal: request.principal,
  });
  const { errorCode, errorMessage, memberId, memberEpoch, heartbeatIntervalMs, assignment } = answer;
  return {
    errorCode,
    errorMessage,
    memberId,
    memberEpoch,
    heartbeatIntervalMs,
    ...(assignment === null ? {} : { assignment: { topics: assignment } }),
  };
};

function ownedLists(lists: TopicPartitionLists | undefined) {
  return lists === undefined ? null : lists.topics.map(({ topicId, partitions }) => ({ topicId, partitions }));
}
