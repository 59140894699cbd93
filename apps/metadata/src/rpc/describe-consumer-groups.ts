import { type DescribedConsumerGroup, describeConsumerGroups as groupsIn } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { describedConsumerGroupMessage } from './messages/groups.ts';

export const describeConsumerGroups: AgentCall<typeof MetadataService.method.describeConsumerGroups> = async (
  context,
  request,
) => {
  const groups = await answerInSteps(
    context,
    request.groupIds,
    (state, groupId) => groupsIn(state, [groupId]),
    (described) => described.reduce((sum, group) => sum + sizeOf(group), 0),
  );
  return { groups: groups.flat().map(describedConsumerGroupMessage) };
};

function sizeOf({ members }: DescribedConsumerGroup): number {
  let bytes = 0;
  for (const { subscribedTopics, assignment, targetAssignment } of members) {
    bytes += 200 + subscribedTopics.reduce((sum, name) => sum + name.length, 0);
    for (const { partitions } of [...assignment, ...targetAssignment]) {
      bytes += 60 + 3 * partitions.length;
    }
  }
  return bytes;
}
