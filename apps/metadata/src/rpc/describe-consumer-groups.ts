import { describeConsumerGroups as groupsIn } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { describedConsumerGroupMessage } from './messages/groups.ts';

export const describeConsumerGroups: AgentCall<typeof MetadataService.method.describeConsumerGroups> = async (
  { owner },
  request,
) => {
  const groups = await owner.read((state) => groupsIn(state, request.groupIds));
  return { groups: groups.map(describedConsumerGroupMessage) };
};
