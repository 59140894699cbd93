// The history of consumer groups: when they last had members, and the least lag of each of the last minutes. The least,
// because lag rises and falls between a consumer's commits; only lag that never falls back is growth.
import { MINUTE_MS } from '@penstock/units';
import type { GroupFacts, GroupMemory, History } from './model.ts';
import { GROUP_MEMORY_MS, LAG_MINUTES, MOST_GROUPS } from './thresholds.ts';

type Memories = History['groups'];

/**
 * The history after a check. Deleted groups are dropped. If there are very many, those with the greatest lag are kept.
 */
export function followGroups(before: Memories, groups: readonly GroupFacts[], nowMs: number): Memories {
  const followed = groups
    .toSorted((left, right) => right.lagRecords - left.lagRecords || (left.groupId < right.groupId ? -1 : 1))
    .slice(0, MOST_GROUPS);
  const known = new Map(before);
  return followed.map((group) => [group.groupId, follow(known.get(group.groupId), group, nowMs)]);
}

function follow(before: GroupMemory | undefined, group: GroupFacts, nowMs: number): GroupMemory {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const presence =
    group.members > 0
      ? { withMembersAtMs: nowMs, lagWithMembers: group.lagRecords }
      : { withMembersAtMs: before?.withMembersAtMs ?? null, lagWithMembers: before?.lagWithMembers ?? 0 };
  if (before === undefined || minute - before.minute > 1 || minute < before.minute) {
    // A gap in the checks restarts it: growth counts only in consecutive minutes.
    return { ...presence, minute, leastLag: group.lagRecords, leastLags: [] };
  }
  if (minute === before.minute) {
    return { ...before, ...presence, leastLag: Math.min(before.leastLag, group.lagRecords) };
  }
  const leastLags = [...before.leastLags, before.leastLag].slice(-(LAG_MINUTES + 1));
  return { ...presence, minute, leastLag: group.lagRecords, leastLags };
}

/**
 * By how many records the lag has grown over the last minutes, if it grew in every one of them; 0 if it did not, or is
 * falling again.
 */
export function lagGrowth({ leastLags }: GroupMemory, lagRecords: number): number {
  const first = leastLags[0];
  const last = leastLags.at(-1);
  if (leastLags.length <= LAG_MINUTES || first === undefined || last === undefined) {
    return 0;
  }
  const grewEachMinute = leastLags.every((lag, index) => index === 0 || lag > (leastLags[index - 1] ?? 0));
  return grewEachMinute && lagRecords >= last ? lagRecords - first : 0;
}

/** Whether the group had members recently. */
export function wasActive({ withMembersAtMs }: GroupMemory, nowMs: number): boolean {
  return withMembersAtMs !== null && nowMs - withMembersAtMs <= GROUP_MEMORY_MS;
}
