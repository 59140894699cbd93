// The age of the oldest record that a group has not read, as far as the index knows: runs have one timestamp, their largest.
import type { ClusterState } from '../state/cluster-state.ts';

/**
 * The largest timestamp of the run with the first record at or after `committedOffset`. That record is at least this old, and usually older
 * by no more than an agent's flush interval. -1 when there is no such record, or its run has no timestamp.
 */
export function firstUnreadMaxTimestampMs(
  state: ClusterState,
  topic: string,
  number: number,
  committedOffset: number,
): number {
  const partition = state.topicsByName.get(topic)?.partitions[number];
  const runs = partition?.runs;
  if (partition === undefined || runs === null || runs === undefined) {
    return -1;
  }
  // Records deleted by retention do not count as unread.
  const first = Math.max(committedOffset, partition.logStartOffset);
  if (first >= partition.highWatermark) {
    return -1;
  }
  return runs.maxTimestampMs(Math.max(0, runs.rowOfOffset(first)));
}
