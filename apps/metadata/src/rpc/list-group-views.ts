import { type ClusterState, groupIdsAfter } from '@penstock/metadata-core';
import {
  type AdminListGroupsRequest,
  AdminListGroupsResponseSchema,
  GroupViewSchema,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { nextRound } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { groupViewParts } from './messages/group-view.ts';
import { checkedPage, firstOf } from './pages.ts';

const GROUPS = { entry: GroupViewSchema, fieldNumber: AdminListGroupsResponseSchema.field.groups.number };

/** AdminListGroups: a page of groups by id, or one group. @throws ConnectError invalid_argument */
export async function listGroupViewsIn(owner: Owner, request: AdminListGroupsRequest) {
  const groupIds = idsIn(request);
  const unbounded = Number.POSITIVE_INFINITY;
  const groups = await encodeInSteps({ owner, turn: nextRound }, GROUPS, groupIds, groupViewParts, unbounded);
  return withList(AdminListGroupsResponseSchema, { atMs: BigInt(owner.nowMs()) }, groups);
}

function idsIn(request: AdminListGroupsRequest): (state: ClusterState) => Iterable<string> {
  const { groupId } = request;
  if (groupId !== undefined) {
    return () => [groupId];
  }
  const page = checkedPage(request.page);
  return (state) => firstOf(groupIdsAfter(state, page.after ?? null), page);
}
