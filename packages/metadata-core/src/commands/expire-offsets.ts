// ExpireOffsets: offsets of groups that nobody uses any more.
import { EMPTY_GROUP_MEMORY_MS, OFFSETS_RETENTION_MS } from '../limits.ts';
import { changed, type Outcome, unchanged } from '../outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Group } from '../state/group.ts';

export function expireOffsets(state: ClusterState, nowMs: number): Outcome<'expire-offsets'> {
  let expiredOffsets = 0;
  let removedGroups = 0;
  for (const group of state.groups.values()) {
    if (group.state !== 'Empty') {
      continue;
    }
    expiredOffsets += expireGroup(group, nowMs);
    const isForgotten = group.emptySinceMs + EMPTY_GROUP_MEMORY_MS <= nowMs;
    if (isForgotten && group.offsets.size === 0 && group.pendingMembers.size === 0) {
      state.groups.delete(group.groupId);
      removedGroups += 1;
    }
  }
  return expiredOffsets + removedGroups === 0 ? unchanged({ expiredOffsets }) : changed({ expiredOffsets });
}

/** An offset ages from its commit, and in a group that had members at least from when the last one left. */
function expireGroup(group: Group, nowMs: number): number {
  const groupUsedMs = group.protocolType === null ? 0 : group.emptySinceMs;
  let expired = 0;
  for (const [topic, partitions] of group.offsets) {
    for (const [partition, { committedAtMs }] of partitions) {
      if (Math.max(committedAtMs, groupUsedMs) + OFFSETS_RETENTION_MS <= nowMs) {
        partitions.delete(partition);
        expired += 1;
      }
    }
    if (partitions.size === 0) {
      group.offsets.delete(topic);
    }
  }
  return expired;
}
