import { describeGroups as groupsIn } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { describedGroupMessage } from './messages/groups.ts';

export const describeGroups: AgentCall<typeof MetadataService.method.describeGroups> = async ({ owner }, request) => {
  const groups = await owner.read((state) => groupsIn(state, request.groupIds));
  return { groups: groups.map(describedGroupMessage) };
};
