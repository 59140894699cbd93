// Finds the runs that hold given offsets.

import type { PartitionStateAnswer } from '../commands/data.types.ts';
import { ErrorCode } from '../error-code.ts';
import type { Id } from '../ids.ts';
import { MAX_RUNS_PER_CURSOR } from '../limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { type Partition, runEndOffset } from '../state/partition.ts';
import type { RunIndex } from '../state/run-index.ts';
import { findPartition } from '../topics/find-partition.ts';
import type { Cursor, Located, RunLocation } from './queries.types.ts';

/** The runs from each cursor on, in the order of the cursors. At the high watermark: no runs and no error. */
export function locate(state: ClusterState, cursors: readonly Cursor[]): Located[] {
  return cursors.map((cursor) => {
    const { errorCode, partition } = findPartition(state, cursor.topicId, cursor.partition);
    if (partition === null) {
      return { errorCode, logStartOffset: -1, highWatermark: -1, runs: [] };
    }
    const { logStartOffset, highWatermark } = partition;
    const { offset } = cursor;
    if (!(offset >= logStartOffset && offset <= highWatermark)) {
      return { errorCode: ErrorCode.OFFSET_OUT_OF_RANGE, logStartOffset, highWatermark, runs: [] };
    }
    return { errorCode: ErrorCode.NONE, logStartOffset, highWatermark, runs: runsFrom(state, partition, cursor) };
  });
}

function runsFrom(state: ClusterState, partition: Partition, cursor: Cursor): RunLocation[] {
  const { runs } = partition;
  const found: RunLocation[] = [];
  if (runs === null || cursor.offset >= partition.highWatermark) {
    return found;
  }
  let row = runs.rowOfOffset(cursor.offset);
  let bytes = 0;
  do {
    const run = runLocation(state, partition, runs, row);
    found.push(run);
    bytes += run.bytes;
    row += 1;
  } while (row < runs.length && bytes < cursor.maxBytes && found.length < MAX_RUNS_PER_CURSOR);
  return found;
}

/** One complete row of the index. */
export function runLocation(state: ClusterState, partition: Partition, runs: RunIndex, row: number): RunLocation {
  const file = runs.file(row);
  const baseOffset = runs.baseOffset(row);
  return {
    fileId: state.files.id(file),
    position: runs.position(row),
    bytes: runs.bytes(row),
    baseOffset,
    records: runEndOffset(partition, runs, row) - baseOffset,
    maxTimestampMs: runs.maxTimestampMs(row),
    fileBytes: state.files.bytes(file),
  };
}

/** Log start offset and high watermark of one partition. */
export function partitionBounds(state: ClusterState, topicId: Id, number: number): PartitionStateAnswer {
  const { errorCode, partition } = findPartition(state, topicId, number);
  return partition === null
    ? { errorCode, logStartOffset: -1, highWatermark: -1 }
    : { errorCode, logStartOffset: partition.logStartOffset, highWatermark: partition.highWatermark };
}
