// ExpireMembers: removes members whose session timers fired.
import { fenceMembers } from '../consumer-groups/members.ts';
import { GroupChanges } from '../groups/group-changes.ts';
import { afterRemoval, removeMember } from '../groups/rebalance.ts';
import type { ExpireMembers } from '../model/groups.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange } from '../state/cluster-state.ts';
import { dropPendingMember } from '../state/group.ts';
import type { ConsumerProtocol, Group } from '../state/group.types.ts';

export function expireMembers(state: ClusterState, command: ExpireMembers, nowMs: number): Outcome<'expire-members'> {
  const changesByGroup = new Map<Group, { changes: GroupChanges; membersBefore: number; fenced: string[] }>();
  const expired = command.members.map(({ groupId, memberId }) => {
    const group = groupToChange(state, groupId);
    if (group === undefined) {
      return false;
    }
    const affected = changesByGroup.get(group) ?? {
      changes: new GroupChanges(),
      membersBefore: group.members.size,
      fenced: [],
    };
    const gone =
      group.consumer === null
        ? expire(group, memberId, affected.changes)
        : expireConsumer(group.consumer, memberId, affected.fenced);
    if (gone) {
      changesByGroup.set(group, affected);
    }
    return gone;
  });
  if (changesByGroup.size === 0) {
    return unchanged({ expired });
  }
  const groups = [...changesByGroup].map(([group, { changes, membersBefore, fenced }]) => {
    if (group.consumer === null) {
      afterRemoval(group, group.members.size < membersBefore, nowMs, changes);
    } else {
      fenceMembers(state, group, group.consumer, fenced, nowMs, changes);
    }
    return changes.effect(group);
  });
  return changed({ expired }, { groups });
}

function expire(group: Group, memberId: string, changes: GroupChanges): boolean {
  if (dropPendingMember(group, memberId)) {
    changes.end(memberId);
    return true;
  }
  const member = group.members.get(memberId);
  // A member that waits for an answer cannot send heartbeats, and is not dead.
  if (member === undefined || member.awaitingJoin || member.awaitingSync) {
    return false;
  }
  removeMember(group, member, changes);
  return true;
}

/** Members are fenced together, because each time a new assignment is due. */
function expireConsumer({ members }: ConsumerProtocol, memberId: string, fenced: string[]): boolean {
  if (!members.has(memberId) || fenced.includes(memberId)) {
    return false;
  }
  fenced.push(memberId);
  return true;
}
