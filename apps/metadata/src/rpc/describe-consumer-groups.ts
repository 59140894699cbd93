import { describeConsumerGroups as groupsIn } from '@penstock/metadata-core';
import {
  DescribeConsumerGroupsResponseSchema,
  DescribedConsumerGroupSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { describedConsumerGroupParts } from './messages/groups.ts';

const GROUPS = {
  entry: DescribedConsumerGroupSchema,
  fieldNumber: DescribeConsumerGroupsResponseSchema.field.groups.number,
};

export const describeConsumerGroups: AgentCall<typeof MetadataService.method.describeConsumerGroups> = async (
  context,
  request,
) => {
  const groups = await encodeInSteps(context, GROUPS, request.groupIds, function* (state, groupId) {
    for (const group of groupsIn(state, [groupId])) {
      yield* describedConsumerGroupParts(group);
    }
  });
  return withList(DescribeConsumerGroupsResponseSchema, {}, groups);
};
