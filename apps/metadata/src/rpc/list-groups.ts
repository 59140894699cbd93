import { GroupFilter, listGroups as groupsOf } from '@penstock/metadata-core';
import { ListedGroupSchema, ListGroupsResponseSchema, type MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';

const GROUPS = { entry: ListedGroupSchema, fieldNumber: ListGroupsResponseSchema.field.groups.number };

export const listGroups: AgentCall<typeof MetadataService.method.listGroups> = async (context, request) => {
  const filter = new GroupFilter(request.states, request.types);
  const groupIds = await context.owner.read((state) => [...state.groups.keys()]);
  const groups = await encodeInSteps(context, GROUPS, groupIds, (state, groupId) => groupsOf(state, filter, [groupId]));
  return withList(ListGroupsResponseSchema, {}, groups);
};
