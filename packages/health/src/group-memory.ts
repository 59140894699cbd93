// What is remembered of consumer groups: when they last had members, and the least lag of each of the last minutes. The least, because
// lag goes up and down by itself between two commits of a consumer; only what does not come down to where it was is growth.
import { MINUTE_MS } from '@penstock/units';
import type { GroupFacts, GroupMemory } from './model.ts';
import { GROUP_MEMORY_MS, LAG_MINUTES, MOST_GROUPS } from './thresholds.ts';

type Memories = Readonly<Record<string, GroupMemory>>;

/** The memories after a look. Groups that are gone are forgotten; of very many those with the greatest lag are followed. */
export function followGroups(before: Memories, groups: readonly GroupFacts[], nowMs: number): Memories {
  const followed = groups
    .toSorted((left, right) => right.lagRecords - left.lagRecords || (left.groupId < right.groupId ? -1 : 1))
    .slice(0, MOST_GROUPS);
  return Object.fromEntries(followed.map((group) => [group.groupId, follow(before[group.groupId], group, nowMs)]));
}

function follow(before: GroupMemory | undefined, group: GroupFacts, nowMs: number): GroupMemory {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const presence =
    group.members > 0
      ? { withMembersAtMs: nowMs, lagWithMembers: group.lagRecords }
      : { withMembersAtMs: before?.withMembersAtMs ?? null, lagWithMembers: before?.lagWithMembers ?? 0 };
  if (before === undefined || minute - before.minute > 1 || minute < before.minute) {
    // Minutes that nobody looked at say nothing: growth has to be seen without a gap.
    return { ...presence, minute, leastLag: group.lagRecords, leastLags: [] };
  }
  if (minute === before.minute) {
    return { ...before, ...presence, leastLag: Math.min(before.leastLag, group.lagRecords) };
  }
  const leastLags = [...before.leastLags, before.leastLag].slice(-(LAG_MINUTES + 1));
  return { ...presence, minute, leastLag: group.lagRecords, leastLags };
}

/** By how many records the lag has grown in every single one of the last minutes; 0 when it has not, or comes down already. */
export function lagGrowth({ leastLags }: GroupMemory, lagRecords: number): number {
  const first = leastLags[0];
  const last = leastLags.at(-1);
  if (leastLags.length <= LAG_MINUTES || first === undefined || last === undefined) {
    return 0;
  }
  const grewEachMinute = leastLags.every((lag, index) => index === 0 || lag > (leastLags[index - 1] ?? 0));
  return grewEachMinute && lagRecords >= last ? lagRecords - first : 0;
}

/** Whether the group had members not long ago. */
export function wasActive({ withMembersAtMs }: GroupMemory, nowMs: number): boolean {
  return withMembersAtMs !== null && nowMs - withMembersAtMs <= GROUP_MEMORY_MS;
}
