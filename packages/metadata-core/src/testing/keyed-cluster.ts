// For tests: a cluster whose files have records with keys, and agents that merge and compact them. A naive model in which a file is a list
// of batches.
import { expect } from 'vitest';
import { type MergeJob, replacementOf } from '../merging/job-builder.ts';
import { MergePlanner } from '../merging/merge-planner.ts';
import { MERGE_POLICY, type MergePolicy } from '../merging/policy.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import { type Id, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { runEndOffset } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { commitOf, id, TestCluster } from './cluster.ts';

/** A key with this prefix is a tombstone. */
const TOMBSTONE = '!';
const RECORD_BYTES = 40;
const HEAD_BYTES = 61;

interface KeyedRecord {
  offset: number;
  key: string;
  isTombstone: boolean;
  /** When it may be removed; null: no cleaning has met it. */
  goesAtMs: number | null;
}

interface Batch {
  position: number;
  bytes: number;
  records: KeyedRecord[];
}

/** An open job of an agent, with what the agent read when it started. */
interface OpenJob {
  job: MergeJob;
  targets: { records: KeyedRecord[]; batches: Batch[]; sourceBytes: number }[];
}

type Policy = Partial<Omit<MergePolicy, 'compaction'>> & { compaction?: Partial<MergePolicy['compaction']> };

export class KeyedCluster extends TestCluster {
  planner: MergePlanner;
  readonly #policy: MergePolicy;
  readonly #files = new Map<string, Batch[]>();
  readonly #written = new Map<number, KeyedRecord[]>();
  #open: OpenJob[] = [];

  constructor(policy: Policy = {}) {
    super();
    this.#policy = { ...MERGE_POLICY, ...policy, compaction: { ...MERGE_POLICY.compaction, ...policy.compaction } };
    this.planner = new MergePlanner(this.state, this.nowMs, this.#policy);
  }

  /** A partition of topic 1. */
  partition(number: number): Partition {
    const partition = this.state.topics.get(idKey(id(1)))?.partitions[number];
    if (partition === undefined) {
      throw new Error(`topic 1 has no partition ${number}`);
    }
    return partition;
  }

  /** Like `write`, to landing buckets. */
  land(partition: number, keys: readonly string[]): void {
    this.write(partition, keys, this.newLandedFileId());
  }

  /** Commits a file with one batch that has one record per key. */
  write(partition: number, keys: readonly string[], file = this.newFileId()): void {
    const base = this.partition(partition).highWatermark;
    const bytes = HEAD_BYTES + keys.length * RECORD_BYTES;
    const batches = [{ records: keys.length, bytes, timestampMs: this.nowMs }];
    const { effects } = this.outcome(commitOf(file, [{ partition, batches }]));
    const records = keys.map((key, at) => ({
      offset: base + at,
      key: key.replace(TOMBSTONE, ''),
      isTombstone: key.startsWith(TOMBSTONE),
      goesAtMs: null,
    }));
    this.#files.set(idKey(file), [{ position: 0, bytes, records }]);
    this.#written.set(partition, [...(this.#written.get(partition) ?? []), ...records]);
    this.planner.observe(effects);
  }

  plan(canCompact = true, canReadLanded?: boolean): MergeJob | null {
    for (;;) {
      const { job, isUnfinished } = this.planner.plan(this.nowMs, canCompact, canReadLanded);
      if (!isUnfinished) {
        return job;
      }
    }
  }

  giveUp(job: MergeJob | null): void {
    if (job !== null) {
      this.planner.giveUp(job, this.nowMs);
    }
  }

  /** Completes every job of level 1. */
  mergeFresh(): void {
    for (let job = this.plan(false); job !== null; job = this.plan(false)) {
      this.start(job);
      this.completeSome(this.#open.length - 1, 1);
    }
  }

  /** Completes every job that is due. */
  work(): void {
    for (let job = this.plan(); job !== null; job = this.plan()) {
      this.start(job);
      this.completeSome(this.#open.length - 1, 1);
    }
  }

  /** An agent starts a job and reads what it needs. */
  start(job: MergeJob | null): void {
    if (job !== null) {
      this.#open.push({ job, targets: this.#readTargets(job) });
    }
  }

  /** Completes one of the open jobs in this many files, one after the other. The agent stops when one of them is not applied. */
  completeSome(which: number, files: number): void {
    const [open] = this.#open.splice(which % Math.max(1, this.#open.length), 1);
    if (open === undefined) {
      return;
    }
    const { job, targets } = open;
    const perFile = job.compaction === null ? targets.length : Math.ceil(targets.length / files);
    for (let from = 0; from < targets.length; from += perFile) {
      const end = Math.min(targets.length, from + perFile);
      const outcome = this.#complete(open, from, end);
      if (outcome !== 'applied') {
        expect(outcome).toBe('stale');
        this.planner.giveUp(job, this.nowMs);
        return;
      }
    }
    this.planner.complete(job);
  }

  /** The owner gives a job up. Its agent does not know, and continues later. */
  forget(which: number): void {
    const open = this.#open[which % Math.max(1, this.#open.length)];
    if (open !== undefined) {
      this.planner.giveUp(open.job, this.nowMs);
    }
  }

  /** Starts a new owner, which knows only the state. */
  takeOver(state: ClusterState): void {
    this.state = state;
    this.planner = new MergePlanner(state, this.nowMs, this.#policy);
  }

  /** The records that a reader finds from the log start on, as `offset:key` in order. */
  read(partition: number): string[] {
    return this.#recordsOf(partition).map(
      ({ offset, key, isTombstone }) => `${offset}:${isTombstone ? TOMBSTONE : ''}${key}`,
    );
  }

  /**
   * Checks that a reader finds exactly what was written, in order, and the latest value of each key, and that the clean part has each key
   * once.
   */
  checkReaders(partition: number): void {
    const { logStartOffset, cleanedOffset } = this.partition(partition);
    const found = this.#recordsOf(partition);
    const written = (this.#written.get(partition) ?? []).filter(({ offset }) => offset >= logStartOffset);
    expect(found.every(({ offset }, at) => offset > (found[at - 1]?.offset ?? -1))).toBe(true);
    const byOffset = new Map(written.map((record) => [record.offset, record]));
    expect(found.every(({ offset, key }) => byOffset.get(offset)?.key === key)).toBe(true);
    expect(tableOf(found)).toEqual(tableOf(written));
    const clean = found.filter(({ offset }) => offset < cleanedOffset).map(({ key }) => key);
    expect(new Set(clean).size).toBe(clean.length);
  }

  #recordsOf(number: number): KeyedRecord[] {
    const partition = this.partition(number);
    const { runs, logStartOffset } = partition;
    const records: KeyedRecord[] = [];
    for (let row = 0; runs !== null && row < runs.length; row += 1) {
      const found = this.#batches(this.state.files.id(runs.file(row)), runs.position(row), runs.bytes(row));
      const inRow = found.flatMap((batch) => batch.records);
      const [base, end] = [runs.baseOffset(row), runEndOffset(partition, runs, row)];
      expect(inRow.every(({ offset }) => offset >= base && offset < end)).toBe(true);
      records.push(...inRow.filter(({ offset }) => offset >= logStartOffset));
    }
    return records;
  }

  #batches(file: Id, position: number, bytes: number): Batch[] {
    const batches = this.#files.get(idKey(file)) ?? [];
    const found = batches.filter((batch) => batch.position >= position && batch.position < position + bytes);
    expect(found.reduce((sum, batch) => sum + batch.bytes, 0)).toBe(bytes);
    return found;
  }

  #readTargets(job: MergeJob): OpenJob['targets'] {
    let run = 0;
    const targets = job.targetRuns.map((count) => {
      const batches: Batch[] = [];
      let sourceBytes = 0;
      for (const end = run + count; run < end; run += 1) {
        const bytes = job.runBytes[run] ?? 0;
        batches.push(
          ...this.#batches(job.sourceFileIds[job.runSource[run] ?? 0] ?? id(0), job.runPosition[run] ?? 0, bytes),
        );
        sourceBytes += bytes;
      }
      return { batches, records: batches.flatMap(({ records }) => records), sourceBytes };
    });
    return job.compaction === null ? targets : compacted(job, targets);
  }

  /** Writes a file with some of the targets, and swaps it in. */
  #complete({ job, targets }: OpenJob, from: number, end: number): string {
    const file = this.newFileId();
    const chosen = targets.slice(from, end);
    const content: Batch[] = [];
    const starts: number[] = [];
    let position = 0;
    for (const { batches } of chosen) {
      starts.push(position);
      for (const batch of batches) {
        content.push({ ...batch, position });
        position += batch.bytes;
      }
    }
    this.#files.set(idKey(file), content);
    const whole = replacementOf(job, file, position + 1);
    const command: ReplaceRuns = {
      ...whole,
      targetTopic: whole.targetTopic.slice(from, end),
      targetPartition: whole.targetPartition.slice(from, end),
      targetBaseOffset: whole.targetBaseOffset.slice(from, end),
      targetEndOffset: whole.targetEndOffset.slice(from, end),
      targetPosition: Float64Array.from(starts),
      targetBytes: Float64Array.from(starts, (start, at) => (starts[at + 1] ?? position) - start),
      compaction: whole.compaction && {
        targetSourceBytes: Float64Array.from(chosen, ({ sourceBytes }) => sourceBytes),
        targetMaxTimestampMs: null,
        targetDeleteHorizonMs: Float64Array.from(chosen, ({ batches }) => horizonOf(batches)),
      },
    };
    const { answer, effects } = this.outcome(command);
    this.planner.observe(effects);
    return answer.outcome;
  }
}

/** The records that Kafka's cleaner keeps; each target is one batch. */
function compacted(job: MergeJob, targets: OpenJob['targets']): OpenJob['targets'] {
  const { compaction } = job;
  const placeOf = (target: number): string => `${job.targetTopic[target]}-${job.targetPartition[target]}`;
  const maps = new Map<string, Map<string, number>>();
  for (const [target, { records }] of targets.entries()) {
    const map = maps.get(placeOf(target)) ?? new Map<string, number>();
    maps.set(placeOf(target), map);
    for (const { offset, key } of records) {
      if (offset >= (compaction?.targetFirstDirtyOffset[target] ?? 0)) {
        map.set(key, offset);
      }
    }
  }
  const nowMs = compaction?.nowMs ?? 0;
  return targets.map(({ records, sourceBytes }, target) => {
    const map = maps.get(placeOf(target));
    const retentionMs = compaction?.topicDeleteRetentionMs[job.targetTopic[target] ?? 0] ?? 0;
    const left = records
      .filter(({ offset, key, goesAtMs }) => (map?.get(key) ?? 0) <= offset && (goesAtMs === null || goesAtMs > nowMs))
      .map((record) => ({ ...record, goesAtMs: record.isTombstone ? (record.goesAtMs ?? nowMs + retentionMs) : null }));
    const bytes = HEAD_BYTES + left.length * RECORD_BYTES;
    return { records: left, sourceBytes, batches: [{ position: 0, bytes, records: left }] };
  });
}

/** When the first of the tombstones may be removed; 0: there are none. */
function horizonOf(batches: readonly Batch[]): number {
  const times = batches.flatMap(({ records }) => records.flatMap(({ goesAtMs }) => goesAtMs ?? []));
  return times.length === 0 ? 0 : Math.min(...times);
}

/** The latest record of each key; none if that is a tombstone. */
function tableOf(records: readonly KeyedRecord[]): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const { key, offset, isTombstone } of records) {
    if (isTombstone) {
      table.delete(key);
    } else {
      table.set(key, offset);
    }
  }
  return new Map([...table].sort());
}
