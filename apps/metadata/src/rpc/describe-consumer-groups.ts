import { describeConsumerGroups as groupsIn, type NamedPartitions } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const describeConsumerGroups: AgentCall<typeof MetadataService.method.describeConsumerGroups> = async (
  { owner },
  request,
) => {
  const groups = await owner.read((state) => groupsIn(state, request.groupIds));
  return {
    groups: groups.map(({ members, ...group }) => ({
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
    })),
  };
};

function partitionList({ topicId, topicName, partitions }: NamedPartitions) {
  return { topicId, topicName, partitions };
}
