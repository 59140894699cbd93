// Snapshot format of a partition's run index: about a dozen bytes a run. Runs are contiguous in offsets, so only their lengths are
// kept and the first base offset follows from the high watermark.
import type { Partition } from '../state/partition.ts';
import { runEndOffset } from '../state/partition.ts';
import { RunIndex } from '../state/run-index.ts';
import { type ByteReader, CorruptDataError } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readDelta, writeDelta } from './delta.ts';

/** 0: there never was a run; else the number of runs plus 1. */
export function writeRuns(to: ByteWriter, partition: Partition): void {
  const { runs } = partition;
  if (runs === null) {
    to.unsigned(0);
    return;
  }
  to.unsigned(runs.length + 1);
  for (let row = 0; row < runs.length; row += 1) {
    to.unsigned(runEndOffset(partition, runs, row) - runs.baseOffset(row));
  }
  let fileBefore = 0;
  let timestampBefore = 0;
  for (let row = 0; row < runs.length; row += 1) {
    const file = runs.file(row);
    const timestampMs = runs.maxTimestampMs(row);
    to.signed(file - fileBefore);
    to.unsigned(runs.position(row));
    to.unsigned(runs.bytes(row));
    writeDelta(to, timestampMs, timestampBefore);
    fileBefore = file;
    timestampBefore = timestampMs;
  }
}

export function readRuns(from: ByteReader, highWatermark: number): RunIndex | null {
  const coded = from.unsigned();
  if (coded === 0) {
    return null;
  }
  const count = coded - 1;
  // Five columns of at least a byte.
  if (count * 5 > from.remaining) {
    throw new CorruptDataError('a run index is longer than the data');
  }
  const records = new Float64Array(count);
  let total = 0;
  for (let row = 0; row < count; row += 1) {
    const length = from.unsigned();
    records[row] = length;
    total += length;
  }
  const runs = new RunIndex();
  let baseOffset = highWatermark - total;
  let file = 0;
  let timestampMs = 0;
  for (let row = 0; row < count; row += 1) {
    file += from.signed();
    const position = from.unsigned();
    const bytes = from.unsigned();
    timestampMs = readDelta(from, timestampMs);
    runs.append(baseOffset, file, position, bytes, timestampMs);
    baseOffset += records[row] ?? 0;
  }
  return runs;
}
