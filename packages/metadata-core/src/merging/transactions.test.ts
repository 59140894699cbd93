import { describe, expect, it } from 'vitest';
import type { ReplaceRuns } from '../model/data.types.ts';
import { listOffsets } from '../queries/list-offsets.ts';
import { id } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { type TestProducer, TransactionalCluster } from '../testing/transactions.ts';
import { MARKER_SOURCE, type MergeJob, replacementOf } from './job-builder.ts';
import { MergePlanner } from './merge-planner.ts';
import { MERGE_POLICY } from './policy.ts';

const MINUTE_MS = 60_000;

class Merging {
  readonly cluster: TransactionalCluster;
  readonly planner: MergePlanner;

  constructor(configs: Record<string, string> = {}) {
    this.cluster = new TransactionalCluster(configs);
    const compaction = { ...MERGE_POLICY.compaction, minDirtyBytes: 1, maxWaitMs: 0, sweepMs: 0 };
    this.planner = new MergePlanner(this.cluster.state, this.cluster.nowMs, { ...MERGE_POLICY, compaction });
  }

  plan(canCompact = false): MergeJob | null {
    for (;;) {
      const { job, isUnfinished } = this.planner.plan(this.cluster.nowMs, canCompact);
      if (!isUnfinished) {
        return job;
      }
    }
  }

  swapOf(job: MergeJob): ReplaceRuns {
    return replacementOf(job, this.cluster.newFileId(), Math.max(1, job.bytes));
  }

  /** Completes what is due. Returns the targets as `base-end`. */
  work(canCompact = false): string[] {
    const targets: string[] = [];
    for (let job = this.plan(canCompact); job !== null; job = this.plan(canCompact)) {
      targets.push(...job.targetBaseOffset.map((base, at) => `${base}-${job?.targetEndOffset[at]}`));
      const outcome = this.cluster.outcome(this.swapOf(job));
      expect(outcome.answer).toEqual({ outcome: 'applied', reason: '' });
      this.planner.observe(outcome.effects);
      this.planner.complete(job);
      expect(brokenInvariants(this.cluster.state)).toEqual([]);
      expect(targets.length).toBeLessThan(50);
    }
    return targets;
  }
}

describe('merging', () => {
  it('moves markers into nearby runs, unchanged for readers', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const producer = cluster.producer('t');
    for (const isCommit of [true, false]) {
      producer.write(0);
      producer.write(0, 2);
      producer.end(isCommit);
    }
    cluster.plain();
    cluster.plain();
    merging.planner.observe({});
    const before = cluster.aborted();
    const { storedBytes } = cluster.partition();
    const totals = { ...cluster.state.totals };
    expect(cluster.log()).toBe('0+1 1+2 3C 4+1 5+2 7A 8+1 9+1');
    cluster.nowMs += 2 * MINUTE_MS;
    // A new owner, which finds what is to be merged by a survey.
    const later = new MergePlanner(cluster.state, cluster.nowMs);
    const { job } = later.plan(cluster.nowMs);
    const found = job ?? later.plan(cluster.nowMs).job;
    expect(found).not.toBeNull();
    if (found !== null) {
      expect(found.targetBaseOffset.map((base, at) => [base, found.targetEndOffset[at]])).toEqual([[0, 10]]);
      expect(found.runSource).toEqual([0, 1, MARKER_SOURCE, 2, 3, MARKER_SOURCE, 4, 5]);
      expect(found.markers).toMatchObject([
        { producerEpoch: 1, isCommit: true, timestampMs: expect.any(Number) },
        { producerEpoch: 2, isCommit: false, timestampMs: expect.any(Number) },
      ]);
      expect(cluster.do(merging.swapOf(found)).outcome).toBe('applied');
    }
    expect(cluster.log()).toBe('0+10');
    expect(cluster.aborted()).toEqual(before);
    expect(cluster.partition().storedBytes).toBe(storedBytes);
    expect(cluster.state.totals).toEqual(totals);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  // Agents serve readers before the answer's cursor from it, too.
  it('lets each answer name all aborted transactions in its runs', () => {
    const { cluster } = new Merging();
    const producer = cluster.producer('t');
    producer.write(0);
    producer.end(false);
    cluster.plain(0, 2);
    const range = `${producer.producerId}:0-1`;
    expect([cluster.aborted(0), cluster.aborted(2), cluster.aborted(3)]).toEqual([[range], [], []]);
    expect(cluster.do(swapOver(cluster, 4))).toMatchObject({ outcome: 'applied' });
    expect(cluster.log()).toBe('0+4');
    expect([cluster.aborted(0), cluster.aborted(2), cluster.aborted(3)]).toEqual([[range], [range], [range]]);
  });

  it('leaves markers behind an open transaction’s first record', () => {
    const merging = new Merging();
    const { cluster, planner } = merging;
    const [open, other] = [cluster.producer('open'), cluster.producer('other')];
    const end = (producer: TestProducer, isCommit: boolean): void => {
      const outcome = producer.endOutcome(isCommit);
      planner.observe(outcome.effects);
    };
    for (const producer of [other, open]) {
      producer.write(0);
    }
    end(other, true);
    cluster.plain();
    cluster.plain();
    cluster.nowMs += 2 * MINUTE_MS;
    const later = new MergePlanner(cluster.state, cluster.nowMs);
    const job = later.plan(cluster.nowMs).job ?? later.plan(cluster.nowMs).job;
    expect(job?.targetBaseOffset.map((base, at) => [base, job.targetEndOffset[at]])).toEqual([
      [0, 2],
      [3, 5],
    ]);
    expect(cluster.log()).toBe('0+1 1+1 2C 3+1 4+1');
  });

  // So that no job spoils another one.
  it('puts a marker only into the job of the run after it', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const producer = cluster.producer('t');
    for (let transaction = 0; transaction < 4; transaction += 1) {
      producer.write(0);
      producer.end(true);
    }
    const planner = new MergePlanner(cluster.state, cluster.nowMs + 1, { ...MERGE_POLICY, maxSourceFiles: 2 });
    const jobs: MergeJob[] = [];
    for (let calls = 0; calls < 5; calls += 1) {
      const { job } = planner.plan(cluster.nowMs + 1);
      jobs.push(...(job === null ? [] : [job]));
    }
    expect(jobs.map(({ targetBaseOffset, targetEndOffset }) => [targetBaseOffset, targetEndOffset])).toEqual([
      [[0], [3]],
      [[3], [7]],
    ]);
    for (const job of jobs.reverse()) {
      expect(cluster.do(merging.swapOf(job))).toMatchObject({ outcome: 'applied' });
    }
    expect(cluster.log()).toBe('0+3 3+4 7C');
  });

  it('counts markers among the rows that make a job due', () => {
    const policy = { ...MERGE_POLICY, maxSourceRuns: 10 };
    const planned = (planner: MergePlanner): MergeJob | null =>
      planner.plan(cluster.nowMs).job ?? planner.plan(cluster.nowMs).job;
    const cluster = new TransactionalCluster();
    const planner = new MergePlanner(cluster.state, cluster.nowMs, policy);
    expect(planned(planner)).toBeNull();
    cluster.observe = (effects) => planner.observe(effects);
    const producer = cluster.producer('t');
    for (let transaction = 0; transaction < 5; transaction += 1) {
      expect(planned(planner)).toBeNull();
      producer.write(0);
      producer.end(true);
    }
    producer.write(0);
    const bounds = ({ targetBaseOffset, targetEndOffset, runSource }: MergeJob) => [
      targetBaseOffset,
      targetEndOffset,
      runSource.length,
    ];
    // Not all six files: with their markers they would have 11 rows.
    const job = planned(planner);
    expect(job === null ? null : bounds(job)).toEqual([[0], [9], 9]);
    // A new owner finds the same.
    cluster.nowMs += 1;
    const again = planned(new MergePlanner(cluster.state, cluster.nowMs, policy));
    expect(again === null ? null : bounds(again)).toEqual([[0], [9], 9]);
  });

  it('keeps the index small however many transactions there are', () => {
    const perSecond = 4;
    const cluster = new TransactionalCluster();
    const planner = new MergePlanner(cluster.state, cluster.nowMs);
    cluster.observe = (effects) => planner.observe(effects);
    const producers = Array.from({ length: perSecond }, (_, number) => cluster.producer(`t${number}`));
    let mostRows = 0;
    for (let second = 0; second < 65 * 60; second += 1) {
      cluster.nowMs += 1_000;
      const batches = producers.map(({ producerId, producerEpoch, transactionalId }) => ({
        records: 1,
        producer: [producerId, producerEpoch, 0] as const,
        transaction: { transactionalId, addsPartitions: true },
      }));
      cluster.commit([{ batches }]);
      for (const producer of producers) {
        producer.end(second % 3 === 0);
      }
      for (let plan = planner.plan(cluster.nowMs); plan.job !== null; plan = planner.plan(cluster.nowMs)) {
        const swap = replacementOf(plan.job, cluster.newFileId(), plan.job.bytes);
        expect(cluster.do(swap)).toMatchObject({ outcome: 'applied' });
        planner.complete(plan.job);
      }
      mostRows = Math.max(mostRows, cluster.partition().runs?.length ?? 0);
    }
    // A minute of files and markers, and an hour of runs of level 1: of 15,600 transactions.
    expect(mostRows).toBeLessThan(61 * (1 + perSecond) + 61);
    expect(cluster.log()).toMatch(/^0\+2\d{4} /);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('refuses a run over a marker behind an open transaction', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const [open, other] = [cluster.producer('open'), cluster.producer('other')];
    open.write(0);
    other.write(0);
    other.end(true);
    cluster.plain();
    const [bytes, over] = [cluster.partition().storedBytes, swapOver(cluster, 4)];
    expect(over.targetBytes[0]).toBe(bytes);
    expect(cluster.do(over)).toMatchObject({ outcome: 'stale', reason: expect.stringContaining('still open') });
    open.end(false);
    expect(cluster.do(swapOver(cluster, 4))).toMatchObject({ outcome: 'applied' });
    expect(cluster.log()).toBe('0+4 4A');
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('drops truncated markers with their control batch bytes', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const producer = cluster.producer('t');
    producer.write(0);
    producer.end(true);
    producer.write(0);
    producer.end(false);
    const job = swapOver(cluster, 4);
    const markerEnd = { topicId: id(1), partition: 0, beforeOffset: 2 };
    cluster.do({ kind: 'delete-records', partitions: [markerEnd] });
    const { storedBytes } = cluster.partition();
    expect(cluster.do(job)).toMatchObject({ outcome: 'applied' });
    expect(cluster.log()).toBe('2+2');
    const { runs } = cluster.partition();
    expect([runs?.position(0), runs?.bytes(0)]).toEqual([(job.targetBytes[0] ?? 0) - storedBytes, storedBytes]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('keeps control batches out of timestamp lookups', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const producer = cluster.producer('t');
    producer.write(0);
    producer.end(true);
    const partitions = [{ topicId: id(1), partition: 0, beforeOffset: 1 }];
    const swap = swapOver(cluster, 2);
    cluster.do({ kind: 'delete-records', partitions });
    expect(cluster.do(swap)).toMatchObject({ outcome: 'applied' });
    expect(cluster.log()).toBe('1+1');
    const query = { topicId: id(1), partition: 0, timestampMs: 0, fromOffset: 0 };
    expect(listOffsets(cluster.state, [query])).toMatchObject([{ offset: -1, run: null }]);
  });
});

/** A swap of all that lies in partition 0 before an offset. */
function swapOver(cluster: TransactionalCluster, endOffset: number): ReplaceRuns {
  const { runs } = cluster.partition();
  let bytes = 0;
  for (let row = 0; row < (runs?.length ?? 0) && (runs?.baseOffset(row) ?? 0) < endOffset; row += 1) {
    bytes += runs?.bytes(row) ?? 0;
  }
  return {
    kind: 'replace-runs',
    fileId: cluster.newFileId(),
    fileBytes: bytes,
    level: 1,
    sourceFileIds: [...cluster.state.files.files()].map(([, file]) => file.id),
    topicIds: [id(1)],
    targetTopic: Uint32Array.of(0),
    targetPartition: Uint32Array.of(0),
    targetBaseOffset: Float64Array.of(0),
    targetEndOffset: Float64Array.of(endOffset),
    targetPosition: Float64Array.of(0),
    targetBytes: Float64Array.of(bytes),
    compaction: null,
  };
}

describe('compaction', () => {
  const configs = { 'cleanup.policy': 'compact', 'min.cleanable.dirty.ratio': '0' };

  it('stops at an open transaction and resumes after its end', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const producer = cluster.producer('t');
    cluster.plain();
    cluster.plain();
    producer.write(0);
    cluster.plain();
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-2']);
    expect(cluster.partition().cleanedOffset).toBe(2);
    producer.end(false);
    cluster.plain();
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-6']);
    expect(merging.plan(true)).toBeNull();
  });

  it('names aborted transactions, then forgets compacted ones', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const [producer, other] = [cluster.producer('t'), cluster.producer('other')];
    cluster.plain();
    producer.write(0);
    producer.end(false);
    producer.write(0);
    other.write(0);
    producer.end(false);
    cluster.nowMs += 10 * MINUTE_MS;
    // The other one is still open, so the second abort is beyond reach.
    const job = merging.plan(true);
    expect(job?.targetEndOffset).toEqual([4]);
    const { producerId } = producer;
    const [first, second] = [`${producerId}:1-2`, `${producerId}:3-5`];
    expect(job?.compaction?.aborted.map(({ target, ...one }) => [target, one])).toEqual([
      [0, { producerId, firstOffset: 1, lastOffset: 2 }],
      [0, { producerId, firstOffset: 3, lastOffset: 5 }],
    ]);
    expect(cluster.aborted()).toEqual([first, second]);
    if (job !== null) {
      const swap = merging.swapOf(job);
      expect(cluster.do(swap)).toMatchObject({ outcome: 'applied' });
      merging.planner.complete(job);
    }
    // Of the second one, records were left out as well, and its end is still to come.
    expect(cluster.aborted()).toEqual([second]);
    other.end(true);
    cluster.plain();
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-8']);
    expect(cluster.aborted()).toEqual([]);
    expect(cluster.state.transactions.counts.aborted).toBe(0);
  });

  it('keeps aborted transactions while their batches remain', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const producer = cluster.producer('t');
    producer.write(0);
    producer.end(false);
    const bytes = cluster.partition().storedBytes;
    const compaction = {
      targetSourceBytes: Float64Array.of(bytes),
      targetMaxTimestampMs: null,
      targetDeleteHorizonMs: null,
    };
    expect(cluster.do({ ...swapOver(cluster, 2), level: 2, compaction })).toMatchObject({ outcome: 'applied' });
    expect(cluster.aborted()).toEqual([`${producer.producerId}:0-1`]);
  });

  it('refuses a result that reaches into an open transaction', () => {
    const { cluster } = new Merging(configs);
    cluster.plain();
    cluster.producer('t').write(0);
    const swap = swapOver(cluster, 2);
    const compaction = {
      targetSourceBytes: swap.targetBytes,
      targetMaxTimestampMs: null,
      targetDeleteHorizonMs: null,
    };
    expect(cluster.do({ ...swap, level: 2, compaction })).toMatchObject({
      outcome: 'stale',
      reason: expect.stringContaining('a transaction is still open'),
    });
  });

  it('skips a partition whose last offset is only a marker', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const producer = cluster.producer('t');
    producer.write(0);
    producer.write(0);
    producer.end(true);
    producer.write(0);
    producer.end(false);
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-4']);
    expect(merging.plan(true)).toBeNull();
    producer.write(0);
    producer.end(true);
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-6']);
    expect(merging.plan(true)).toBeNull();
  });
});
