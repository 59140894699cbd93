// Finds the runs that hold given offsets.

import type { PartitionStateAnswer } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { Id } from '../model/ids.ts';
import { MAX_RUNS_PER_CURSOR } from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { runEndOffset } from '../state/partition.ts';
import type { AbortedTransaction, Partition } from '../state/partition.types.ts';
import { abortedBetween, lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import { findPartition } from '../topics/find-partition.ts';
import type { Cursor, Located, RunLocation } from './queries.types.ts';

/** The runs from each cursor on, in the order of the cursors. At the high watermark: no runs and no error. */
export function locate(state: ClusterState, cursors: readonly Cursor[]): Located[] {
  return cursors.map((cursor) => {
    const { errorCode, partition } = findPartition(state, cursor.topicId, cursor.partition);
    if (partition === null) {
      return { errorCode, logStartOffset: -1, highWatermark: -1, lastStableOffset: -1, runs: [], aborted: [] };
    }
    const { logStartOffset, highWatermark } = partition;
    const bounds = { logStartOffset, highWatermark, lastStableOffset: lastStableOffset(partition) };
    const { offset } = cursor;
    if (!(offset >= logStartOffset && offset <= highWatermark)) {
      return { errorCode: ErrorCode.OFFSET_OUT_OF_RANGE, ...bounds, runs: [], aborted: [] };
    }
    const runs = runsFrom(state, partition, cursor);
    return { errorCode: ErrorCode.NONE, ...bounds, runs, aborted: abortedIn(partition, runs) };
  });
}

/** From the start of the first run on: agents keep the answer, and read it for others before the cursor, too. */
function abortedIn(partition: Partition, runs: readonly RunLocation[]): AbortedTransaction[] {
  const [first, last] = [runs[0], runs.at(-1)];
  return first === undefined || last === undefined
    ? []
    : abortedBetween(partition, first.baseOffset, last.baseOffset + last.records);
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

const NO_FILE: Id = new Uint8Array(0);

/** One complete row of the index. */
export function runLocation(state: ClusterState, partition: Partition, runs: RunIndex, row: number): RunLocation {
  const baseOffset = runs.baseOffset(row);
  const marker = runs.marker(row);
  if (marker !== null) {
    return {
      fileId: NO_FILE,
      position: 0,
      bytes: runs.bytes(row),
      baseOffset,
      records: 1,
      maxTimestampMs: runs.maxTimestampMs(row),
      fileBytes: 0,
      marker,
    };
  }
  const file = runs.file(row);
  return {
    fileId: state.files.id(file),
    position: runs.position(row),
    bytes: runs.bytes(row),
    baseOffset,
    records: runEndOffset(partition, runs, row) - baseOffset,
    maxTimestampMs: runs.maxTimestampMs(row),
    fileBytes: state.files.bytes(file),
    marker,
  };
}

/** Log start offset, high watermark and last stable offset of one partition. */
export function partitionBounds(state: ClusterState, topicId: Id, number: number): PartitionStateAnswer {
  const { errorCode, partition } = findPartition(state, topicId, number);
  if (partition === null) {
    return { errorCode, logStartOffset: -1, highWatermark: -1, lastStableOffset: -1 };
  }
  const { logStartOffset, highWatermark } = partition;
  return { errorCode, logStartOffset, highWatermark, lastStableOffset: lastStableOffset(partition) };
}
