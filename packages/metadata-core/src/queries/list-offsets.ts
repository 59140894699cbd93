// Kafka's ListOffsets.
import { ErrorCode } from '../model/error-code.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import { findPartition } from '../topics/find-partition.ts';
import { runLocation } from './locate.ts';
import type { OffsetAnswer, OffsetQuery } from './queries.types.ts';

/** Special timestamps of ListOffsets requests. */
const LATEST = -1;
const EARLIEST = -2;
const MAX_TIMESTAMP = -3;
const EARLIEST_LOCAL = -4;

const NONE: OffsetAnswer = { errorCode: ErrorCode.NONE, offset: -1, timestampMs: -1, run: null };

/** One answer per query, in order. For a timestamp it names the run in which the agent finds the exact record. */
export function listOffsets(state: ClusterState, queries: readonly OffsetQuery[]): OffsetAnswer[] {
  return queries.map(({ topicId, partition: number, timestampMs, fromOffset, isReadCommitted = false }) => {
    const { errorCode, partition } = findPartition(state, topicId, number);
    if (partition === null) {
      return { errorCode, offset: -1, timestampMs: -1, run: null };
    }
    const endOffset = isReadCommitted ? lastStableOffset(partition) : partition.highWatermark;
    switch (timestampMs) {
      case LATEST:
        return { ...NONE, offset: endOffset };
      case EARLIEST:
      case EARLIEST_LOCAL:
        return { ...NONE, offset: partition.logStartOffset };
      default:
        // Below -4 are the offsets of Kafka's tiered storage; a cluster without tiers has none.
        return timestampMs < 0 && timestampMs !== MAX_TIMESTAMP
          ? NONE
          : runAnswer(state, partition, timestampMs, fromOffset, endOffset);
    }
  });
}

function runAnswer(
  state: ClusterState,
  partition: Partition,
  timestampMs: number,
  fromOffset: number,
  endOffset: number,
): OffsetAnswer {
  const { runs } = partition;
  if (runs === null || runs.length === 0 || fromOffset >= endOffset) {
    return NONE;
  }
  const fromRow = Math.max(0, runs.rowOfOffset(fromOffset));
  const row =
    timestampMs === MAX_TIMESTAMP ? runs.rowOfMaxTimestamp(fromRow) : runs.rowOfTimestamp(timestampMs, fromRow);
  if (row < 0 || runs.baseOffset(row) >= endOffset) {
    return NONE;
  }
  const run = runLocation(state, partition, runs, row);
  return {
    errorCode: ErrorCode.NONE,
    offset: Math.max(run.baseOffset, partition.logStartOffset, fromOffset),
    timestampMs: run.maxTimestampMs,
    run,
  };
}
