// ExpireOffsets: removes committed offsets of groups that are no longer used, and of topics that a group no longer reads.
import { groupSubscriptions } from '../consumer-groups/group-subscriptions.ts';
import { EMPTY_GROUP_MEMORY_MS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { offsetsRetentionMs } from '../model/settings.ts';
import { beforeChange, type ClusterState, removeGroup } from '../state/cluster-state.ts';
import { dropOffset } from '../state/group.ts';
import type { Group, StoredOffset } from '../state/group.types.ts';

export function expireOffsets(state: ClusterState, nowMs: number): Outcome<'expire-offsets'> {
  const retentionMs = offsetsRetentionMs(state.settings);
  let expiredOffsets = 0;
  let removedGroups = 0;
  for (const group of state.groups.values()) {
    if (group.expiresFromMs > nowMs || !mayExpire(group)) {
      continue;
    }
    const live = group.state === 'Stable' ? groupSubscriptions(group) : NO_TOPICS;
    if (live === null) {
      // Nobody can say what such a group reads. Its members stay the same until it rebalances, which resets the bound.
      group.expiresFromMs = Number.MAX_SAFE_INTEGER;
      continue;
    }
    beforeChange(state, group);
    expiredOffsets += expireGroup(group, live, nowMs - retentionMs);
    group.expiresFromMs = nextExpiryMs(group, live, retentionMs);
    if (group.expiresFromMs <= nowMs) {
      removeGroup(state, group);
      removedGroups += 1;
    }
  }
  return expiredOffsets + removedGroups === 0 ? unchanged({ expiredOffsets }) : changed({ expiredOffsets });
}

const NO_TOPICS: ReadonlySet<string> = new Set();

/** As in Kafka, a group that rebalances keeps its offsets until it is clear what it reads. */
function mayExpire(group: Group): boolean {
  return group.state === 'Empty' || group.state === 'Stable';
}

/** Removes offsets that were last used at `unusedSinceMs` or before. The members read the topics in `live`. */
function expireGroup(group: Group, live: ReadonlySet<string>, unusedSinceMs: number): number {
  let expired = 0;
  for (const [topic, partitions] of group.offsets) {
    if (live.has(topic)) {
      continue;
    }
    for (const [partition, offset] of partitions) {
      if (lastUsedMs(group, offset) <= unusedSinceMs) {
        expired += dropOffset(group, topic, partition) ? 1 : 0;
      }
    }
  }
  return expired;
}

/** An offset's age counts from its commit or, in a group that had members, from when the last one left, whichever is later. */
function lastUsedMs(group: Group, { committedAtMs }: StoredOffset): number {
  const groupUsedMs = group.state !== 'Empty' || group.protocolType === null ? 0 : group.emptySinceMs;
  return Math.max(committedAtMs, groupUsedMs);
}

/** When the next offset expires or, of an Empty group with neither offsets nor pending members, the group itself. */
function nextExpiryMs(group: Group, live: ReadonlySet<string>, retentionMs: number): number {
  if (group.state === 'Empty' && group.offsets.size === 0 && group.pendingMembers.size === 0) {
    return group.emptySinceMs + EMPTY_GROUP_MEMORY_MS;
  }
  let nextMs = Number.MAX_SAFE_INTEGER;
  for (const [topic, partitions] of group.offsets) {
    if (live.has(topic)) {
      continue;
    }
    for (const offset of partitions.values()) {
      nextMs = Math.min(nextMs, lastUsedMs(group, offset) + retentionMs);
    }
  }
  return nextMs;
}
