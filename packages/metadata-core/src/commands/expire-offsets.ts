// ExpireOffsets: removes committed offsets of groups that are no longer used.
import { EMPTY_GROUP_MEMORY_MS, OFFSETS_RETENTION_MS } from '../limits.ts';
import { changed, type Outcome, unchanged } from '../outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import type { Group, StoredOffset } from '../state/group.ts';

export function expireOffsets(state: ClusterState, nowMs: number): Outcome<'expire-offsets'> {
  let expiredOffsets = 0;
  let removedGroups = 0;
  for (const group of state.groups.values()) {
    if (group.state !== 'Empty' || group.expiresFromMs > nowMs) {
      continue;
    }
    beforeChange(state, group);
    expiredOffsets += expireGroup(group, nowMs);
    group.expiresFromMs = nextExpiryMs(group);
    if (group.expiresFromMs <= nowMs) {
      state.groups.delete(group.groupId);
      removedGroups += 1;
    }
  }
  return expiredOffsets + removedGroups === 0 ? unchanged({ expiredOffsets }) : changed({ expiredOffsets });
}

/** Removes what has expired. */
function expireGroup(group: Group, nowMs: number): number {
  let expired = 0;
  for (const [topic, partitions] of group.offsets) {
    for (const [partition, offset] of partitions) {
      if (offsetExpiryMs(group, offset) <= nowMs) {
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

/** An offset's age counts from its commit or, in a group that had members, from when the last one left, whichever is later. */
function offsetExpiryMs(group: Group, { committedAtMs }: StoredOffset): number {
  const groupUsedMs = group.protocolType === null ? 0 : group.emptySinceMs;
  return Math.max(committedAtMs, groupUsedMs) + OFFSETS_RETENTION_MS;
}

/** When the next offset of an Empty group expires, or the group itself, once it has neither offsets nor pending members. */
function nextExpiryMs(group: Group): number {
  if (group.offsets.size === 0 && group.pendingMembers.size === 0) {
    return group.emptySinceMs + EMPTY_GROUP_MEMORY_MS;
  }
  let nextMs = Number.MAX_SAFE_INTEGER;
  for (const partitions of group.offsets.values()) {
    for (const offset of partitions.values()) {
      nextMs = Math.min(nextMs, offsetExpiryMs(group, offset));
    }
  }
  return nextMs;
}
