// DeleteGroups: deletes groups without members only.

import { GroupChanges } from '../groups/group-changes.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { DeleteGroups } from '../model/groups.types.ts';
import { changed, type GroupEffect, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, removeGroup } from '../state/cluster-state.ts';
import { forgetPendingGroup } from '../state/transactions.ts';

export function deleteGroups(state: ClusterState, command: DeleteGroups): Outcome<'delete-groups'> {
  const groups: GroupEffect[] = [];
  const errorCodes = command.groupIds.map((groupId) => {
    const group = state.groups.get(groupId);
    if (group === undefined) {
      return ErrorCode.GROUP_ID_NOT_FOUND;
    }
    if (group.state !== 'Empty') {
      return ErrorCode.NON_EMPTY_GROUP;
    }
    const changes = new GroupChanges();
    for (const memberId of group.pendingMembers.keys()) {
      changes.end(memberId);
    }
    removeGroup(state, group);
    forgetPendingGroup(state.transactions, groupId);
    groups.push(changes.effect(group));
    return ErrorCode.NONE;
  });
  return groups.length === 0 ? unchanged({ errorCodes }) : changed({ errorCodes }, { groups });
}
