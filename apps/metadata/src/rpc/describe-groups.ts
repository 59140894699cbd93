import { type DescribedGroup, describeGroups as groupsIn } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { describedGroupMessage } from './messages/groups.ts';

export const describeGroups: AgentCall<typeof MetadataService.method.describeGroups> = async (context, request) => {
  const groups = await answerInSteps(
    context,
    request.groupIds,
    (state, groupId) => groupsIn(state, [groupId]),
    (described) => described.reduce((sum, group) => sum + sizeOf(group), 0),
  );
  return { groups: groups.flat().map(describedGroupMessage) };
};

function sizeOf({ members }: DescribedGroup): number {
  return members.reduce((sum, { metadata, assignment }) => sum + 200 + metadata.length + assignment.length, 0);
}
