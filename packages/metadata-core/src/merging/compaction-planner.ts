// Plans the compaction jobs of one cluster, when called by the merge planner. Pure. See compaction-policy.ts for the policy.
//
// A sweep over the partitions of compacted topics records those that are due. Jobs take those with the highest dirty ratio first, and check
// each again.
import { isLandedId } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { rowCommittedAtMs } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import { type Compaction, compactionOf } from '../topics/topic-configs.ts';
import { JobBuilder, type MergeJob } from './job-builder.ts';
import type { Budget } from './long-runs.ts';
import { OpenTargets } from './open-targets.ts';
import { isLargeFile, type MergePolicy, pauseMs } from './policy.ts';

/** The data that a cleaning of a partition would read. */
export interface Cleanable {
  /** Number of rows, counted from the first one. */
  rows: number;
  bytes: number;
  firstDirtyOffset: number;
  dirtyRatio: number;
}

interface DuePartition {
  topic: Topic;
  number: number;
  dirtyRatio: number;
}

interface Sweep {
  topics: Iterator<Topic>;
  topic: Topic | undefined;
  /** The topic's terms, as they were when the sweep reached it. */
  terms: Compaction | null;
  number: number;
}

/** Runs that jobs of other kinds have, or are about to get. */
export interface OtherJobs {
  /** Whether an open job of level 2 replaces runs of this partition. */
  hasPartition(partition: Partition): boolean;
  /** Whether level 1 is about to merge this file of level 0, given its slot and commit time. */
  willMerge(slot: number, committedAtMs: number): boolean;
}

export class CompactionPlanner {
  readonly #state: ClusterState;
  readonly #policy: MergePolicy;
  readonly #others: OtherJobs;
  readonly #open: OpenTargets;
  readonly #failures = new WeakMap<Partition, { failures: number; notBeforeMs: number }>();
  #sweep: Sweep | null = null;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  /** Highest dirty ratio last. */
  #due: DuePartition[] = [];

  constructor(state: ClusterState, policy: MergePolicy, others: OtherJobs) {
    this.#state = state;
    this.#policy = policy;
    this.#others = others;
    this.#open = new OpenTargets(state);
  }

  /** Partitions that are waiting for an agent. */
  get waitingPartitions(): number {
    return this.#due.length;
  }

  /** Whether an open job has this partition; with an offset, whether it has the run that starts there. */
  has(partition: Partition, offset?: number): boolean {
    return offset === undefined ? this.#open.has(partition) : this.#open.covers(partition, offset);
  }

  /** The next job. Undefined: the budget ran out first. Null: nothing is due. */
  next(nowMs: number, budget: Budget): MergeJob | undefined | null {
    for (;;) {
      const job = this.#takeDue(nowMs);
      if (job !== null) {
        this.#open.enter(job);
        return job;
      }
      if (this.#sweep === null && Math.abs(nowMs - this.#sweptAtMs) < this.#policy.compaction.sweepMs) {
        return null;
      }
      this.#sweep ??= this.#newSweep(nowMs);
      if (!this.#step(this.#sweep, nowMs, budget)) {
        return undefined;
      }
      this.#sweep = null;
      this.#due.sort((a, b) => a.dirtyRatio - b.dirtyRatio);
      if (this.#due.length === 0) {
        return null;
      }
    }
  }

  /** False: the job is not from this planner. */
  complete(job: MergeJob): boolean {
    const partitions = this.#open.leave(job);
    for (const partition of partitions ?? []) {
      this.#failures.delete(partition);
    }
    return partitions !== undefined;
  }

  /** From now on, cleans the job's partitions one by one, after a pause, so that a problem with one does not delay the others. */
  giveUp(job: MergeJob, nowMs: number): boolean {
    const partitions = this.#open.leave(job);
    for (const partition of partitions ?? []) {
      const failures = (this.#failures.get(partition)?.failures ?? 0) + 1;
      this.#failures.set(partition, { failures, notBeforeMs: nowMs + pauseMs(failures) });
    }
    return partitions !== undefined;
  }

  #newSweep(nowMs: number): Sweep {
    this.#sweptAtMs = nowMs;
    const sweep: Sweep = { topics: this.#state.topics.values(), topic: undefined, terms: null, number: 0 };
    nextTopic(sweep);
    return sweep;
  }

  /** True: all partitions have been visited. */
  #step(sweep: Sweep, nowMs: number, budget: Budget): boolean {
    while (sweep.topic !== undefined) {
      if (budget.rows <= 0) {
        return false;
      }
      budget.rows -= 1;
      const { topic, terms, number } = sweep;
      const partition = topic.partitions[number];
      if (terms === null || partition === undefined) {
        nextTopic(sweep);
        continue;
      }
      const cleanable = this.#dueNow(partition, terms, nowMs);
      budget.rows -= partition.runs?.length ?? 0;
      if (cleanable !== null) {
        this.#due.push({ topic, number, dirtyRatio: cleanable.dirtyRatio });
      }
      sweep.number += 1;
    }
    return true;
  }

  /** A job for the due partitions with the highest dirty ratio, as many as fit. Null: none is due. */
  #takeDue(nowMs: number): MergeJob | null {
    const { targetBytes, maxTargetRuns, compaction } = this.#policy;
    const chosen: (DuePartition & { cleanable: Cleanable })[] = [];
    let [bytes, rows] = [0, 0];
    for (let due = this.#due.at(-1); due !== undefined; due = this.#due.at(-1)) {
      const { topic, number } = due;
      const partition = topic.partitions[number];
      const terms = compactionOf(topic.configs);
      const cleanable = partition && terms && this.#dueNow(partition, terms, nowMs);
      if (partition === undefined || !cleanable) {
        this.#due.pop();
        continue;
      }
      const isAlone = this.#failures.has(partition) || cleanable.bytes >= targetBytes;
      const isTooMuch =
        isAlone ||
        bytes + cleanable.bytes > targetBytes ||
        rows + cleanable.rows > Math.min(compaction.maxSourceRuns, maxTargetRuns);
      if (isTooMuch && chosen.length > 0) {
        break;
      }
      this.#due.pop();
      chosen.push({ ...due, cleanable });
      bytes += cleanable.bytes;
      rows += cleanable.rows;
      if (isAlone) {
        break;
      }
    }
    return chosen.length === 0 ? null : this.#jobOf(chosen, nowMs);
  }

  /** In the order in which level 1 lays partitions out, so that neighbours are read together. */
  #jobOf(chosen: (DuePartition & { cleanable: Cleanable })[], nowMs: number): MergeJob {
    chosen.sort(
      (a, b) => a.topic.createdAtMs - b.topic.createdAtMs || compare(a.topic.name, b.topic.name) || a.number - b.number,
    );
    const builder = new JobBuilder(this.#state, this.#policy, 2, nowMs);
    for (const { topic, number, cleanable } of chosen) {
      const rows = Array.from({ length: cleanable.rows }, (_, row) => row);
      builder.add(topic, number, rows, cleanable.firstDirtyOffset);
    }
    return builder.build();
  }

  /** Null: the partition is clean enough, or must not be touched now. */
  #dueNow(partition: Partition, terms: Compaction, nowMs: number): Cleanable | null {
    const { runs } = partition;
    const isHeld = this.#open.has(partition) || this.#others.hasPartition(partition);
    const pausedUntilMs = this.#failures.get(partition)?.notBeforeMs ?? nowMs;
    if (runs === null || runs.length === 0 || isHeld || nowMs < pausedUntilMs) {
      return null;
    }
    const firstDirtyOffset = Math.max(partition.cleanedOffset, runs.baseOffset(0));
    const isClean = firstDirtyOffset >= partition.highWatermark;
    const firstDirtyRow = isClean ? runs.length : runs.rowOfOffset(firstDirtyOffset);
    const { rows, dirtyBytes } = this.#dirtyRows(runs, firstDirtyRow, stableRows(partition, runs), terms, nowMs);
    const isForTombstones = this.#haveTombstonesWaited(partition, terms, nowMs);
    if (rows === 0 || rows > this.#policy.compaction.maxSourceRuns || (dirtyBytes === 0 && !isForTombstones)) {
      return null;
    }
    let bytes = dirtyBytes;
    for (let row = 0; row < firstDirtyRow; row += 1) {
      bytes += recordBytes(runs, row);
    }
    if (bytes === 0) {
      return null;
    }
    const cleanable = { rows, bytes, firstDirtyOffset, dirtyRatio: dirtyBytes / bytes };
    const isDue = isForTombstones || this.#isDue(runs, firstDirtyRow, dirtyBytes, cleanable.dirtyRatio, terms, nowMs);
    return isDue ? cleanable : null;
  }

  /** Up to which row the partition may be cleaned, and the bytes from its first dirty row on. */
  #dirtyRows(
    runs: RunIndex,
    first: number,
    stable: number,
    terms: Compaction,
    nowMs: number,
  ): { rows: number; dirtyBytes: number } {
    const { maxDirtyBytes, maxSourceRuns } = this.#policy.compaction;
    const end = Math.min(stable, maxSourceRuns);
    let dirtyBytes = 0;
    let row = first;
    for (; row < end && this.#mayBeCleaned(runs, row, terms, nowMs); row += 1) {
      const bytes = recordBytes(runs, row);
      if (dirtyBytes > 0 && dirtyBytes + bytes > maxDirtyBytes) {
        break;
      }
      dirtyBytes += bytes;
    }
    // Markers at the end go with the run after them: see rows-with-markers.ts.
    while (row > first && runs.isMarker(row - 1)) {
      row -= 1;
    }
    return { rows: row, dirtyBytes };
  }

  #mayBeCleaned(runs: RunIndex, row: number, { minLagMs }: Compaction, nowMs: number): boolean {
    if (runs.isMarker(row)) {
      return true;
    }
    const { files } = this.#state;
    const slot = runs.file(row);
    const committedAtMs = files.committedAtMs(slot);
    const isYoung = minLagMs > 0 && Math.max(committedAtMs, runs.maxTimestampMs(row)) > nowMs - minLagMs;
    if (isYoung) {
      return false;
    }
    if (files.level(slot) > 0) {
      return true;
    }
    if (isLandedId(files.id(slot))) {
      // It leaves the landing buckets by level 1, for agents that can read them.
      return false;
    }
    if (isLargeFile(this.#policy, files.bytes(slot))) {
      return true;
    }
    // Merging at level 1 comes first, except for a file that it has nothing to merge with or that failed repeatedly.
    return nowMs - committedAtMs >= this.#policy.compaction.maxWaitMs && !this.#others.willMerge(slot, committedAtMs);
  }

  /** A cleaning soon after the horizon would usually have happened anyway, so tombstones wait as long again as they already had to. */
  #haveTombstonesWaited({ deleteHorizonMs }: Partition, { deleteRetentionMs }: Compaction, nowMs: number): boolean {
    const patienceMs = Math.max(deleteRetentionMs, this.#policy.compaction.maxWaitMs);
    return deleteHorizonMs > 0 && nowMs - deleteHorizonMs >= patienceMs;
  }

  #isDue(
    runs: RunIndex,
    firstDirtyRow: number,
    dirtyBytes: number,
    dirtyRatio: number,
    { minDirtyRatio, maxLagMs, segmentMs }: Compaction,
    nowMs: number,
  ): boolean {
    const { minDirtyBytes, maxWaitMs } = this.#policy.compaction;
    const committedAtMs = rowCommittedAtMs(runs, firstDirtyRow, this.#state.files);
    const timestampMs = runs.maxTimestampMs(firstDirtyRow);
    const agesFromMs = timestampMs < 0 ? committedAtMs : Math.min(timestampMs, committedAtMs);
    if (nowMs - agesFromMs > maxLagMs) {
      return true;
    }
    const isWorthIt = dirtyBytes >= minDirtyBytes || nowMs - committedAtMs >= Math.min(segmentMs, maxWaitMs);
    return dirtyRatio > minDirtyRatio && isWorthIt;
  }
}

/** How many rows end before the first record of an open transaction. */
function stableRows(partition: Partition, runs: RunIndex): number {
  const endOffset = lastStableOffset(partition);
  return endOffset >= partition.highWatermark ? runs.length : Math.max(0, runs.rowOfOffset(endOffset));
}

/** Markers hold no records: they are neither clean nor dirty. */
function recordBytes(runs: RunIndex, row: number): number {
  return runs.isMarker(row) ? 0 : runs.bytes(row);
}

function nextTopic(sweep: Sweep): void {
  sweep.topic = sweep.topics.next().value;
  sweep.terms = sweep.topic === undefined ? null : compactionOf(sweep.topic.configs);
  sweep.number = 0;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
