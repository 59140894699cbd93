// Journal format of CommitFile: column by column, each relative to its usual value, so that a run of one batch takes about a dozen bytes.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { doubleAt, wordAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { CommitFile, FileTransaction, ProducerColumns, TransactionColumns } from '../model/data.types.ts';
import { ID_BYTES, type Id } from '../model/ids.ts';
import { readDelta, writeDelta } from './delta.ts';
import { boolean, type Field, list, looseId, record, text } from './field.ts';

const topicIds = list(looseId);
const fileTransactions = list(record<FileTransaction>({ transactionalId: text, addsPartitions: boolean }));

/** Marks the end of the columns of all batches. */
const NOTHING = 0;
const PRODUCERS = 1;
const PRODUCERS_AND_TRANSACTIONS = 2;

export const commitFileCodec: Field<Omit<CommitFile, 'kind'>> = { write, read };

function write(to: ByteWriter, command: Omit<CommitFile, 'kind'>): void {
  const { runTopic, runPartition, runPosition, runBatches, batchBytes, batchRecords, producers } = command;
  to.raw(command.fileId);
  to.unsigned(command.fileBytes);
  topicIds.write(to, command.topicIds);
  to.unsigned(runTopic.length);
  to.unsigned(batchBytes.length);
  to.unsigneds(runTopic);
  to.unsigneds(runPartition);
  to.unsigneds(runBatches);
  to.unsigneds(batchBytes);
  // Runs are usually adjacent: the position is stored as the gap after the run before.
  let batch = 0;
  let end = 0;
  for (let run = 0; run < runTopic.length; run += 1) {
    const position = doubleAt(runPosition, run);
    to.unsigned(position - end);
    end = position;
    for (let left = wordAt(runBatches, run); left > 0; left -= 1) {
      end += wordAt(batchBytes, batch);
      batch += 1;
    }
  }
  to.unsigneds(batchRecords);
  // Timestamps of one file are close together.
  const { batchMaxTimestampMs } = command;
  let before = 0;
  for (let at = 0; at < batchMaxTimestampMs.length; at += 1) {
    const timestampMs = doubleAt(batchMaxTimestampMs, at);
    writeDelta(to, timestampMs, before);
    before = timestampMs;
  }
  to.unsigneds(command.batchUncompressedBytes);
  writeProducers(to, producers, command.transactions ?? null);
}

function read(from: ByteReader): Omit<CommitFile, 'kind'> {
  const fileId: Id = from.raw(ID_BYTES);
  const fileBytes = from.unsigned();
  const topics = topicIds.read(from);
  // A run has four columns of at least a byte, and so does a batch.
  const runs = from.count(4);
  const batches = from.count(4);
  const runTopic = readColumn(from, new Uint32Array(runs));
  const runPartition = readColumn(from, new Uint32Array(runs));
  const runBatches = readColumn(from, new Uint32Array(runs));
  const batchBytes = readColumn(from, new Uint32Array(batches));
  const runPosition = new Float64Array(runs);
  let batch = 0;
  let end = 0;
  for (let run = 0; run < runs; run += 1) {
    end += from.unsigned();
    runPosition[run] = end;
    const last = batch + wordAt(runBatches, run);
    if (last > batches) {
      throw new CorruptDataError('the runs of a file do not add up to its batches');
    }
    for (; batch < last; batch += 1) {
      end += wordAt(batchBytes, batch);
    }
  }
  const batchRecords = readColumn(from, new Uint32Array(batches));
  const batchMaxTimestampMs = new Float64Array(batches);
  let timestampMs = 0;
  for (let at = 0; at < batches; at += 1) {
    timestampMs = readDelta(from, timestampMs);
    batchMaxTimestampMs[at] = timestampMs;
  }
  const batchUncompressedBytes = readColumn(from, new Float64Array(batches));
  const { producers, transactions } = readProducers(from, batches);
  return {
    fileId,
    fileBytes,
    topicIds: topics,
    runTopic,
    runPartition,
    runPosition,
    runBatches,
    batchBytes,
    batchRecords,
    batchMaxTimestampMs,
    batchUncompressedBytes,
    producers,
    // Absent in commands from before, which stay as they were.
    ...(transactions === null ? {} : { transactions }),
  };
}

function readColumn<T extends Uint32Array | Float64Array>(from: ByteReader, column: T): T {
  for (let at = 0; at < column.length; at += 1) {
    column[at] = from.unsigned();
  }
  return column;
}

function writeProducers(
  to: ByteWriter,
  producers: ProducerColumns | null,
  transactions: TransactionColumns | null,
): void {
  if (producers === null) {
    to.byte(NOTHING);
    return;
  }
  to.byte(transactions === null ? PRODUCERS : PRODUCERS_AND_TRANSACTIONS);
  for (const column of [producers.id, producers.epoch, producers.baseSequence]) {
    for (const value of column) {
      to.signed(value);
    }
  }
  if (transactions !== null) {
    fileTransactions.write(to, transactions.producers);
    to.unsigneds(transactions.batch);
  }
}

function readProducers(
  from: ByteReader,
  batches: number,
): { producers: ProducerColumns | null; transactions: TransactionColumns | null } {
  const present = from.byte();
  if (present > PRODUCERS_AND_TRANSACTIONS) {
    throw new CorruptDataError('unknown producer columns');
  }
  if (present === NOTHING) {
    return { producers: null, transactions: null };
  }
  const producers = {
    id: new Float64Array(batches),
    epoch: new Int32Array(batches),
    baseSequence: new Int32Array(batches),
  };
  for (const column of [producers.id, producers.epoch, producers.baseSequence]) {
    for (let at = 0; at < batches; at += 1) {
      column[at] = from.signed();
    }
  }
  if (present === PRODUCERS) {
    return { producers, transactions: null };
  }
  const ofFile = fileTransactions.read(from);
  return { producers, transactions: { batch: readColumn(from, new Uint32Array(batches)), producers: ofFile } };
}
