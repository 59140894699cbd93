// Conditions of ReplaceRuns: the log of no partition changes, only where its records lie.
import { wordAt } from '../model/checked.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import { idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

interface Sums {
  highWatermarks: number;
  logStarts: number;
  rows: number;
  storedBytes: number;
  cleanedOffsets: number;
}

function sumsOf(partitions: Iterable<Partition>): Sums {
  const sums = { highWatermarks: 0, logStarts: 0, rows: 0, storedBytes: 0, cleanedOffsets: 0 };
  for (const { highWatermark, logStartOffset, runs, storedBytes, cleanedOffset } of partitions) {
    sums.highWatermarks += highWatermark;
    sums.logStarts += logStartOffset;
    sums.rows += runs?.length ?? 0;
    sums.storedBytes += storedBytes;
    sums.cleanedOffsets += cleanedOffset;
  }
  return sums;
}

/** The partitions that a command names and that exist. */
function partitionsOf(state: ClusterState, { topicIds, targetTopic, targetPartition }: ReplaceRuns): Set<Partition> {
  const topics = topicIds.map((topicId) => state.topics.get(idKey(topicId)));
  const found = new Set<Partition>();
  // The command was not checked yet, and its columns may contradict each other.
  const targets = Math.min(targetTopic.length, targetPartition.length);
  for (let target = 0; target < targets; target += 1) {
    const partition = topics[wordAt(targetTopic, target)]?.partitions[wordAt(targetPartition, target)];
    if (partition !== undefined) {
      found.add(partition);
    }
  }
  return found;
}

export const replaceRuns: Conditions<'replace-runs'> = (before, state, command) => {
  const partitions = partitionsOf(state, command);
  const sums = sumsOf(partitions);
  return ({ changed, answer, effects }) => {
    const { replaced } = effects;
    equal(replaced !== undefined, changed, 'a swap is published');
    equal(answer.reason !== '', answer.outcome !== 'applied', 'a swap that is not applied has a reason');
    const after = sumsOf(partitions);
    equal(after.highWatermarks, sums.highWatermarks, 'a swap leaves the high watermarks');
    equal(after.logStarts, sums.logStarts, 'a swap leaves the log starts');
    if (replaced === undefined) {
      equal(after.rows, sums.rows, 'a swap that is not applied leaves the runs');
      equal(after.storedBytes, sums.storedBytes, 'a swap that is not applied leaves the bytes');
      holds(
        answer.outcome !== 'applied' || state.files.slotOf(command.fileId) !== undefined,
        'a repeated swap has its file',
        answer.outcome,
      );
      return;
    }
    equal(answer.outcome, 'applied', 'a swap that changes something is applied');
    equal(after.rows, sums.rows - replaced.replacedRuns + replaced.newRuns, 'replaced runs make way for new ones');
    equal(after.storedBytes, sums.storedBytes - replaced.replacedBytes + replaced.bytes, 'replaced bytes make way');
    atLeast(after.cleanedOffsets, sums.cleanedOffsets, 'what is cleaned stays clean');
    atLeast(replaced.newRuns, 1, 'a swap has a run');
    atMost(replaced.newRuns, command.targetTopic.length, 'a new run is one of the command');
    atLeast(replaced.replacedRuns, replaced.newRuns, 'a new run replaces another');
    atLeast(replaced.replacedBytes, 1, 'replaced runs have bytes');
    atMost(replaced.bytes, command.fileBytes, 'new runs lie in their file');
    atLeast(replaced.meteredBytes, 0, 'a swap meters no negative bytes');
    equal(replaced.level, command.level, 'the published level is the one of the file');
    equal(replaced.isCompacted, command.compaction !== null, 'a compaction is published as one');
    if (command.compaction === null) {
      equal(replaced.bytes, replaced.replacedBytes, 'a merge keeps every byte');
      equal(replaced.meteredBytes, 0, 'a merge meters nothing');
      equal(state.transactions.counts.aborted, before.abortedTransactions, 'a merge leaves aborted transactions');
      equal(after.cleanedOffsets, sums.cleanedOffsets, 'a merge cleans nothing');
    } else {
      atMost(state.transactions.counts.aborted, before.abortedTransactions, 'a compaction aborts nothing');
    }
    equal(state.files.size, before.files + 1, 'a swap adds one file');
    atLeast(state.files.dead, before.deadFiles, 'a swap revives no file');
    atMost(state.files.dead, before.deadFiles + command.sourceFileIds.length, 'only sources of a swap die');
    const slot = state.files.slotOf(command.fileId);
    holds(slot !== undefined, 'a merged file is known', command.level);
    equal(state.files.level(slot), command.level, 'a merged file has its level');
    equal(state.files.bytes(slot), command.fileBytes, 'a merged file has its size');
    equal(state.files.committedAtMs(slot), replaced.committedAtMs, 'a merged file is as old as its newest records');
    const { totals } = state;
    equal(totals.files, before.committedFiles, 'a merged file is not in the totals');
    equal(totals.storedBytes, before.storedBytes, 'a swap stores nothing new');
    equal(totals.records, before.records, 'a swap adds no record');
    equal(
      totals.uncompressedBytes,
      before.uncompressedBytes + BigInt(replaced.meteredBytes),
      'what a swap meters is totalled',
    );
  };
};
