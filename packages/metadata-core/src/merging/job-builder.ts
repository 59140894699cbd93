// A merge job: which bytes of which files become which runs of a new file. Also the builder that assembles one, partition by partition.
import { present } from '../model/assert.ts';
import { doubleAt, numberAt } from '../model/checked.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import type { Id } from '../model/ids.ts';
import { MAX_RUN_RECORDS } from '../model/limits.ts';
import type { Marker } from '../model/run.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { runEndOffset } from '../state/partition.ts';
import type { AbortedTransaction, Partition } from '../state/partition.types.ts';
import { abortedBetween } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import { compactionOf } from '../topics/topic-configs.ts';
import type { MergePolicy } from './policy.ts';

/** In place of a source: the run is a marker, whose control batch the agent makes. */
export const MARKER_SOURCE = 0xffff_ffff;

/** Columns. The source runs of a target run are adjacent, and so are the target runs of one partition. */
export interface MergeJob {
  /** The level of the new file. */
  level: 1 | 2;
  sourceFileIds: Id[];
  sourceFileBytes: number[];
  topicIds: Id[];
  /** Per source run; `runSource` indexes sourceFileIds, or is MARKER_SOURCE. */
  runSource: number[];
  runPosition: number[];
  runBytes: number[];
  /** Per source run that is a marker. */
  markers: JobMarker[];
  /** Per target run; `targetTopic` indexes topicIds, `targetRuns` counts its source runs. */
  targetTopic: number[];
  targetPartition: number[];
  targetBaseOffset: number[];
  targetEndOffset: number[];
  targetRuns: number[];
  /** Total of all runs. */
  bytes: number;
  /** Null: the bytes are copied unchanged. */
  compaction: CompactionTerms | null;
}

/** The end of a transaction that becomes a part of a file. */
export interface JobMarker extends Marker {
  timestampMs: number;
}

/** Only the latest record of each key is kept. All target runs of a partition are in one job, from its first run on. */
export interface CompactionTerms {
  /** The value for each topic. */
  topicDeleteRetentionMs: number[];
  topicMaxMessageBytes: number[];
  /** Per target run: keys of records from this offset on go into its partition's map. */
  targetFirstDirtyOffset: number[];
  /** Delete horizons count from this time. */
  nowMs: number;
  /** Transactions whose batches are left out; `target` is the first one of the partition. */
  aborted: (AbortedTransaction & { target: number })[];
}

/** The command for a completed job: its runs are consecutive in the file, from byte 0 on. */
export function replacementOf(job: MergeJob, fileId: Id, fileBytes: number): ReplaceRuns {
  const targets = job.targetRuns.length;
  const targetPosition = new Float64Array(targets);
  const targetBytes = new Float64Array(targets);
  let [run, position] = [0, 0];
  for (const [target, count] of job.targetRuns.entries()) {
    targetPosition[target] = position;
    for (const end = run + count; run < end; run += 1) {
      position += numberAt(job.runBytes, run);
    }
    targetBytes[target] = position - doubleAt(targetPosition, target);
  }
  return {
    kind: 'replace-runs',
    fileId,
    fileBytes,
    level: job.level,
    sourceFileIds: job.sourceFileIds,
    topicIds: job.topicIds,
    targetTopic: Uint32Array.from(job.targetTopic),
    targetPartition: Uint32Array.from(job.targetPartition),
    targetBaseOffset: Float64Array.from(job.targetBaseOffset),
    targetEndOffset: Float64Array.from(job.targetEndOffset),
    targetPosition,
    targetBytes,
    compaction:
      job.compaction === null
        ? null
        : {
            targetSourceBytes: targetBytes,
            targetMaxTimestampMs: null,
            targetDeleteHorizonMs: null,
            ...(job.compaction.aborted.length === 0 ? {} : { isAbortedRemoved: true }),
          },
  };
}

export class JobBuilder {
  readonly #state: ClusterState;
  readonly #runBytes: number;
  readonly #sources = new Map<number, number>();
  readonly #topics = new Map<Topic, number>();
  readonly #job: MergeJob;

  /** @param compactedAtMs for a compaction job, when it is planned */
  constructor(state: ClusterState, policy: MergePolicy, level: 1 | 2, compactedAtMs: number | null = null) {
    this.#state = state;
    this.#runBytes = policy.runBytes;
    this.#job = {
      level,
      sourceFileIds: [],
      sourceFileBytes: [],
      topicIds: [],
      runSource: [],
      runPosition: [],
      runBytes: [],
      markers: [],
      targetTopic: [],
      targetPartition: [],
      targetBaseOffset: [],
      targetEndOffset: [],
      targetRuns: [],
      bytes: 0,
      compaction:
        compactedAtMs === null
          ? null
          : {
              topicDeleteRetentionMs: [],
              topicMaxMessageBytes: [],
              targetFirstDirtyOffset: [],
              nowMs: compactedAtMs,
              aborted: [],
            },
    };
  }

  get bytes(): number {
    return this.#job.bytes;
  }

  get sourceRuns(): number {
    return this.#job.runSource.length;
  }

  get targetRuns(): number {
    return this.#job.targetRuns.length;
  }

  get sourceFiles(): number {
    return this.#sources.size;
  }

  /**
   * Adds rows of a partition's index, in ascending order. Adjacent rows become one target run, up to the policy's maximum. Markers, which
   * are small, do not count towards it, so that none becomes a run of its own.
   * @param firstDirtyOffset for compaction
   */
  add(topic: Topic, number: number, rows: readonly number[], firstDirtyOffset = 0): void {
    const partition = topic.partitions[number];
    const runs = partition?.runs;
    if (partition === undefined || runs === undefined || runs === null || rows.length === 0) {
      return;
    }
    const target = this.targetRuns;
    let [before, bytes] = [Number.NaN, 0];
    for (const row of rows) {
      const length = runs.isMarker(row) ? 0 : runs.bytes(row);
      const isLonger = row === before + 1 && bytes + length <= this.#runBytes && this.#fits(partition, runs, row);
      if (!isLonger) {
        this.#openTarget(topic, number, runs.baseOffset(row));
        this.#job.compaction?.targetFirstDirtyOffset.push(firstDirtyOffset);
        bytes = 0;
      }
      this.#addRun(partition, runs, row);
      bytes += length;
      before = row;
    }
    const { compaction, targetEndOffset } = this.#job;
    if (compaction !== null) {
      for (const transaction of abortedBetween(partition, 0, present(targetEndOffset.at(-1), 'target'))) {
        compaction.aborted.push({ target, ...transaction });
      }
    }
  }

  build(): MergeJob {
    return this.#job;
  }

  /** Whether the open target run has room for the records of one more row. */
  #fits(partition: Partition, runs: RunIndex, row: number): boolean {
    return runEndOffset(partition, runs, row) - present(this.#job.targetBaseOffset.at(-1), 'target') <= MAX_RUN_RECORDS;
  }

  #openTarget(topic: Topic, number: number, baseOffset: number): void {
    const { topicIds, targetTopic, targetPartition, targetBaseOffset, targetEndOffset, targetRuns } = this.#job;
    let at = this.#topics.get(topic);
    if (at === undefined) {
      at = topicIds.push(topic.id) - 1;
      this.#topics.set(topic, at);
      if (this.#job.compaction !== null) {
        const { deleteRetentionMs, maxMessageBytes } = present(
          compactionOf(topic.configs),
          'terms of a compacted topic',
        );
        this.#job.compaction.topicDeleteRetentionMs.push(deleteRetentionMs);
        this.#job.compaction.topicMaxMessageBytes.push(maxMessageBytes);
      }
    }
    targetTopic.push(at);
    targetPartition.push(number);
    targetBaseOffset.push(baseOffset);
    targetEndOffset.push(baseOffset);
    targetRuns.push(0);
  }

  #addRun(partition: Partition, runs: RunIndex, row: number): void {
    const job = this.#job;
    const target = job.targetRuns.length - 1;
    const marker = runs.marker(row);
    if (marker === null) {
      job.runSource.push(this.#sourceOf(runs.file(row)));
      job.runPosition.push(runs.position(row));
    } else {
      job.runSource.push(MARKER_SOURCE);
      job.runPosition.push(0);
      job.markers.push({ ...marker, timestampMs: runs.maxTimestampMs(row) });
    }
    job.runBytes.push(runs.bytes(row));
    job.targetEndOffset[target] = runEndOffset(partition, runs, row);
    job.targetRuns[target] = numberAt(job.targetRuns, target) + 1;
    job.bytes += runs.bytes(row);
  }

  #sourceOf(slot: number): number {
    let at = this.#sources.get(slot);
    if (at === undefined) {
      const { files } = this.#state;
      at = this.#job.sourceFileIds.push(files.id(slot)) - 1;
      this.#job.sourceFileBytes.push(files.bytes(slot));
      this.#sources.set(slot, at);
    }
    return at;
  }
}
