// Level 2: the walk over the partitions that gathers what level 1 holds of a window, a range of partitions per job.
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import { isCompacted } from '../topics/topic-configs.ts';
import { JobBuilder, type MergeJob } from './job-builder.ts';
import type { MergePolicy } from './policy.ts';

/** What may still be looked at: rows, and partitions that are as quick. */
export interface Budget {
  rows: number;
}

export class LongRuns {
  /** Files committed before are merged. */
  readonly untilMs: number;
  readonly #state: ClusterState;
  readonly #policy: MergePolicy;
  /** No file of level 1 that waits is older. */
  readonly #fromMs: number;
  readonly #isHeld: (partition: Partition) => boolean;
  readonly #topics: Iterator<Topic>;
  #topic: Topic | undefined;
  #partition = 0;
  /** Of the partition: what lies before was looked at. */
  #offset = 0;
  #builder: JobBuilder;

  /** @param isHeld whether a job of key compaction has a partition */
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

  /** The next job. Undefined: the budget is spent first. Null: all partitions were looked at. */
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
    // Key compaction makes the long runs of its topics, and goes on with what it has when a topic is not compacted any more.
    if (isCompacted(topic.configs) || this.#isHeld(partition)) {
      this.#goOn(topic);
      return undefined;
    }
    const { rows, bytes, endOffset } = this.#rowsOf(runs, budget);
    const { targetBytes, maxSourceRuns, maxSourceFiles, maxTargetRuns } = this.#policy;
    const builder = this.#builder;
    const isTooMuch =
      builder.bytes + bytes > targetBytes ||
      builder.sourceRuns + rows.length > maxSourceRuns ||
      builder.sourceFiles + rows.length > maxSourceFiles ||
      builder.targetRuns + 1 > maxTargetRuns;
    if (isTooMuch && builder.bytes > 0) {
      // The partition stays together: it begins the next job.
      return this.#finish();
    }
    builder.add(topic, this.#partition, rows);
    if (endOffset === undefined) {
      this.#goOn(topic);
      return undefined;
    }
    // A partition that is more than a job's worth: the next job goes on in it.
    this.#offset = endOffset;
    return this.#finish();
  }

  /** The rows that belong to the window, from where the last job ended; `endOffset` where the next one begins, if they are too many. */
  #rowsOf(runs: RunIndex, budget: Budget): { rows: number[]; bytes: number; endOffset: number | undefined } {
    const { files } = this.#state;
    const { targetBytes, runBytes, maxSourceRuns, maxSourceFiles } = this.#policy;
    const rows: number[] = [];
    let bytes = 0;
    let row = Math.max(this.#firstRow(runs), this.#offset === 0 ? 0 : runs.rowOfOffset(this.#offset));
    for (; row < runs.length; row += 1) {
      budget.rows -= 1;
      const slot = runs.file(row);
      if (files.committedAtMs(slot) >= this.untilMs) {
        break;
      }
      const length = runs.bytes(row);
      if (files.level(slot) !== 1 || length >= runBytes / 2 || runs.baseOffset(row) < this.#offset) {
        continue;
      }
      const isFull = bytes + length > targetBytes || rows.length >= Math.min(maxSourceRuns, maxSourceFiles);
      if (isFull && rows.length > 0) {
        return { rows, bytes, endOffset: runs.baseOffset(row) };
      }
      rows.push(row);
      bytes += length;
    }
    return { rows, bytes, endOffset: undefined };
  }

  /** Where to begin: files are the newer the later their runs lie in the log. */
  #firstRow(runs: RunIndex): number {
    const { files } = this.#state;
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (files.committedAtMs(runs.file(middle)) < this.#fromMs) {
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

  /** Undefined where merging would win nothing: all of it lies in one file. */
  #finish(): MergeJob | undefined {
    const builder = this.#builder;
    this.#builder = new JobBuilder(this.#state, this.#policy, 2);
    return builder.sourceFiles > 1 ? builder.build() : undefined;
  }
}
