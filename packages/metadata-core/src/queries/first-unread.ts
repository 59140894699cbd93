// How old the records are that a group has not read yet, as far as the index tells: runs have one timestamp, their largest.
import type { ClusterState } from '../state/cluster-state.ts';

/**
 * The largest timestamp of the run that holds the first record at or after `committedOffset`: that record is at least so old, and as a rule
 * older by no more than an agent's flush interval. -1 when there is no such record, or its run carries no timestamp.
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
  // What retention has deleted is not waited for any more.
  const first = Math.max(committedOffset, partition.logStartOffset);
  if (first >= partition.highWatermark) {
    return -1;
  }
  return runs.maxTimestampMs(Math.max(0, runs.rowOfOffset(first)));
}
