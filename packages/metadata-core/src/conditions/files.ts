// Conditions of commands about data files and offsets.

import { idKey } from '../model/ids.ts';
import { MAX_DELETIONS_PER_TAKE, MAX_EXPIRED_RUNS, MIN_RECORD_BYTES } from '../model/limits.ts';
import type { AppendedRuns, PartitionBounds } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

/** Files per command that are looked up again. A lookup takes 0.3 µs. */
const CHECKED_FILES = 16;

/** Hot: a few comparisons per command, and one pass over the runs that were appended. */
export const commitFile: Conditions<'commit-file'> = (before, state, command, nowMs) => {
  const batches = command.batchBytes.length;
  return ({ changed, answer, effects, lacksMemory }) => {
    const { appended } = effects;
    if (!changed) {
      equal(appended, undefined, 'a commit that changes nothing appends nothing');
      if (answer.errorCode === 0) {
        equal(answer.batchBaseOffset.length, batches, 'a repeated commit has an offset for each batch');
        equal(
          answer.runLogStartOffset.length,
          command.runTopic.length,
          'a repeated commit has a log start for each run',
        );
        holds(state.answers.find(command.fileId) !== undefined, 'a repeated commit was answered before', batches);
      } else {
        equal(answer.batchBaseOffset.length, 0, 'a refused commit gives no offset');
        equal(answer.batchErrorCode.length, 0, 'a refused commit has one error');
        equal(answer.runLogStartOffset.length, 0, 'a refused commit gives no log start');
        holds(answer.errorMessage !== '', 'a refused commit has a reason', answer.errorCode);
      }
      return;
    }
    equal(answer.errorCode, 0, 'a commit that was applied has no error');
    equal(answer.errorMessage, '', 'a commit that was applied has no reason');
    equal(answer.batchBaseOffset.length, batches, 'each batch of a commit has an offset');
    equal(answer.runLogStartOffset.length, command.runTopic.length, 'each run of a commit has a log start');
    const errors = answer.batchErrorCode.length;
    holds(errors === 0 || errors === batches, 'each batch of a commit has a code, or none has', errors);
    holds(lacksMemory !== true || errors > 0, 'a commit that lacks memory refuses a batch', errors);
    const count = appended?.count ?? 0;
    holds(appended === undefined || count > 0, 'what is published was appended', count);
    equal(state.files.size, before.files + 1, 'a commit adds one file');
    equal(state.files.dead, before.deadFiles + (count === 0 ? 1 : 0), 'a file without runs is dead, and no other');
    const slot = state.files.slotOf(command.fileId);
    holds(slot !== undefined, 'a committed file is known', before.files);
    equal(state.files.bytes(slot), command.fileBytes, 'a committed file has its size');
    equal(state.files.level(slot), 0, 'a committed file has level 0');
    equal(state.files.committedAtMs(slot), nowMs, 'a committed file is as old as its commit');
    const { totals, transactions, partitionMemory } = state;
    equal(totals.files, before.committedFiles + 1, 'a commit is one file in the totals');
    equal(totals.storedBytes, before.storedBytes + BigInt(appended?.storedBytes ?? 0), 'stored bytes are totalled');
    equal(totals.records, before.records + BigInt(appended?.totalRecords ?? 0), 'records are totalled');
    equal(
      totals.uncompressedBytes,
      before.uncompressedBytes + BigInt(appended?.uncompressedBytes ?? 0),
      'uncompressed bytes are totalled',
    );
    atLeast(state.answers.size, 1, 'a commit remembers its file id');
    atLeast(partitionMemory.producerCount, before.producers, 'a commit forgets no producer');
    atMost(partitionMemory.producerCount, before.producers + batches, 'a batch adds one producer');
    const writers = command.transactions?.producers.length ?? 0;
    equal(transactions.byId.size, before.transactionalIds, 'a commit adds no transactional id');
    atLeast(transactions.open.size, before.openTransactions, 'a commit ends no transaction');
    atMost(transactions.open.size, before.openTransactions + writers, 'a producer opens one transaction');
    atMost(transactions.counts.partitions, before.transactionPartitions + batches, 'a batch adds one partition');
    equal(transactions.counts.offsets, before.pendingOffsets, 'a commit leaves pending offsets');
    if (appended !== undefined) {
      requireAppended(appended, command.topicIds.length, batches, command.fileBytes);
      equal(appended.fileBytes, command.fileBytes, 'the published file has its size');
    }
  };
};

/** The runs follow each other in the file, and each ends at the high watermark that it makes. */
function requireAppended(appended: AppendedRuns, topics: number, batches: number, fileBytes: number): void {
  const { count, position, bytes, baseOffset, records, highWatermark, logStartOffset, topic } = appended;
  atMost(count, batches, 'an appended run has a batch');
  let [end, storedBytes, totalRecords] = [0, 0, 0];
  for (let run = 0; run < count; run += 1) {
    // Reads beyond the end give NaN, which fails every comparison.
    const from = position[run] ?? Number.NaN;
    const length = bytes[run] ?? Number.NaN;
    const base = baseOffset[run] ?? Number.NaN;
    const rows = records[run] ?? Number.NaN;
    const mark = highWatermark[run] ?? Number.NaN;
    const start = logStartOffset[run] ?? Number.NaN;
    const topicAt = topic[run] ?? Number.NaN;
    // One test for the many runs that are sound; the calls behind it say which comparison failed.
    if (!(from >= end && base + rows === mark && start <= base && rows >= 1 && length >= 1 && topicAt < topics)) {
      atLeast(from, end, 'appended runs do not overlap in their file');
      equal(base + rows, mark, 'a run ends at the high watermark');
      atMost(start, base, 'a run is appended after the log start');
      atLeast(rows, 1, 'an appended run has records');
      atLeast(length, 1, 'an appended run has bytes');
      atMost(topicAt, topics - 1, 'an appended run has a topic');
    }
    end = from + length;
    storedBytes += length;
    totalRecords += rows;
  }
  atMost(end, fileBytes, 'appended runs end in their file');
  equal(storedBytes, appended.storedBytes, 'the bytes of runs add up');
  equal(totalRecords, appended.totalRecords, 'the records of runs add up');
  atLeast(appended.uncompressedBytes, totalRecords * MIN_RECORD_BYTES, 'a record has its least bytes');
  const stable = appended.lastStableOffset;
  equal(stable === null || stable.length >= count, true, 'each run has a last stable offset, or none has');
  for (let run = 0; stable !== null && run < count; run += 1) {
    const offset = Number(stable[run]);
    atMost(offset, Number(highWatermark[run]), 'no last stable offset is beyond the high watermark');
    holds(
      offset === -1 || offset >= Number(logStartOffset[run]),
      'no last stable offset is before the log start',
      offset,
    );
  }
}

export const deleteRecords: Conditions<'delete-records'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const truncated = effects.truncated ?? [];
    equal(answer.states.length, command.partitions.length, 'each partition of DeleteRecords has an answer');
    equal(changed, truncated.length > 0, 'a truncated partition is a change');
    atMost(truncated.length, command.partitions.length, 'a partition is truncated for a request');
    equal(state.files.size, before.files, 'truncation forgets no file');
    atLeast(state.files.dead, before.deadFiles, 'truncation revives no file');
    atMost(state.transactions.counts.aborted, before.abortedTransactions, 'truncation aborts no transaction');
    for (const { errorCode, logStartOffset, highWatermark, lastStableOffset } of answer.states) {
      atMost(logStartOffset, lastStableOffset, 'the log starts before its last stable offset');
      atMost(lastStableOffset, highWatermark, 'the last stable offset is in the log');
      holds(errorCode !== 0 || logStartOffset >= 0, 'a partition has a log start', logStartOffset);
    }
    requireTruncated(state, truncated);
  };

/** The bounds that were published are those of the partition, and its first run holds the log start. */
function requireTruncated(state: ClusterState, truncated: readonly PartitionBounds[]): void {
  for (const { topicId, partition: number, logStartOffset, highWatermark, lastStableOffset } of truncated) {
    const partition = state.topics.get(idKey(topicId))?.partitions[number];
    holds(partition !== undefined, 'a truncated partition exists', number);
    // A partition can be named twice; then a later truncation moved it on.
    atLeast(partition.logStartOffset, logStartOffset, 'a truncated log starts at what was published');
    equal(partition.highWatermark, highWatermark, 'truncation leaves the high watermark');
    atMost(logStartOffset, highWatermark, 'a log starts at most at its high watermark');
    atMost(lastStableOffset, highWatermark, 'a truncated log has its last stable offset');
    atLeast(lastStableOffset, logStartOffset, 'a truncated log is stable from its start');
    atLeast(partition.storedBytes, 0, 'the bytes of a truncated partition are not negative');
    const runs = partition.runs?.length ?? 0;
    equal(runs === 0, partition.logStartOffset === partition.highWatermark, 'an empty log has no runs, and only it');
    if (partition.runs !== null && runs > 0) {
      atMost(partition.runs.baseOffset(0), partition.logStartOffset, 'the first run holds the log start');
      atLeast(partition.storedBytes, 1, 'runs have bytes');
    } else {
      equal(partition.storedBytes, 0, 'a log without runs has no bytes');
    }
  }
}

export const expireRuns: Conditions<'expire-runs'> =
  (before, state) =>
  ({ changed, answer, effects }) => {
    const { droppedRuns, isComplete } = answer;
    const truncated = effects.truncated ?? [];
    atLeast(droppedRuns, 0, 'the expired runs are not negative');
    atMost(droppedRuns, MAX_EXPIRED_RUNS, 'one command expires a limited number of runs');
    equal(isComplete, droppedRuns < MAX_EXPIRED_RUNS, 'expiry is complete if it stopped before its limit');
    atMost(truncated.length, droppedRuns, 'a partition that is truncated lost a run');
    equal(truncated.length > 0, droppedRuns > 0, 'a run that is dropped is published');
    equal(state.files.size, before.files, 'expiry forgets no file');
    atLeast(state.files.dead, before.deadFiles, 'expiry revives no file');
    atMost(state.files.dead, before.deadFiles + droppedRuns, 'a run that expires leaves one file at most');
    atMost(state.partitionMemory.producerCount, before.producers, 'expiry adds no producer');
    atMost(state.transactions.counts.aborted, before.abortedTransactions, 'expiry aborts no transaction');
    holds(
      changed || state.partitionMemory.producerCount === before.producers,
      'a producer that expires is a change',
      before.producers,
    );
    requireTruncated(state, truncated);
  };

export const takeDeletions: Conditions<'take-deletions'> =
  (before, state, command) =>
  ({ changed, answer }) => {
    const { fileIds } = answer;
    equal(changed, fileIds.length > 0, 'a file that is taken is a change');
    atMost(fileIds.length, Math.max(0, command.maxFiles), 'no more files are taken than asked for');
    atMost(fileIds.length, MAX_DELETIONS_PER_TAKE, 'the files of one take are limited');
    atMost(fileIds.length, before.deadFiles, 'a file that is taken was dead');
    for (const fileId of fileIds.slice(0, CHECKED_FILES)) {
      holds(state.files.knows(fileId), 'a file that is taken stays known', fileIds.length);
    }
  };

export const confirmDeletions: Conditions<'confirm-deletions'> =
  (before, state, command) =>
  ({ changed, answer }) => {
    const { confirmed } = answer;
    equal(changed, confirmed > 0, 'a confirmed deletion is a change');
    atMost(confirmed, command.fileIds.length, 'a deletion is confirmed once');
    atMost(confirmed, before.deadFiles, 'a file whose deletion is confirmed was dead');
    equal(state.files.size, before.files - confirmed, 'a deleted file is forgotten');
    equal(state.files.dead, before.deadFiles - confirmed, 'a deleted file is queued no more');
    if (confirmed === command.fileIds.length) {
      for (const fileId of command.fileIds.slice(0, CHECKED_FILES)) {
        holds(!state.files.knows(fileId), 'a deleted file is unknown', confirmed);
      }
    }
  };

export const expireRetention: Conditions<'expire-retention'> =
  (before, state) =>
  ({ effects }) => {
    const { transactions } = state;
    atMost(state.answers.size, before.fileIds, 'expiry remembers no file id');
    atMost(state.producerIdGrants.size, before.grants, 'expiry grants no producer id');
    atMost(state.agents.size, before.agents, 'expiry adds no agent');
    atMost(transactions.byId.size, before.transactionalIds, 'expiry adds no transactional id');
    equal(transactions.open.size, before.openTransactions, 'expiry of ids leaves open transactions');
    equal(transactions.counts.partitions, before.transactionPartitions, 'expiry of ids leaves their partitions');
    equal(transactions.counts.offsets, before.pendingOffsets, 'expiry of ids leaves pending offsets');
    atMost(transactions.counts.chars, before.transactionChars, 'forgotten ids have no characters');
    equal(effects.truncated, undefined, 'expiry of ids truncates nothing');
  };
