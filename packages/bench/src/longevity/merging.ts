// What merging will do to the state, until it exists: many rows of a partition become one, in a new file. A job will do this by a command
// for all partitions of one file at once, and so does this. It is not journaled: only a snapshot holds it.
import { type ClusterState, type Id, idKey } from '@penstock/metadata-core';
import { PARTITIONS, PARTITIONS_PER_TOPIC } from './scenario.ts';
import { newFileId, type PartitionNumber, topicOf } from './traffic.ts';

/** Where each partition ends now. */
export function endOffsets(state: ClusterState, topicIds: readonly Id[]): Float64Array {
  return Float64Array.from(
    { length: PARTITIONS },
    (_, partition) => partitionOf(state, topicIds, partition).highWatermark,
  );
}

/** Replaces the runs of these partitions from `from` to `to` (offsets by partition) by one of each, in one new file. */
export function mergeRuns(
  state: ClusterState,
  topicIds: readonly Id[],
  partitions: readonly PartitionNumber[],
  { from, to, nowMs }: { from: Float64Array; to: Float64Array; nowMs: number },
): void {
  const { files } = state;
  const merged = partitions.map((partition) => {
    const { runs } = partitionOf(state, topicIds, partition);
    if (runs === null) {
      throw new Error('there is nothing to merge');
    }
    const first = runs.rowOfOffset(from[partition] ?? 0);
    const end = runs.rowOfOffset((to[partition] ?? 0) - 1) + 1;
    let bytes = 0;
    let maxTimestampMs = -1;
    for (let row = first; row < end; row += 1) {
      bytes += runs.bytes(row);
      maxTimestampMs = Math.max(maxTimestampMs, runs.maxTimestampMs(row));
    }
    return { runs, first, end, bytes, maxTimestampMs };
  });
  const slot = files.add(
    newFileId(nowMs),
    merged.reduce((sum, { bytes }) => sum + bytes, 0),
    nowMs,
  );
  let position = 0;
  for (const { runs, first, end, bytes, maxTimestampMs } of merged) {
    files.addRun(slot, bytes);
    for (let row = first; row < end; row += 1) {
      files.dropRun(runs.file(row), runs.bytes(row), nowMs);
    }
    runs.replace(first, end - first, {
      baseOffset: runs.baseOffset(first),
      file: slot,
      position,
      bytes,
      maxTimestampMs,
    });
    position += bytes;
  }
  files.settle(slot, nowMs);
}

function partitionOf(state: ClusterState, topicIds: readonly Id[], partition: PartitionNumber) {
  const topicId = topicIds[topicOf(partition)];
  const found = topicId && state.topics.get(idKey(topicId))?.partitions[partition % PARTITIONS_PER_TOPIC];
  if (found === undefined) {
    throw new Error(`there is no partition ${partition}`);
  }
  return found;
}
