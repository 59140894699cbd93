// GroupDeadline: ends the join phase, or removes members that did not fetch their assignment or give up their partitions in time.
import { fenceMembers } from '../consumer-groups/members.ts';
import { GroupChanges } from '../groups/group-changes.ts';
import { endJoinPhase, prepareRebalance, removeMember } from '../groups/rebalance.ts';
import type { GroupDeadline } from '../model/groups.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange } from '../state/cluster-state.ts';
import { memberDeadlineMs } from '../state/consumer-group.ts';
import type { Group } from '../state/group.types.ts';

export function groupDeadline(state: ClusterState, command: GroupDeadline, nowMs: number): Outcome<'group-deadline'> {
  const group = groupToChange(state, command.groupId);
  if (group === undefined || group.deadlineMs === null || group.deadlineMs > nowMs) {
    return unchanged({ fired: false });
  }
  const changes = new GroupChanges();
  if (group.consumer !== null) {
    const late = [...group.consumer.members.values()].filter(
      (member) => (memberDeadlineMs(member) ?? nowMs + 1) <= nowMs,
    );
    const memberIds = late.map(({ memberId }) => memberId);
    fenceMembers(state, group, group.consumer, memberIds, nowMs, changes);
  } else if (group.state === 'PreparingRebalance') {
    if (!gatherLonger(group, nowMs)) {
      endJoinPhase(group, nowMs, changes);
    }
  } else {
    for (const member of [...group.members.values()]) {
      if (!member.hasSynced) {
        removeMember(group, member, changes);
      }
    }
    group.deadlineMs = null;
    prepareRebalance(group, nowMs, changes);
  }
  return changed({ fired: true }, { groups: [changes.effect(group)] });
}

/** While members keep joining a group that was empty, the wait is extended, but not beyond the rebalance timeout. */
function gatherLonger(group: Group, nowMs: number): boolean {
  const { gathering } = group;
  if (gathering === null || !gathering.joinedSince || gathering.untilMs <= nowMs) {
    return false;
  }
  gathering.joinedSince = false;
  group.deadlineMs = Math.min(nowMs + gathering.delayMs, gathering.untilMs);
  return true;
}
