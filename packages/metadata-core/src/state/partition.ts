// One partition of a topic.

import { MARKER_BYTES } from '../model/limits.ts';
import type { Marker } from '../model/run.types.ts';
import type { FileTable } from './file-table.ts';
import type { Partition } from './partition.types.ts';
import { createPartitionMemory, type PartitionMemory } from './partition-memory.ts';
import { forgetAborted } from './partition-transactions.ts';
import { RunIndex } from './run-index.ts';

/** @param memory the account of the cluster that the partition belongs to */
export function createPartition(memory: PartitionMemory = createPartitionMemory()): Partition {
  return {
    memory,
    logStartOffset: 0,
    highWatermark: 0,
    cleanedOffset: 0,
    deleteHorizonMs: 0,
    storedBytes: 0,
    runs: null,
    producers: null,
    transactions: null,
  };
}

/** The end offset of a run: the base offset of the next one, or the high watermark. */
export function runEndOffset(partition: Partition, runs: RunIndex, row: number): number {
  return row + 1 < runs.length ? runs.baseOffset(row + 1) : partition.highWatermark;
}

/** Moves the log start offset forward (at most to the high watermark) and removes the runs that are entirely before it. */
export function truncateBefore(partition: Partition, offset: number, files: FileTable, nowMs: number): void {
  partition.logStartOffset = offset;
  forgetAborted(partition, offset);
  const { runs } = partition;
  if (runs === null) {
    return;
  }
  const count = offset >= partition.highWatermark ? runs.length : Math.max(0, runs.rowOfOffset(offset));
  for (let row = 0; row < count; row += 1) {
    const bytes = runs.bytes(row);
    if (!runs.isMarker(row)) {
      files.dropRun(runs.file(row), bytes, nowMs);
    }
    partition.storedBytes -= bytes;
  }
  runs.dropFront(count);
}

/** Adds a run at the high watermark and returns its base offset. */
export function appendRun(
  partition: Partition,
  file: number,
  position: number,
  bytes: number,
  records: number,
  maxTimestampMs: number,
): number {
  partition.runs ??= new RunIndex(0, partition.memory);
  const baseOffset = partition.highWatermark;
  partition.runs.append(baseOffset, file, position, bytes, maxTimestampMs);
  partition.highWatermark = baseOffset + records;
  partition.storedBytes += bytes;
  return baseOffset;
}

/** Adds the end of a transaction at the high watermark and returns its offset. */
export function appendMarker(partition: Partition, marker: Marker, timestampMs: number): number {
  partition.runs ??= new RunIndex(0, partition.memory);
  const baseOffset = partition.highWatermark;
  partition.runs.appendMarker(baseOffset, marker, timestampMs);
  partition.highWatermark = baseOffset + 1;
  partition.storedBytes += MARKER_BYTES;
  return baseOffset;
}

/** When a row was committed: a run with its file, a marker at its timestamp. */
export function rowCommittedAtMs(runs: RunIndex, row: number, files: FileTable): number {
  return runs.isMarker(row) ? runs.maxTimestampMs(row) : files.committedAtMs(runs.file(row));
}
