import { describeGroups as groupsIn } from '@penstock/metadata-core';
import { DescribedGroupSchema, DescribeGroupsResponseSchema, type MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { describedGroupParts } from './messages/groups.ts';

const GROUPS = { entry: DescribedGroupSchema, fieldNumber: DescribeGroupsResponseSchema.field.groups.number };

export const describeGroups: AgentCall<typeof MetadataService.method.describeGroups> = async (context, request) => {
  const groups = await encodeInSteps(context, GROUPS, request.groupIds, function* (state, groupId) {
    for (const group of groupsIn(state, [groupId])) {
      yield* describedGroupParts(group);
    }
  });
  return withList(DescribeGroupsResponseSchema, {}, groups);
};
