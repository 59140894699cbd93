// Invariants of one partition: dense offsets, runs in files that are known, producers found by their ids, transactions in their order.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import { idKey } from '../model/ids.ts';
import { REMEMBERED_BATCHES_PER_PRODUCER } from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { runEndOffset } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { ProducerTable } from '../state/producer-table.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import type { FileUse } from './files.ts';

/** @param use counts the runs of each file; null: they are not counted */
export function checkPartition(
  state: ClusterState,
  topic: Topic,
  number: number,
  partition: Partition,
  use: FileUse | null,
): void {
  const { runs, producers, logStartOffset, highWatermark } = partition;
  atLeast(logStartOffset, 0, 'a log starts at 0 or later');
  atMost(logStartOffset, highWatermark, 'a log starts at most at its high watermark');
  atMost(highWatermark, Number.MAX_SAFE_INTEGER, 'a high watermark is exact');
  atLeast(partition.cleanedOffset, 0, 'what is cleaned begins at 0');
  atMost(partition.cleanedOffset, highWatermark, 'what is cleaned is in the log');
  atLeast(partition.deleteHorizonMs, 0, 'a delete horizon is after the epoch');
  equal(partition.memory, state.partitionMemory, 'a partition is on the account of its cluster');
  const stable = lastStableOffset(partition);
  atMost(stable, highWatermark, 'the last stable offset is at most the high watermark');
  atLeast(stable, logStartOffset, 'the last stable offset is at least the log start');
  if (runs === null || runs.length === 0) {
    equal(logStartOffset, highWatermark, 'a log without runs is empty');
    equal(partition.storedBytes, 0, 'a log without runs has no bytes');
  } else {
    checkRuns(state, partition, runs, use);
  }
  if (producers !== null) {
    checkProducers(producers, highWatermark);
  }
  checkTransactions(state, topic, number, partition);
}

function checkRuns(state: ClusterState, partition: Partition, runs: RunIndex, use: FileUse | null): void {
  const { logStartOffset, highWatermark } = partition;
  const { files } = state;
  let end = runs.baseOffset(0);
  let storedBytes = 0;
  atMost(end, logStartOffset, 'the first run is not beyond the log start');
  for (let row = 0; row < runs.length; row += 1) {
    const base = runs.baseOffset(row);
    const bytes = runs.bytes(row);
    equal(base, end, 'a run starts where the one before ends');
    end = runEndOffset(partition, runs, row);
    atLeast(end, base + 1, 'a run has a record');
    atLeast(end, logStartOffset + 1, 'a run holds records that are alive');
    atLeast(bytes, 1, 'a run has bytes');
    storedBytes += bytes;
    if (runs.isMarker(row)) {
      equal(end, base + 1, 'a marker has one offset');
      continue;
    }
    const slot = runs.file(row);
    atMost(slot, files.slotLimit - 1, 'a run lies in a slot that may be used');
    atMost(runs.position(row) + bytes, files.bytes(slot), 'a run lies within its file');
    use?.add(slot, bytes);
  }
  equal(end, highWatermark, 'the last run ends at the high watermark');
  equal(partition.storedBytes, storedBytes, 'stored bytes are those of the runs');
}

function checkProducers(producers: ProducerTable, highWatermark: number): void {
  atLeast(producers.size, 1, 'a table of producers holds one');
  let row = 0;
  for (const { producerId, epoch, batches } of producers.records()) {
    equal(producers.find(producerId), row, 'a producer is found by its id');
    atLeast(epoch, 0, 'a remembered producer has an epoch');
    atLeast(batches.length, 1, 'a remembered producer has a batch');
    atMost(batches.length, REMEMBERED_BATCHES_PER_PRODUCER, 'a remembered producer has five batches at most');
    let before = -1;
    for (const { baseOffset } of batches) {
      atLeast(baseOffset, before + 1, 'the batches of a producer have rising offsets');
      before = baseOffset;
    }
    atMost(before, highWatermark - 1, 'a remembered batch is in the log');
    row += 1;
  }
  equal(row, producers.size, 'the producers of a table are counted');
}

function checkTransactions(state: ClusterState, topic: Topic, number: number, partition: Partition): void {
  const { transactions, highWatermark, logStartOffset, runs } = partition;
  if (transactions === null) {
    return;
  }
  const { open, aborted, counts } = transactions;
  equal(counts, state.transactions.counts, 'the transactions of a partition are on the account of its cluster');
  atLeast(open.size + aborted.length, 1, 'the transactions of a partition are not empty');
  let before = 0;
  for (const [producerId, firstOffset] of open) {
    atLeast(firstOffset, before, 'open transactions are in the order of their first records');
    atMost(firstOffset, highWatermark - 1, 'an open transaction begins in the log');
    atMost(producerId, state.nextProducerId - 1, 'the producer of an open transaction was granted');
    before = firstOffset;
  }
  let last = -1;
  for (const { producerId, firstOffset, lastOffset } of aborted) {
    atMost(firstOffset, lastOffset - 1, 'an aborted transaction begins before its marker');
    atLeast(lastOffset, last + 1, 'aborted transactions are in the order of their markers');
    atLeast(lastOffset, logStartOffset, 'an aborted transaction ends in the log');
    atMost(lastOffset, highWatermark - 1, 'the marker of an abort is in the log');
    const row = runs?.rowOfOffset(lastOffset) ?? -1;
    holds(row >= 0, 'the marker of an abort has a run', lastOffset);
    // Once merged, it is a control batch of some file.
    const marker = runs?.marker(row) ?? null;
    holds(
      marker === null || (marker.producerId === producerId && !marker.isCommit),
      'an aborted transaction has its marker',
      lastOffset,
    );
    last = lastOffset;
  }
  if (open.size > 0) {
    const key = idKey(topic.id);
    const owners = new Set<number>();
    for (const transactionalId of state.transactions.open) {
      const producer = state.transactions.byId.get(transactionalId);
      if (producer !== undefined && producer.open?.partitions.get(key)?.has(number) === true) {
        owners.add(producer.producerId);
      }
    }
    for (const producerId of open.keys()) {
      holds(owners.has(producerId), 'what is open in a partition is part of an open transaction', producerId);
    }
  }
}
