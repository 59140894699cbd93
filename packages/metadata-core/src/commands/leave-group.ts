// LeaveGroup: members leave by themselves, or an operator removes static ones by their instance id.
import { leaveAsClassic } from '../consumer-groups/classic-members.ts';
import { GroupChanges } from '../groups/group-changes.ts';
import { isGroupId } from '../groups/join-checks.ts';
import { checkMember } from '../groups/member-check.ts';
import { afterRemoval, removeMember } from '../groups/rebalance.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { LeaveGroup } from '../model/groups.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange } from '../state/cluster-state.ts';
import { dropPendingMember } from '../state/group.ts';
import type { Group } from '../state/group.types.ts';

export function leaveGroup(state: ClusterState, command: LeaveGroup, nowMs: number): Outcome<'leave-group'> {
  if (!isGroupId(command.groupId)) {
    return unchanged({ errorCode: ErrorCode.INVALID_GROUP_ID, memberErrorCodes: [] });
  }
  const group = groupToChange(state, command.groupId);
  if (group === undefined) {
    const memberErrorCodes = command.members.map(() => ErrorCode.UNKNOWN_MEMBER_ID);
    return unchanged({ errorCode: ErrorCode.NONE, memberErrorCodes });
  }
  if (group.consumer !== null) {
    return leaveAsClassic(state, group, group.consumer, command, nowMs);
  }
  const changes = new GroupChanges();
  const membersBefore = group.members.size;
  const memberErrorCodes = command.members.map(({ memberId, groupInstanceId }) =>
    leave(group, memberId, groupInstanceId, changes),
  );
  const answer = { errorCode: ErrorCode.NONE, memberErrorCodes };
  if (!memberErrorCodes.includes(ErrorCode.NONE)) {
    return unchanged(answer);
  }
  afterRemoval(group, group.members.size < membersBefore, nowMs, changes);
  return changed(answer, { groups: [changes.effect(group)] });
}

function leave(group: Group, memberId: string, groupInstanceId: string | null, changes: GroupChanges): ErrorCode {
  if (groupInstanceId === null && dropPendingMember(group, memberId)) {
    changes.end(memberId);
    return ErrorCode.NONE;
  }
  // With an empty member id, an operator names a static member by its instance id only.
  const holder = groupInstanceId === null ? undefined : group.staticMembers.get(groupInstanceId);
  const named = memberId === '' && holder !== undefined ? holder : memberId;
  const { errorCode, member } = checkMember(group, named, groupInstanceId);
  if (member !== null) {
    removeMember(group, member, changes);
  }
  return errorCode;
}
