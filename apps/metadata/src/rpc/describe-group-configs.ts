import { describeGroupConfigs as configsIn } from '@penstock/metadata-core';
import {
  DescribeGroupConfigsResponseSchema,
  GroupConfigsSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';

const GROUPS = { entry: GroupConfigsSchema, fieldNumber: DescribeGroupConfigsResponseSchema.field.groups.number };

export const describeGroupConfigs: AgentCall<typeof MetadataService.method.describeGroupConfigs> = async (
  context,
  request,
) => {
  const groupIds =
    request.groupIds.length > 0
      ? request.groupIds
      : await context.owner.read((state) => [...state.groupConfigs.keys()]);
  const groups = await encodeInSteps(context, GROUPS, groupIds, (state, groupId) => configsIn(state, [groupId]));
  return withList(DescribeGroupConfigsResponseSchema, {}, groups);
};
