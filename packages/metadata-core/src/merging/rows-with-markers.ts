// Markers are merged together with the runs around them: an agent writes their control batches into the file, and their rows go. A marker
// goes with the run after it, so that it is in no other open job than that run. The last ones of a log wait for a run.
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';

/**
 * These rows of a partition, which are runs and ascend, with the markers right before them. Markers at or behind the last stable offset
 * stay rows: readers at read_committed can't have got to them.
 * @param most rows that are returned; beyond that, markers are left out
 */
export function rowsWithMarkers(partition: Partition, runs: RunIndex, rows: readonly number[], most: number): number[] {
  const stableOffset = lastStableOffset(partition);
  let left = most - rows.length;
  const all: number[] = [];
  for (const row of rows) {
    let first = row;
    while (first > 0 && left > 0 && runs.isMarker(first - 1) && runs.baseOffset(first - 1) < stableOffset) {
      first -= 1;
      left -= 1;
    }
    for (let next = first; next <= row; next += 1) {
      all.push(next);
    }
  }
  return all;
}
