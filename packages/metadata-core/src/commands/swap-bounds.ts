// The maximum size of a merged file. Swaps are not metered, so the bytes they add must have been metered when they were committed.

import { doubleAt } from '../model/checked.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import { MARKER_BYTES } from '../model/limits.ts';

/**
 * A compacted run holds a part of its sources' records, but compressed again, perhaps with less effort than the producer took: at most so
 * many times their bytes, and a few empty batches. The bytes by which a file is longer than its sources are metered as writes.
 */
const MOST_COMPACTED_GROWTH = 2;
const COMPACTED_RUN_OVERHEAD_BYTES = 4 * MARKER_BYTES;

// What follows the runs in a file: its places, one for each MiB, and its index with the names of its topics. About twice what agents write.
const FILE_OVERHEAD_BYTES = 4_096;
const TOPIC_OVERHEAD_BYTES = 512;
const RUN_OVERHEAD_BYTES = 64;
const PLACE_OVERHEAD_BYTES = 64;
const PLACE_INTERVAL_BYTES = 1024 * 1024;

/** Why a file cannot have been made of its sources, if its columns are valid. Null when it can. */
export function swapSizeProblem({ fileBytes, topicIds, targetBytes, compaction }: ReplaceRuns): string | null {
  let bytes = 0;
  for (let target = 0; target < targetBytes.length; target += 1) {
    const targetLength = doubleAt(targetBytes, target);
    const sourceBytes = compaction?.targetSourceBytes[target] ?? targetLength;
    const most = sourceBytes * MOST_COMPACTED_GROWTH + COMPACTED_RUN_OVERHEAD_BYTES;
    if (compaction !== null && targetLength > most) {
      return `A compacted run has ${targetLength} bytes, but its sources have ${sourceBytes}: it may have at most ${most}.`;
    }
    bytes += targetLength;
  }
  const most =
    bytes +
    FILE_OVERHEAD_BYTES +
    topicIds.length * TOPIC_OVERHEAD_BYTES +
    targetBytes.length * RUN_OVERHEAD_BYTES +
    Math.ceil(bytes / PLACE_INTERVAL_BYTES) * PLACE_OVERHEAD_BYTES;
  return fileBytes > most
    ? `The file has ${fileBytes} bytes, but its runs have ${bytes}: with its index it may have at most ${most}.`
    : null;
}
