// Journal format of ReplaceRuns: run by run, each number relative to its usual value, so that a run takes about a dozen bytes. The columns
// of a compaction follow.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { doubleAt, wordAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { CompactionColumns, ReplaceRuns } from '../model/data.types.ts';
import { ID_BYTES, type Id } from '../model/ids.ts';
import { type Field, list, looseId } from './field.ts';

const ids = list(looseId);
/** The least bytes that a run takes: one per column. */
const LEAST_RUN_BYTES = 6;
/** Which columns of a compaction are present; 0: the bytes were copied. */
const COMPACTED = 1;
const WITH_MAX_TIMESTAMPS = 2;
const WITH_DELETE_HORIZONS = 4;
const WITHOUT_ABORTED = 8;

export const replaceRunsCodec: Field<Omit<ReplaceRuns, 'kind'>> = { write, read };

function write(to: ByteWriter, command: Omit<ReplaceRuns, 'kind'>): void {
  const { targetTopic, targetPartition, targetBaseOffset, targetEndOffset, targetPosition, targetBytes } = command;
  to.raw(command.fileId);
  to.unsigned(command.fileBytes);
  to.unsigned(command.level);
  ids.write(to, command.sourceFileIds);
  ids.write(to, command.topicIds);
  to.unsigned(targetTopic.length);
  // Partitions are usually consecutive, and runs adjacent in the file.
  let before = { topic: 0, partition: 0, end: 0 };
  for (let run = 0; run < targetTopic.length; run += 1) {
    const topic = wordAt(targetTopic, run);
    const partition = wordAt(targetPartition, run);
    const base = doubleAt(targetBaseOffset, run);
    const position = doubleAt(targetPosition, run);
    const bytes = doubleAt(targetBytes, run);
    to.signed(topic - before.topic);
    to.signed(partition - before.partition);
    to.unsigned(base);
    to.unsigned(doubleAt(targetEndOffset, run) - base);
    to.signed(position - before.end);
    to.unsigned(bytes);
    before = { topic, partition, end: position + bytes };
  }
  writeCompaction(to, command);
}

function writeCompaction(to: ByteWriter, { compaction, targetBytes }: Omit<ReplaceRuns, 'kind'>): void {
  if (compaction === null) {
    to.byte(0);
    return;
  }
  const { targetSourceBytes, targetMaxTimestampMs, targetDeleteHorizonMs, isAbortedRemoved } = compaction;
  const timestamps = targetMaxTimestampMs === null ? 0 : WITH_MAX_TIMESTAMPS;
  const horizons = targetDeleteHorizonMs === null ? 0 : WITH_DELETE_HORIZONS;
  to.byte(COMPACTED + timestamps + horizons + (isAbortedRemoved === true ? WITHOUT_ABORTED : 0));
  for (const [run, sourceBytes] of targetSourceBytes.entries()) {
    to.signed(sourceBytes - doubleAt(targetBytes, run));
  }
  for (const timeMs of [...(targetMaxTimestampMs ?? []), ...(targetDeleteHorizonMs ?? [])]) {
    to.signed(timeMs);
  }
}

function readCompaction(from: ByteReader, targetBytes: Float64Array): CompactionColumns | null {
  const columns = from.byte();
  if (columns === 0) {
    return null;
  }
  const all = COMPACTED | WITH_MAX_TIMESTAMPS | WITH_DELETE_HORIZONS | WITHOUT_ABORTED;
  if ((columns & COMPACTED) === 0 || columns > all) {
    throw new CorruptDataError('a swap does not say what was done to its records');
  }
  const times = (flag: number): Float64Array | null =>
    (columns & flag) === 0 ? null : targetBytes.map(() => from.signed());
  return {
    targetSourceBytes: targetBytes.map((bytes) => bytes + from.signed()),
    targetMaxTimestampMs: times(WITH_MAX_TIMESTAMPS),
    targetDeleteHorizonMs: times(WITH_DELETE_HORIZONS),
    ...((columns & WITHOUT_ABORTED) === 0 ? {} : { isAbortedRemoved: true }),
  };
}

function read(from: ByteReader): Omit<ReplaceRuns, 'kind'> {
  const fileId: Id = from.raw(ID_BYTES);
  const fileBytes = from.unsigned();
  const level = from.unsigned();
  const sourceFileIds = ids.read(from);
  const topicIds = ids.read(from);
  const count = from.count(LEAST_RUN_BYTES);
  const columns = {
    targetTopic: new Uint32Array(count),
    targetPartition: new Uint32Array(count),
    targetBaseOffset: new Float64Array(count),
    targetEndOffset: new Float64Array(count),
    targetPosition: new Float64Array(count),
    targetBytes: new Float64Array(count),
  };
  let [topic, partition, end] = [0, 0, 0];
  for (let run = 0; run < count; run += 1) {
    topic += from.signed();
    partition += from.signed();
    const base = from.unsigned();
    const records = from.unsigned();
    const position = end + from.signed();
    const bytes = from.unsigned();
    end = position + bytes;
    columns.targetTopic[run] = topic;
    columns.targetPartition[run] = partition;
    columns.targetBaseOffset[run] = base;
    columns.targetEndOffset[run] = base + records;
    columns.targetPosition[run] = position;
    columns.targetBytes[run] = bytes;
  }
  const compaction = readCompaction(from, columns.targetBytes);
  return { fileId, fileBytes, level, sourceFileIds, topicIds, ...columns, compaction };
}
