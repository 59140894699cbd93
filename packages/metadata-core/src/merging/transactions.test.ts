import { describe, expect, it } from 'vitest';
import type { ReplaceRuns } from '../commands/data.types.ts';
import { id } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { TransactionalCluster } from '../testing/transactions.ts';
import { type MergeJob, replacementOf } from './job-builder.ts';
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
  it('makes runs between markers, which keep their places', () => {
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
    expect(cluster.log()).toBe('0+1 1+2 3C 4+1 5+2 7A 8+1 9+1');
    cluster.nowMs += 2 * MINUTE_MS;
    // A new owner, which finds what is to be merged by a survey.
    const later = new MergePlanner(cluster.state, cluster.nowMs);
    const { job } = later.plan(cluster.nowMs);
    const found = job ?? later.plan(cluster.nowMs).job;
    expect(found).not.toBeNull();
    if (found !== null) {
      expect(found.targetBaseOffset.map((base, at) => [base, found.targetEndOffset[at]])).toEqual([
        [0, 3],
        [4, 7],
        [8, 10],
      ]);
      expect(cluster.do(merging.swapOf(found)).outcome).toBe('applied');
    }
    expect(cluster.log()).toBe('0+3 3C 4+3 7A 8+2');
    expect(cluster.aborted()).toEqual(before);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('refuses a run that would swallow a marker', () => {
    const merging = new Merging();
    const { cluster } = merging;
    const producer = cluster.producer('t');
    const files = [cluster.newFileId(), cluster.newFileId()];
    cluster.commit([{ batches: [{ records: 1 }] }], files[0]);
    producer.write(0);
    producer.end(false);
    cluster.commit([{ batches: [{ records: 1 }] }], files[1]);
    const swallowing: ReplaceRuns = {
      kind: 'replace-runs',
      fileId: cluster.newFileId(),
      fileBytes: 378,
      level: 1,
      sourceFileIds: [...cluster.state.files.files()].map(([, file]) => file.id),
      topicIds: [id(1)],
      targetTopic: Uint32Array.of(0),
      targetPartition: Uint32Array.of(0),
      targetBaseOffset: Float64Array.of(0),
      targetEndOffset: Float64Array.of(4),
      targetPosition: Float64Array.of(0),
      targetBytes: Float64Array.of(378),
      compaction: null,
    };
    expect(cluster.do(swallowing)).toMatchObject({ outcome: 'stale' });
  });
});

describe('compaction', () => {
  const configs = { 'cleanup.policy': 'compact', 'min.cleanable.dirty.ratio': '0' };

  it('stops before the first record of an open transaction, and goes on after its end', () => {
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
    expect(merging.work(true)).toEqual(['0-4', '5-6']);
    expect(cluster.aborted()).toEqual([`${producer.producerId}:2-4`]);
    expect(merging.plan(true)).toBeNull();
  });

  it('refuses a result that reaches into an open transaction', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const producer = cluster.producer('t');
    cluster.plain();
    producer.write(0);
    producer.end(true);
    cluster.nowMs += 10 * MINUTE_MS;
    const job = merging.plan(true);
    expect(job).not.toBeNull();
    if (job !== null) {
      const swap = merging.swapOf(job);
      const beyond = new TransactionalCluster(configs);
      beyond.nowMs = cluster.nowMs;
      beyond.plain();
      beyond.producer('t').write(0);
      const sourceFileIds = [...beyond.state.files.files()].map(([, file]) => file.id);
      expect(beyond.do({ ...swap, sourceFileIds })).toMatchObject({
        outcome: 'stale',
        reason: expect.stringContaining('a transaction is still open'),
      });
    }
  });

  it('does not clean a partition again and again because a marker is its last offset', () => {
    const merging = new Merging(configs);
    const { cluster } = merging;
    const producer = cluster.producer('t');
    producer.write(0);
    producer.write(0);
    producer.end(true);
    producer.write(0);
    producer.end(false);
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-2', '3-4']);
    expect(merging.plan(true)).toBeNull();
    cluster.plain();
    cluster.nowMs += 10 * MINUTE_MS;
    expect(merging.work(true)).toEqual(['0-2', '3-4', '5-6']);
  });
});
