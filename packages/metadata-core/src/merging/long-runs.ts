// Plans jobs of level 2: walks over the partitions and collects the runs of level 1 in a window, one range of partitions per job.
import type { ClusterState } from '../state/cluster-state.ts';
import { rowCommittedAtMs } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import { isCompacted } from '../topics/topic-configs.ts';
import { JobBuilder, type MergeJob } from './job-builder.ts';
import type { MergePolicy } from './policy.ts';
import { rowsWithMarkers } from './rows-with-markers.ts';

/** How many rows may still be visited; a partition counts as one. */
export interface Budget {
  rows: number;
}

export class LongRuns {
  /** Merges files committed before this time. */
  readonly untilMs: number;
  readonly #state: ClusterState;
  readonly #policy: MergePolicy;
  /** No waiting file of level 1 is older. */
  readonly #fromMs: number;
  readonly #isHeld: (partition: Partition) => boolean;
  readonly #topics: Iterator<Topic>;
  #topic: Topic | undefined;
  #partition = 0;
  /** Within the partition: rows before this offset have been visited. */
  #offset = 0;
  #builder: JobBuilder;

  /** @param isHeld whether a compaction job has a partition */
  constructor(
    state: ClusterState,
    policy: MergePolicy,
    fromMs: number,
    untilMs: number,
    isHeld: (partition: Partition) => boolean,
  ) {
    this.#state = state;
    this.#policy = policy;
    this.#fromMs = fromMs;
    this.untilMs = untilMs;
    this.#isHeld = isHeld;
    this.#topics = state.topics.values();
    this.#topic = this.#topics.next().value;
    this.#builder = new JobBuilder(state, policy, 2);
  }

  /** The next job. Undefined: the budget ran out first. Null: all partitions have been visited. */
  next(budget: Budget): MergeJob | undefined | null {
    while (budget.rows > 0) {
      const topic = this.#topic;
      if (topic === undefined) {
        return this.#builder.bytes === 0 ? null : (this.#finish() ?? null);
      }
      const job = this.#gather(topic, budget);
      if (job !== undefined) {
        return job;
      }
    }
    return undefined;
  }

  /** Adds the rows of one partition, or finishes the job before them. */
  #gather(topic: Topic, budget: Budget): MergeJob | undefined {
    budget.rows -= 1;
    const partition = topic.partitions[this.#partition];
    const runs = partition?.runs;
    if (partition === undefined || runs === undefined || runs === null || runs.length === 0) {
      this.#goOn(topic);
      return undefined;
    }
    // Compaction makes the long runs of its topics, and finishes its open jobs when a topic is no longer compacted.
    if (isCompacted(topic.configs) || this.#isHeld(partition)) {
      this.#goOn(topic);
      return undefined;
    }
    const found = this.#rowsOf(runs, budget);
    const { bytes, endOffset } = found;
    const { targetBytes, maxSourceRuns, maxSourceFiles, maxTargetRuns } = this.#policy;
    const rows = rowsWithMarkers(partition, runs, found.rows, maxSourceRuns);
    const builder = this.#builder;
    const isTooMuch =
      builder.bytes + bytes > targetBytes ||
      builder.sourceRuns + rows.length > maxSourceRuns ||
      builder.sourceFiles + found.rows.length > maxSourceFiles ||
      builder.targetRuns + 1 > maxTargetRuns;
    if (isTooMuch && builder.bytes > 0) {
      // A partition is not split: it starts the next job.
      return this.#finish();
    }
    builder.add(topic, this.#partition, rows);
    if (endOffset === undefined) {
      this.#goOn(topic);
      return undefined;
    }
    // The partition is too large for one job: the next job continues within it.
    this.#offset = endOffset;
    return this.#finish();
  }

  /**
   * The rows in the window, without markers, from where the last job ended. `endOffset` is where the next job starts, if there are too many.
   */
  #rowsOf(runs: RunIndex, budget: Budget): { rows: number[]; bytes: number; endOffset: number | undefined } {
    const { files } = this.#state;
    const { targetBytes, runBytes, maxSourceRuns, maxSourceFiles } = this.#policy;
    const rows: number[] = [];
    let bytes = 0;
    // Markers since the last of the rows, and what the job gets with those before.
    let [markers, taken] = [0, 0];
    let row = Math.max(this.#firstRow(runs), this.#offset === 0 ? 0 : runs.rowOfOffset(this.#offset));
    for (; row < runs.length; row += 1) {
      budget.rows -= 1;
      if (runs.isMarker(row)) {
        markers += 1;
        continue;
      }
      const slot = runs.file(row);
      if (files.committedAtMs(slot) >= this.untilMs) {
        break;
      }
      const length = runs.bytes(row);
      if (files.level(slot) !== 1 || length >= runBytes / 2 || runs.baseOffset(row) < this.#offset) {
        continue;
      }
      const isFull = bytes + length > targetBytes || taken + markers >= maxSourceRuns || rows.length >= maxSourceFiles;
      if (isFull && rows.length > 0) {
        return { rows, bytes, endOffset: runs.baseOffset(row) };
      }
      rows.push(row);
      taken += markers + 1;
      markers = 0;
      bytes += length;
    }
    return { rows, bytes, endOffset: undefined };
  }

  /** Where to start: the later a run is in the log, the newer its file. */
  #firstRow(runs: RunIndex): number {
    const { files } = this.#state;
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rowCommittedAtMs(runs, middle, files) < this.#fromMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #goOn(topic: Topic): void {
    this.#offset = 0;
    this.#partition += 1;
    if (this.#partition >= topic.partitions.length) {
      this.#partition = 0;
      this.#topic = this.#topics.next().value;
    }
  }

  /** Undefined when merging would gain nothing, because all of it is in one file. */
  #finish(): MergeJob | undefined {
    const builder = this.#builder;
    this.#builder = new JobBuilder(this.#state, this.#policy, 2);
    return builder.sourceFiles > 1 ? builder.build() : undefined;
  }
}
