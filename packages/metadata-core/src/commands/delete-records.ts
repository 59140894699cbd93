// DeleteRecords: moves the log start offset of partitions forward.

import type { DeleteRecords, PartitionStateAnswer } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, type PartitionBounds, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { truncateBefore } from '../state/partition.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import { findPartition } from '../topics/find-partition.ts';

/** The beforeOffset that means the high watermark. */
const HIGH_WATERMARK = -1;

export function deleteRecords(state: ClusterState, command: DeleteRecords, nowMs: number): Outcome<'delete-records'> {
  const states: PartitionStateAnswer[] = [];
  const truncated: PartitionBounds[] = [];
  for (const { topicId, partition: number, beforeOffset } of command.partitions) {
    const { errorCode, partition } = findPartition(state, topicId, number);
    if (partition === null) {
      states.push({ errorCode, logStartOffset: -1, highWatermark: -1, lastStableOffset: -1 });
      continue;
    }
    const { highWatermark } = partition;
    const before = beforeOffset === HIGH_WATERMARK ? highWatermark : beforeOffset;
    if (!Number.isInteger(before) || before < 0 || before > highWatermark) {
      states.push({
        errorCode: ErrorCode.OFFSET_OUT_OF_RANGE,
        logStartOffset: partition.logStartOffset,
        highWatermark,
        lastStableOffset: lastStableOffset(partition),
      });
      continue;
    }
    // An offset before the log start is already deleted: Kafka returns the unchanged log start offset.
    if (before > partition.logStartOffset) {
      truncateBefore(partition, before, state.files, nowMs);
      truncated.push({
        topicId,
        partition: number,
        logStartOffset: before,
        highWatermark,
        lastStableOffset: lastStableOffset(partition),
      });
    }
    const { logStartOffset } = partition;
    states.push({
      errorCode: ErrorCode.NONE,
      logStartOffset,
      highWatermark,
      lastStableOffset: lastStableOffset(partition),
    });
  }
  return truncated.length === 0 ? unchanged({ states }) : changed({ states }, { truncated });
}
