// ReplaceRuns: a merged file replaces runs of other files. Compare and set: it applies only if the index still holds exactly the runs that
// were merged. Offsets do not change. Nothing is metered but the bytes by which a compacted file is longer than its sources. Nor do records, unless the file is compacted: then the latest of each key is
// kept, and the partition records up to where that is true.

import { doubleAt, wordAt } from '../model/checked.ts';
import type { ReplaceRuns, ReplaceRunsAnswer } from '../model/data.types.ts';
import { idKey, sameId, uuidV7TimeMs } from '../model/ids.ts';
import {
  FILE_ID_MAX_AGE_MS,
  FILE_ID_MAX_LEAD_MS,
  MAX_COMPACTED_SOURCE_FILES,
  MAX_FILE_BYTES,
  MAX_RUN_RECORDS,
  MAX_RUNS_PER_FILE,
  MAX_SOURCE_FILES,
} from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { FileLevel } from '../model/run.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { type FileTable, isFileLevel } from '../state/file-table.ts';
import { rowCommittedAtMs, runEndOffset } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { forgetAborted, lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import { isCompacted } from '../topics/topic-configs.ts';
import { swapSizeProblem } from './swap-bounds.ts';

/** A new run, and the rows that it replaces. */
interface Swap {
  partition: Partition;
  runs: RunIndex;
  /** The first of the rows. */
  row: number;
  /** The new run's base offset: that of the first row, unless its front was truncated. */
  baseOffset: number;
  count: number;
  position: number;
  bytes: number;
  /** Total bytes of the rows. */
  replacedBytes: number;
  /** By how much the new run is longer than all that it was made of; negative when it is shorter. */
  grownBytes: number;
  maxTimestampMs: number;
  /** Whether it is less than the largest of the rows. */
  isOlder: boolean;
  /** The latest commit time of the rows' files. */
  newestCommitMs: number;
}

/** Up to where a partition is clean. */
type Cleaned = Pick<Partition, 'cleanedOffset' | 'deleteHorizonMs'>;

/** The state of a partition after the swaps before this one. */
interface Cleaning extends Cleaned {
  /** Aborted transactions that end before this offset no longer have records. */
  endOffset: number;
}

/** Timestamp of a run that consists only of transaction ends. */
const NO_TIMESTAMP = -1;

/** Why a run does not fit the current index. */
class Misfit {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/**
 * Everything is verified before anything changes. If a partition's front was truncated since, the rest of its run is
 * swapped in (for a compacted run all of it, because the offset cannot be located in it). A partition or a whole run that is gone is
 * omitted. A repeated command gets the same answer as the first one.
 */
export function replaceRuns(state: ClusterState, command: ReplaceRuns, nowMs: number): Outcome<'replace-runs'> {
  const known = state.files.slotOf(command.fileId);
  if (known !== undefined && state.files.level(known) > 0) {
    return unchanged({ outcome: 'applied', reason: '' });
  }
  const problem =
    idProblem(state, command, nowMs) ?? columnProblem(command) ?? layoutProblem(command) ?? swapSizeProblem(command);
  if (problem !== null) {
    return refused('invalid', problem);
  }
  const sources = new Set<number>();
  for (const fileId of command.sourceFileIds) {
    const slot = state.files.slotOf(fileId);
    if (slot !== undefined) {
      sources.add(slot);
    }
  }
  const swaps: Swap[] = [];
  const cleaned = new Map<Partition, Cleaning>();
  const topics = command.topicIds.map((topicId) => state.topics.get(idKey(topicId)));
  for (let target = 0; target < command.targetTopic.length; target += 1) {
    const topic = topics[wordAt(command.targetTopic, target)];
    if (command.compaction !== null && topic !== undefined && !isCompacted(topic.configs)) {
      return refused('stale', `The topic ${topic.name} is not compacted: its cleanup.policy is without compact.`);
    }
    const partition = topic?.partitions[wordAt(command.targetPartition, target)];
    const swap =
      partition === undefined ? null : swapOf(partition, state.files, command, target, sources, cleaned, nowMs);
    if (swap instanceof Misfit) {
      const name = `${topic?.name}-${command.targetPartition[target]}`;
      const [base, end] = [command.targetBaseOffset[target], command.targetEndOffset[target]];
      return refused('stale', `The index of ${name} has changed between the offsets ${base} and ${end}: ${swap.what}.`);
    }
    if (swap !== null) {
      swaps.push(swap);
    }
  }
  if (swaps.length === 0) {
    const reason = 'Nothing is left of the runs: they were truncated, or their topics are deleted.';
    return unchanged({ outcome: 'stale', reason, isFinal: true });
  }
  for (const [partition, { endOffset, ...marks }] of cleaned) {
    Object.assign(partition, marks);
    if (command.compaction?.isAbortedRemoved === true) {
      forgetAborted(partition, endOffset);
    }
  }
  return applySwaps(state, command, swaps, nowMs);
}

function refused(outcome: Exclude<ReplaceRunsAnswer['outcome'], 'applied'>, reason: string): Outcome<'replace-runs'> {
  return unchanged({ outcome, reason });
}

/**
 * The swap for one run. Null: nothing of the run is left.
 * @param cleaned up to where partitions are compacted once the swaps before this one are applied
 */
function swapOf(
  partition: Partition,
  files: FileTable,
  command: ReplaceRuns,
  target: number,
  sources: ReadonlySet<number>,
  cleaned: Map<Partition, Cleaning>,
  nowMs: number,
): Swap | null | Misfit {
  const { runs, highWatermark } = partition;
  const { compaction } = command;
  const baseOffset = doubleAt(command.targetBaseOffset, target);
  const endOffset = doubleAt(command.targetEndOffset, target);
  const position = doubleAt(command.targetPosition, target);
  const bytes = doubleAt(command.targetBytes, target);
  const sourceBytes = compaction === null ? bytes : doubleAt(compaction.targetSourceBytes, target);
  if (endOffset > highWatermark) {
    return new Misfit('the log ends before');
  }
  const firstOffset = runs === null || runs.length === 0 ? highWatermark : runs.baseOffset(0);
  if (runs === null || endOffset <= firstOffset) {
    return null;
  }
  // The front may have been truncated since.
  const from = Math.max(baseOffset, firstOffset);
  const row = runs.rowOfOffset(from);
  if (runs.baseOffset(row) !== from) {
    return new Misfit('no run begins at the first');
  }
  const stableOffset = lastStableOffset(partition);
  let [end, count, leftBytes, maxTimestampMs, newestCommitMs] = [from, 0, 0, Number.MIN_SAFE_INTEGER, 0];
  for (; end < endOffset; count += 1) {
    if (runs.isMarker(row + count)) {
      // It becomes a control batch of the file. A row that is a marker has been the same one since it was appended.
      if (end >= stableOffset) {
        return new Misfit('a transaction that began before a marker is still open');
      }
    } else if (sources.has(runs.file(row + count))) {
      maxTimestampMs = Math.max(maxTimestampMs, runs.maxTimestampMs(row + count));
    } else {
      return new Misfit('a run lies in another file by now');
    }
    newestCommitMs = Math.max(newestCommitMs, rowCommittedAtMs(runs, row + count, files));
    leftBytes += runs.bytes(row + count);
    end = runEndOffset(partition, runs, row + count);
  }
  if (end !== endOffset) {
    return new Misfit('no run ends at the second');
  }
  const goneBytes = sourceBytes - leftBytes;
  if (from === baseOffset ? goneBytes !== 0 : goneBytes <= 0) {
    return new Misfit('its runs have another length');
  }
  const isWithoutRecords = maxTimestampMs === Number.MIN_SAFE_INTEGER;
  const newestMs = isWithoutRecords ? NO_TIMESTAMP : maxTimestampMs;
  const grownBytes = bytes - sourceBytes;
  const rows = { partition, runs, row, count, replacedBytes: leftBytes, grownBytes, newestCommitMs };
  if (compaction === null) {
    const place = { baseOffset: from, position: position + goneBytes, bytes: leftBytes };
    return { ...rows, ...place, maxTimestampMs: newestMs, isOlder: isWithoutRecords };
  }
  if (endOffset > stableOffset) {
    return new Misfit('a transaction is still open');
  }
  const before: Cleaned = cleaned.get(partition) ?? partition;
  const cleanOffset = Math.max(before.cleanedOffset, firstOffset);
  if (from > cleanOffset) {
    return new Misfit(`only what lies before ${cleanOffset} is compacted`);
  }
  const leftHorizonMs =
    compaction.targetDeleteHorizonMs === null ? 0 : doubleAt(compaction.targetDeleteHorizonMs, target);
  cleaned.set(partition, {
    cleanedOffset: Math.max(cleanOffset, endOffset),
    // A cleaning starts at the first run, and meets all tombstones, aborted transactions and ends of transactions on its way.
    deleteHorizonMs: horizonOf(row === 0 ? 0 : before.deleteHorizonMs, leftHorizonMs, nowMs),
    endOffset,
  });
  const leftMaxMs = Math.min(newestMs, compaction.targetMaxTimestampMs?.[target] ?? newestMs);
  const isOlder = isWithoutRecords || leftMaxMs < newestMs;
  return { ...rows, baseOffset, position, bytes, maxTimestampMs: leftMaxMs, isOlder };
}

/** When the first known tombstone, or the first that an agent has kept, may be removed; 0: none. */
function horizonOf(knownMs: number, leftMs: number, nowMs: number): number {
  if (leftMs === 0) {
    return knownMs;
  }
  // If the horizon has passed, the agent kept them anyway: count from now on, so that the partition is not cleaned over and over.
  const horizonMs = Math.max(leftMs, nowMs);
  return knownMs === 0 ? horizonMs : Math.min(knownMs, horizonMs);
}

function applySwaps(state: ClusterState, command: ReplaceRuns, swaps: Swap[], nowMs: number): Outcome<'replace-runs'> {
  const { files } = state;
  const level = command.level as FileLevel;
  // Records without a timestamp age from their commit, so a merged file is as old as the newest file that it replaces.
  const committedAtMs = swaps.reduce((newestMs, { newestCommitMs }) => Math.max(newestMs, newestCommitMs), 0);
  const slot = files.add(command.fileId, command.fileBytes, committedAtMs, level);
  let [bytes, replacedBytes, replacedRuns] = [0, 0, 0];
  const isCaptured = state.openCaptures.size > 0;
  // From last to first, so that a swap does not move the rows of those still to come.
  for (const swap of swaps.reverse()) {
    const { partition, runs, row, baseOffset, count, position, bytes: runBytes, maxTimestampMs } = swap;
    for (let at = row; at < row + count; at += 1) {
      if (!runs.isMarker(at)) {
        files.dropRun(runs.file(at), runs.bytes(at), nowMs);
      }
    }
    const run = { baseOffset, file: slot, position, bytes: runBytes, maxTimestampMs };
    runs.replace(row, count, run, isCaptured || swap.isOlder);
    files.addRun(slot, runBytes);
    partition.storedBytes += runBytes - swap.replacedBytes;
    bytes += runBytes;
    replacedBytes += swap.replacedBytes;
    replacedRuns += count;
  }
  files.settle(slot, nowMs);
  const grownBytes = swaps.reduce((sum, swap) => sum + swap.grownBytes, 0);
  const meteredBytes = Math.max(0, grownBytes);
  state.totals.uncompressedBytes += BigInt(meteredBytes);
  return changed(
    { outcome: 'applied', reason: '' },
    {
      replaced: {
        fileId: command.fileId,
        level,
        isCompacted: command.compaction !== null,
        committedAtMs,
        bytes,
        replacedBytes,
        replacedRuns,
        newRuns: swaps.length,
        meteredBytes,
      },
    },
  );
}

function idProblem(state: ClusterState, { fileId, sourceFileIds }: ReplaceRuns, nowMs: number): string | null {
  const idTimeMs = uuidV7TimeMs(fileId);
  if (idTimeMs === undefined) {
    return 'The file id is not a UUIDv7.';
  }
  if (idTimeMs < nowMs - FILE_ID_MAX_AGE_MS) {
    return 'The file id is older than 10 minutes: draw it when the PUT begins, and check the clock of the agent.';
  }
  if (idTimeMs > nowMs + FILE_ID_MAX_LEAD_MS) {
    return 'The file id lies more than 5 minutes in the future: check the clock of the agent.';
  }
  const isTaken = state.files.knows(fileId) || state.answers.find(fileId) !== undefined;
  if (isTaken || sourceFileIds.some((source) => sameId(source, fileId))) {
    return 'This file id names another file.';
  }
  return null;
}

function columnProblem(command: ReplaceRuns): string | null {
  const { level, fileBytes, sourceFileIds, topicIds, targetTopic, compaction } = command;
  const targets = targetTopic.length;
  if (!isFileLevel(level) || level === 0) {
    return 'A merged file has level 1 or 2.';
  }
  if (!Number.isInteger(fileBytes) || fileBytes < 1 || fileBytes > MAX_FILE_BYTES) {
    return `A data file has 1 to ${MAX_FILE_BYTES} bytes.`;
  }
  const mostSources = compaction === null ? MAX_SOURCE_FILES : MAX_COMPACTED_SOURCE_FILES;
  if (sourceFileIds.length < 1 || sourceFileIds.length > mostSources) {
    return `A merged file is made of 1 to ${mostSources} files.`;
  }
  if (compaction !== null && level !== 2) {
    return 'A compacted file has level 2.';
  }
  if (targets < 1 || targets > MAX_RUNS_PER_FILE) {
    return `A merged file has 1 to ${MAX_RUNS_PER_FILE} runs.`;
  }
  const { targetPartition, targetBaseOffset, targetEndOffset, targetPosition, targetBytes } = command;
  const columns = [targetPartition, targetBaseOffset, targetEndOffset, targetPosition, targetBytes];
  const sourceBytes = compaction?.targetSourceBytes ?? targetBytes;
  const timestamps = compaction?.targetMaxTimestampMs ?? targetBytes;
  const horizons = compaction?.targetDeleteHorizonMs ?? targetBytes;
  if ([...columns, sourceBytes, timestamps, horizons].some((column) => column.length !== targets)) {
    return 'Parallel columns differ in length.';
  }
  if (![...sourceBytes, ...timestamps, ...horizons].every(Number.isSafeInteger)) {
    return 'Bytes and timestamps are integers of at most 53 bits.';
  }
  if (new Set(topicIds.map(idKey)).size !== topicIds.length) {
    return 'A topic is listed twice.';
  }
  return targetTopic.some((topic) => topic >= topicIds.length) ? 'A run names a topic that is not listed.' : null;
}

/** Checks that runs follow each other within the file, and those of a partition in its log. */
function layoutProblem(command: ReplaceRuns): string | null {
  const { fileBytes, topicIds, targetTopic, targetPartition, targetBaseOffset, targetEndOffset } = command;
  const logEnds = topicIds.map(() => new Map<number, number>());
  let fileEnd = 0;
  for (let target = 0; target < targetTopic.length; target += 1) {
    const position = doubleAt(command.targetPosition, target);
    const bytes = doubleAt(command.targetBytes, target);
    if (!Number.isSafeInteger(position) || !Number.isSafeInteger(bytes) || bytes < 1 || position < fileEnd) {
      return 'Runs follow each other within the file.';
    }
    fileEnd = position + bytes;
    const [base, end] = [doubleAt(targetBaseOffset, target), doubleAt(targetEndOffset, target)];
    const ends = logEnds[wordAt(targetTopic, target)];
    const partition = wordAt(targetPartition, target);
    if (!Number.isSafeInteger(base) || !Number.isSafeInteger(end) || end - base < 1 || end - base > MAX_RUN_RECORDS) {
      return `A run has 1 to ${MAX_RUN_RECORDS} records.`;
    }
    if (base < (ends?.get(partition) ?? 0)) {
      return 'Runs of a partition follow each other by offset.';
    }
    ends?.set(partition, end);
  }
  return fileEnd > fileBytes ? 'The runs reach beyond the end of the file.' : null;
}
