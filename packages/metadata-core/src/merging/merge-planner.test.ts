import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { type Id, idKey } from '../model/ids.ts';
import { commitOf, TestCluster, type TestRun } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { type MergeJob, replacementOf } from './job-builder.ts';
import { MergePlanner } from './merge-planner.ts';
import { MERGE_POLICY, type MergePolicy } from './policy.ts';

/** A cluster that passes its commits to a planner and completes its jobs. */
class MergingCluster extends TestCluster {
  planner: MergePlanner;
  readonly policy: MergePolicy;
  writtenBytes = 0;

  constructor(policy: Partial<MergePolicy> = {}) {
    super();
    this.nowMs = Math.ceil(this.nowMs / HOUR_MS) * HOUR_MS;
    this.policy = { ...MERGE_POLICY, ...policy };
    this.planner = new MergePlanner(this.state, this.nowMs, this.policy);
  }

  /** A file in landing buckets. */
  land(runs: readonly TestRun[]): Id {
    return this.write(runs, this.newLandedFileId());
  }

  write(runs: readonly TestRun[], file = this.newFileId()): Id {
    const batches = runs.flatMap((run) => run.batches);
    const outcome = this.outcome(commitOf(file, runs));
    this.planner.observe(outcome.effects);
    this.writtenBytes += batches.reduce((sum, { bytes = 100 }) => sum + bytes, 0);
    return file;
  }

  plan(canReadLanded?: boolean): MergeJob | null {
    for (;;) {
      const { job, isUnfinished } = this.planner.plan(this.nowMs, false, canReadLanded);
      if (!isUnfinished) {
        return job;
      }
    }
  }

  /** Completes a job as an agent does, and swaps the file in. */
  finish(job: MergeJob): void {
    const { answer, effects } = this.outcome(replacementOf(job, this.newFileId(), job.bytes + 100));
    expect(answer).toEqual({ outcome: 'applied', reason: '' });
    this.planner.observe(effects);
    this.planner.complete(job);
    this.writtenBytes += job.bytes;
  }

  /** Completes every job that is due. Returns the levels of the jobs. */
  work(): number[] {
    const levels: number[] = [];
    for (let job = this.plan(); job !== null; job = this.plan()) {
      this.finish(job);
      levels.push(job.level);
    }
    return levels;
  }

  /** Removes dead files, as agents delete them. */
  collect(): void {
    const { fileIds } = this.do({ kind: 'take-deletions', maxFiles: 100_000 });
    this.do({ kind: 'confirm-deletions', fileIds });
  }

  get runCount(): number {
    return this.runLevels().length;
  }

  /** The level of each run's file. */
  runLevels(): number[] {
    const levels: number[] = [];
    for (const topic of this.state.topics.values()) {
      for (const { runs } of topic.partitions) {
        for (let row = 0; row < (runs?.length ?? 0); row += 1) {
          levels.push(this.state.files.level(runs?.file(row) ?? -1));
        }
      }
    }
    return levels;
  }
}

const run = (partition: number, bytes = 100, records = 1): TestRun => ({ partition, batches: [{ records, bytes }] });
const names = (ids: readonly Id[]): string[] => ids.map(idKey);

describe('level 1', () => {
  it('merges the oldest files once the first is a minute old', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 2);
    const files = [cluster.write([run(0), run(1)]), cluster.write([run(1)]), cluster.write([run(0)])];
    cluster.nowMs += MINUTE_MS - 1;
    expect(cluster.plan()).toBeNull();
    cluster.nowMs += 1;
    const job = cluster.plan();
    expect(job).toMatchObject({
      level: 1,
      sourceFileBytes: [200, 100, 100],
      targetPartition: [0, 1],
      targetBaseOffset: [0, 0],
      targetEndOffset: [2, 2],
      targetRuns: [2, 2],
      runPosition: [0, 0, 100, 0],
      bytes: 400,
    });
    expect(names(job?.sourceFileIds ?? []).sort()).toEqual(names(files).sort());
    // Files in an open job are in no other.
    expect(cluster.plan()).toBeNull();
  });

  it('merges one target file’s worth of bytes per job', () => {
    const cluster = new MergingCluster({ targetBytes: 1_000 });
    cluster.topic(1, 1);
    for (let file = 0; file < 25; file += 1) {
      cluster.write([run(0)]);
    }
    const jobs = [cluster.plan(), cluster.plan(), cluster.plan()];
    expect(jobs.map((job) => job?.bytes)).toEqual([1_000, 1_000, undefined]);
    for (const job of jobs) {
      if (job !== null) {
        cluster.finish(job);
      }
    }
    expect(cluster.runCount).toBe(2 + 5);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it.each([
    ['files', { maxSourceFiles: 4 }, [4, 4]],
    ['runs', { maxSourceRuns: 6 }, [3, 3, 3]],
  ])('limits the %s of a job', (_, policy, sources) => {
    const cluster = new MergingCluster(policy);
    cluster.topic(1, 2);
    for (let file = 0; file < 9; file += 1) {
      cluster.write([run(0), run(1)]);
    }
    expect(sources.map(() => cluster.plan()?.sourceFileIds.length)).toEqual(sources);
  });

  it('assembles a large job in steps while partitions change', () => {
    const cluster = new MergingCluster({ maxAssembledRuns: 2 });
    const topicId = cluster.topic(1, 3);
    cluster.nowMs += 1;
    const gone = cluster.topic(2, 1, 'gone');
    for (let file = 0; file < 3; file += 1) {
      cluster.write([run(0), run(1), run(2), { topic: gone, batches: [{ records: 1 }] }]);
    }
    cluster.nowMs += MINUTE_MS;
    const steps = [
      (): unknown => cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 2, beforeOffset: 1 }] }),
      (): unknown => cluster.do({ kind: 'delete-topics', names: [], topicIds: [gone] }),
      (): unknown => cluster.write([run(1)]),
    ];
    const plans = steps.map((step) => {
      const plan = cluster.planner.plan(cluster.nowMs);
      step();
      return plan;
    });
    expect(plans).toEqual(steps.map(() => ({ job: null, isUnfinished: true })));
    const job = cluster.plan();
    expect(job).toMatchObject({
      level: 1,
      targetPartition: [0, 1, 2],
      targetBaseOffset: [0, 0, 1],
      targetEndOffset: [3, 3, 3],
      targetRuns: [3, 3, 2],
    });
    if (job !== null) {
      cluster.finish(job);
    }
    expect(cluster.runCount).toBe(3 + 1);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('leaves a single file alone, and merges it with the next one', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    cluster.write([run(0)]);
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).toBeNull();
    cluster.write([run(0)]);
    expect(cluster.plan()?.sourceFileIds).toHaveLength(2);
  });

  it('leaves files alone that are as large as a merged one', () => {
    const cluster = new MergingCluster({ targetBytes: 1_000 });
    cluster.topic(1, 1);
    cluster.write([run(0, 600)]);
    cluster.write([run(0, 600)]);
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).toBeNull();
  });

  it('plans no runs that are truncated or deleted', () => {
    const cluster = new MergingCluster();
    const topic = cluster.topic(1, 1);
    const gone = cluster.topic(2, 1);
    for (let file = 0; file < 4; file += 1) {
      cluster.write([run(0), { topic: gone, batches: [{ records: 1 }] }]);
    }
    cluster.do({ kind: 'delete-topics', names: [], topicIds: [gone] });
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: topic, partition: 0, beforeOffset: 2 }] });
    cluster.nowMs += MINUTE_MS;
    expect(cluster.plan()).toMatchObject({ targetBaseOffset: [2], targetEndOffset: [4], targetRuns: [2] });
  });

  it('splits runs at the maximum length', () => {
    const cluster = new MergingCluster({ runBytes: 250 });
    cluster.topic(1, 1);
    for (let file = 0; file < 5; file += 1) {
      cluster.write([run(0)]);
    }
    cluster.nowMs += MINUTE_MS;
    expect(cluster.plan()?.targetRuns).toEqual([2, 2, 1]);
  });
});

describe('a backlog', () => {
  it('longer than the queue still merges, oldest files first', () => {
    const cluster = new MergingCluster({ maxQueuedRuns: 40, targetBytes: 1_000 });
    cluster.topic(1, 2);
    for (let file = 0; file < 200; file += 1) {
      cluster.write([run(0), run(1)]);
      cluster.nowMs += 100;
    }
    cluster.nowMs += MINUTE_MS;
    const bases: number[] = [];
    for (let job = cluster.plan(); job !== null; job = cluster.plan()) {
      bases.push(job.targetBaseOffset[0] ?? -1);
      cluster.finish(job);
    }
    expect(bases.slice(0, 5)).toEqual([0, 5, 10, 15, 20]);
    // A truncated survey knows only some partitions of a file; a job then has more files.
    expect(cluster.runCount).toBeLessThanOrEqual(2 * (200 / 5));
  });

  it('is found by a new owner, step by step', () => {
    const cluster = new MergingCluster({ maxQueuedRuns: 40, targetBytes: 1_000 });
    cluster.topic(1, 2);
    for (let file = 0; file < 100; file += 1) {
      cluster.write([run(0), run(1)]);
      cluster.nowMs += 100;
    }
    cluster.planner = new MergePlanner(cluster.state, cluster.nowMs, cluster.policy);
    cluster.nowMs += MINUTE_MS;
    cluster.work();
    expect(cluster.runCount).toBeLessThanOrEqual(2 * 30);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  // The survey then knows only some partitions of a file.
  it('merges completely although a survey was truncated', () => {
    const cluster = new MergingCluster({ maxQueuedRuns: 100, targetBytes: 1_000 });
    cluster.topic(1, 3);
    for (let file = 0; file < 60; file += 1) {
      cluster.write([run(0), run(1), run(2)]);
      cluster.nowMs += 100;
    }
    cluster.planner = new MergePlanner(cluster.state, cluster.nowMs, cluster.policy);
    cluster.nowMs += MINUTE_MS;
    // Several agents: the next survey starts while the jobs of the last one are open.
    const open: MergeJob[] = [];
    for (;;) {
      const job = cluster.plan();
      if (job !== null) {
        open.push(job);
        continue;
      }
      const [first] = open.splice(0, 1);
      if (first === undefined) {
        break;
      }
      cluster.finish(first);
    }
    expect(cluster.runLevels()).not.toContain(0);
  });
});

describe('a job that was given up', () => {
  // So that one bad file does not block the others.
  it('is planned again, then split in two if it fails again', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    const files = Array.from({ length: 8 }, () => cluster.write([run(0)]));
    const bad = idKey(files[5] ?? new Uint8Array(0));
    cluster.nowMs += MINUTE_MS;
    const merged: string[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      for (let job = cluster.plan(); job !== null; job = cluster.plan()) {
        if (names(job.sourceFileIds).includes(bad)) {
          cluster.planner.giveUp(job, cluster.nowMs);
        } else {
          merged.push(...names(job.sourceFileIds));
          cluster.finish(job);
        }
      }
      cluster.nowMs += MINUTE_MS;
    }
    expect(merged.length).toBeGreaterThanOrEqual(6);
    expect(cluster.runCount).toBeLessThanOrEqual(4);
  });
});

describe('files in landing buckets', () => {
  it('move within a minute, one by one if needed', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 2);
    const landed = cluster.land([run(0), run(1)]);
    cluster.nowMs += MINUTE_MS / 2 - 1;
    expect(cluster.plan()).toBeNull();
    cluster.nowMs += 1;
    const job = cluster.plan();
    expect(names(job?.sourceFileIds ?? [])).toEqual(names([landed]));
    if (job !== null) {
      cluster.finish(job);
    }
    expect(cluster.runLevels()).toEqual([1, 1]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('take earlier files along; lone standard files keep waiting', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    cluster.write([run(0)]);
    cluster.nowMs += 1_000;
    cluster.land([run(0)]);
    cluster.nowMs += MINUTE_MS / 2;
    expect(cluster.plan()?.targetRuns).toEqual([2]);
    cluster.write([run(0)]);
    cluster.nowMs += 2 * MINUTE_MS;
    expect(cluster.plan()).toBeNull();
  });

  it('are left to agents that can read them', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    const standard: Id[] = [];
    const landed: Id[] = [];
    for (let at = 0; at < 6; at += 1) {
      (at % 2 === 0 ? standard : landed).push(at % 2 === 0 ? cluster.write([run(0)]) : cluster.land([run(0)]));
      cluster.nowMs += 1_000;
    }
    cluster.nowMs += MINUTE_MS;
    const job = cluster.plan(false);
    expect(names(job?.sourceFileIds ?? [])).toEqual(names(standard));
    expect(cluster.plan(false)).toBeNull();
    const moved = cluster.plan(true);
    expect(names(moved?.sourceFileIds ?? [])).toEqual(names(landed));
    for (const each of [job, moved]) {
      if (each !== null) {
        cluster.finish(each);
      }
    }
    expect(new Set(cluster.runLevels())).toEqual(new Set([1]));
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('given up once still never go to agents that cannot read them', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    cluster.land([run(0)]);
    cluster.nowMs += MINUTE_MS;
    const job = cluster.plan(true);
    if (job !== null) {
      cluster.planner.giveUp(job, cluster.nowMs);
    }
    cluster.nowMs += 5 * MINUTE_MS;
    expect(cluster.plan(false)).toBeNull();
    expect(cluster.plan(true)).not.toBeNull();
  });

  it('are found by a new owner', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    cluster.land([run(0)]);
    cluster.nowMs += MINUTE_MS;
    cluster.planner = new MergePlanner(cluster.state, cluster.nowMs, cluster.policy);
    expect(cluster.work()).toEqual([1]);
  });

  it('are moved however large they are', () => {
    const cluster = new MergingCluster({ targetBytes: 100 });
    cluster.topic(1, 1);
    cluster.write([run(0, 1_000)]);
    cluster.land([run(0, 1_000)]);
    cluster.nowMs += MINUTE_MS;
    expect(cluster.plan()?.sourceFileIds).toHaveLength(1);
    cluster.planner = new MergePlanner(cluster.state, cluster.nowMs, cluster.policy);
    expect(cluster.work()).toEqual([1]);
    expect(cluster.runLevels()).toEqual([0, 1]);
  });

  it('are retried until they succeed, at least every five minutes', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 1);
    cluster.land([run(0)]);
    cluster.nowMs += MINUTE_MS;
    for (let failures = 0; failures < 20; failures += 1) {
      const job = cluster.plan();
      expect(job?.sourceFileIds).toHaveLength(1);
      if (job !== null) {
        cluster.planner.giveUp(job, cluster.nowMs);
      }
      cluster.nowMs += 5 * MINUTE_MS;
    }
    expect(cluster.work()).toEqual([1]);
  });
});

describe('level 2', () => {
  /** Commits one small file per second for an hour. */
  function writeHour(cluster: MergingCluster, partitions: number, from = 0): void {
    for (let second = 0; second < 3_600; second += 1) {
      cluster.write(Array.from({ length: partitions }, (_, partition) => run(from + partition)));
      cluster.nowMs += 1_000;
      cluster.work();
      if (second % 300 === 0) {
        cluster.collect();
      }
    }
  }

  // Each byte is written three times.
  it('leaves one file and one run per partition each hour', () => {
    const cluster = new MergingCluster();
    cluster.topic(1, 4);
    writeHour(cluster, 4);
    cluster.nowMs += 2 * MINUTE_MS;
    cluster.work();
    cluster.nowMs += 2 * MINUTE_MS;
    cluster.work();
    cluster.collect();
    cluster.nowMs += 2 * MINUTE_MS;
    cluster.collect();
    // The last minute of the hour may be in the next window.
    expect(cluster.state.files.size).toBeLessThanOrEqual(2);
    expect(cluster.runCount).toBeLessThanOrEqual(8);
    const storedBytes = 3_600 * 400;
    expect(cluster.writtenBytes / storedBytes).toBeLessThanOrEqual(3);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('splits a window into ranges of whole partitions', () => {
    const cluster = new MergingCluster({ targetBytes: 1_000, windowMs: MINUTE_MS, freshMs: 1_000 });
    cluster.topic(1, 3);
    for (let second = 0; second < 4; second += 1) {
      cluster.write([run(0), run(1), run(2)]);
      cluster.nowMs += 500;
      cluster.write([run(0), run(1), run(2)]);
      cluster.nowMs += 500;
      cluster.work();
    }
    cluster.nowMs += MINUTE_MS;
    const jobs: MergeJob[] = [];
    for (let job = cluster.plan(); job !== null; job = cluster.plan()) {
      jobs.push(job);
    }
    const long = jobs.filter(({ level }) => level === 2);
    // 800 bytes per partition.
    expect(long.map(({ targetPartition }) => targetPartition)).toEqual([[0], [1], [2]]);
    for (const job of jobs) {
      cluster.finish(job);
    }
    cluster.work();
    expect(cluster.runCount).toBe(3);
  });

  it('closes a window with many files before its hour is over', () => {
    const cluster = new MergingCluster({ freshMs: 1_000, maxWindowFiles: 10 });
    cluster.topic(1, 1);
    const levels: number[] = [];
    for (let file = 0; file < 60; file += 1) {
      cluster.write([run(0)]);
      cluster.nowMs += 500;
      levels.push(...cluster.work());
    }
    expect(levels.filter((level) => level === 2).length).toBeGreaterThanOrEqual(1);
  });

  it('skips runs that are long enough or share one file', () => {
    const cluster = new MergingCluster({ runBytes: 400, windowMs: MINUTE_MS, freshMs: 1_000 });
    cluster.topic(1, 1);
    for (let file = 0; file < 8; file += 1) {
      cluster.write([run(0)]);
      cluster.nowMs += 300;
    }
    cluster.nowMs += 1_000;
    expect(cluster.work()).toEqual([1]);
    cluster.nowMs += 10 * MINUTE_MS;
    expect(cluster.work()).toEqual([]);
  });
});

describe('any history', () => {
  const policy = {
    targetBytes: 2_000,
    runBytes: 700,
    freshMs: 1_000,
    windowMs: 20_000,
    maxWindowFiles: 5,
    maxAssembledRuns: 4,
  };

  it('keeps every record through failures and new owners', () => {
    const aStep = fc.oneof(
      { arbitrary: fc.record({ write: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }) }), weight: 8 },
      { arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 30_000 }) }), weight: 4 },
      { arbitrary: fc.record({ plan: fc.constant(true) }), weight: 9 },
      { arbitrary: fc.record({ end: fc.nat(5), isDone: fc.boolean() }), weight: 5 },
      { arbitrary: fc.record({ truncate: fc.nat(4), share: fc.nat(3) }), weight: 1 },
      { arbitrary: fc.record({ takeOver: fc.constant(true) }), weight: 1 },
    );
    fc.assert(
      fc.property(fc.array(aStep, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
        const cluster = new MergingCluster(policy);
        const topicId = cluster.topic(1, 5);
        let open: MergeJob[] = [];
        for (const step of steps) {
          if ('write' in step) {
            cluster.write(step.write.map((partition) => run(partition, 61 + partition, 1 + partition)));
          } else if ('passMs' in step) {
            cluster.nowMs += step.passMs;
          } else if ('plan' in step) {
            const { job } = cluster.planner.plan(cluster.nowMs);
            open = job === null ? open : [...open, job];
          } else if ('end' in step) {
            const [job] = open.splice(step.end % Math.max(1, open.length), 1);
            if (job !== undefined) {
              const { answer, effects } = step.isDone
                ? cluster.outcome(replacementOf(job, cluster.newFileId(), job.bytes + 1))
                : { answer: { outcome: 'stale' }, effects: {} };
              cluster.planner.observe(effects);
              if (answer.outcome === 'applied') {
                cluster.planner.complete(job);
              } else {
                cluster.planner.giveUp(job, cluster.nowMs);
              }
            }
          } else if ('truncate' in step) {
            const partition = cluster.state.topics.get(idKey(topicId))?.partitions[step.truncate];
            const beforeOffset = Math.floor(((partition?.highWatermark ?? 0) * step.share) / 3);
            cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: step.truncate, beforeOffset }] });
          } else {
            cluster.state = decodeSnapshot(encodeSnapshot(cluster.state));
            cluster.planner = new MergePlanner(cluster.state, cluster.nowMs, cluster.policy);
            open = [];
          }
          expect(brokenInvariants(cluster.state)).toEqual([]);
        }
        // In the end everything but the newest is merged.
        for (const job of open) {
          cluster.planner.giveUp(job, cluster.nowMs);
        }
        for (let round = 0; round < 8; round += 1) {
          cluster.nowMs += HOUR_MS;
          for (let job = cluster.plan(); job !== null; job = cluster.plan()) {
            cluster.finish(job);
          }
        }
        expect(brokenInvariants(cluster.state)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
