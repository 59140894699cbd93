import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { idKey } from '../model/ids.ts';
import type { Partition } from '../state/partition.types.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { KeyedCluster } from '../testing/keyed-cluster.ts';

const COMPACT = { 'cleanup.policy': 'compact' };

/** One topic whose records have been merged at level 1: each partition has one file per list of keys. */
function clusterOf(configs: Record<string, string>, batches: readonly string[][], partitions = 1): KeyedCluster {
  const cluster = new KeyedCluster();
  cluster.topic(1, partitions, 'topic-1', configs);
  for (const keys of batches) {
    for (let partition = 0; partition < partitions; partition += 1) {
      cluster.write(partition, keys);
    }
  }
  cluster.nowMs += MINUTE_MS;
  cluster.mergeFresh();
  return cluster;
}

describe('a partition of a compacted topic', () => {
  it('is cleaned from its first record to the end of level 1', () => {
    const cluster = clusterOf(COMPACT, [['a', 'b'], ['a']]);
    cluster.write(0, ['a']);
    cluster.nowMs += 9 * MINUTE_MS;
    expect(cluster.plan()).toMatchObject({
      level: 2,
      targetBaseOffset: [0],
      targetEndOffset: [3],
      compaction: { targetFirstDirtyOffset: [0], nowMs: cluster.nowMs },
    });
  });

  it('keeps the latest record of each key, at its offset', () => {
    const cluster = clusterOf(COMPACT, [
      ['a', 'b', 'a'],
      ['c', 'b'],
    ]);
    cluster.nowMs += 10 * MINUTE_MS;
    cluster.work();
    expect(cluster.read(0)).toEqual(['2:a', '3:c', '4:b']);
    expect(cluster.partition(0).cleanedOffset).toBe(5);
    expect(cluster.plan()).toBeNull();
  });

  it('reads only the keys of records since the last cleaning', () => {
    const cluster = clusterOf(COMPACT, [['a', 'b'], ['a']]);
    cluster.nowMs += 10 * MINUTE_MS;
    cluster.work();
    cluster.write(0, ['a', 'b', 'a']);
    cluster.write(0, ['b', 'c', 'a']);
    cluster.nowMs += MINUTE_MS;
    cluster.mergeFresh();
    cluster.nowMs += 10 * MINUTE_MS;
    expect(cluster.plan()).toMatchObject({
      targetBaseOffset: [0],
      targetEndOffset: [9],
      compaction: { targetFirstDirtyOffset: [3] },
    });
  });

  it('is left alone by level 2 and by agents without support', () => {
    const cluster = clusterOf(COMPACT, [['a'], ['b']]);
    cluster.write(0, ['a']);
    cluster.write(0, ['a']);
    cluster.nowMs += MINUTE_MS;
    cluster.mergeFresh();
    cluster.nowMs += 2 * HOUR_MS;
    expect(cluster.plan(false)).toBeNull();
    expect(cluster.plan(true)?.compaction).not.toBeNull();
  });

  it('waits until its files have left the landing buckets', () => {
    const cluster = new KeyedCluster({ targetBytes: 100 });
    cluster.topic(1, 1, 'topic-1', COMPACT);
    cluster.land(0, ['a', 'b']);
    cluster.land(0, ['a', 'b']);
    cluster.nowMs += 10 * MINUTE_MS;
    expect(cluster.plan(true, false)).toBeNull();
    const merge = cluster.plan(true, true);
    expect(merge).toMatchObject({ level: 1, compaction: null });
    expect(cluster.plan(true, false)).toBeNull();
  });

  it('loses its tombstones even without further writes', () => {
    const cluster = clusterOf({ ...COMPACT, 'delete.retention.ms': '3600000' }, [
      ['a', 'b'],
      ['!a', 'c'],
    ]);
    cluster.nowMs += 10 * MINUTE_MS;
    cluster.work();
    expect(cluster.read(0)).toEqual(['1:b', '2:!a', '3:c']);
    cluster.nowMs += 2 * HOUR_MS - 1;
    expect(cluster.plan()).toBeNull();
    cluster.nowMs += MINUTE_MS;
    cluster.work();
    expect(cluster.read(0)).toEqual(['1:b', '3:c']);
    cluster.nowMs += 24 * HOUR_MS;
    expect(cluster.plan()).toBeNull();
  });

  it('is dropped from the queue once deleted or truncated', () => {
    const cluster = new KeyedCluster({ targetBytes: 200 });
    const topicId = cluster.topic(1, 3, 'topic-1', COMPACT);
    for (const partition of [0, 1, 2, 0, 1, 2]) {
      cluster.write(partition, ['a', 'b']);
    }
    cluster.nowMs += MINUTE_MS;
    cluster.mergeFresh();
    cluster.nowMs += HOUR_MS;
    const [first = -1] = cluster.plan()?.targetPartition ?? [];
    const second = (first + 1) % 3;
    cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: second, beforeOffset: -1 }] });
    expect(cluster.plan()?.targetPartition).toEqual([3 - first - second]);
    cluster.do({ kind: 'delete-topics', names: ['topic-1'], topicIds: [] });
    expect(cluster.plan()).toBeNull();
  });

  it('is in one job at a time', () => {
    const cluster = clusterOf(COMPACT, [['a'], ['b']]);
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).not.toBeNull();
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).toBeNull();
  });

  it('shares a job with other small ones in level 1’s order', () => {
    const cluster = clusterOf(COMPACT, [['a', 'b'], ['a']], 3);
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()?.targetPartition).toEqual([0, 1, 2]);
  });

  it('gets its own job after a failure and waits longer each time', () => {
    const cluster = clusterOf(COMPACT, [['a', 'b'], ['a']], 2);
    cluster.nowMs += HOUR_MS;
    cluster.giveUp(cluster.plan());
    expect(cluster.plan()).toBeNull();
    cluster.nowMs += 16_000;
    expect([cluster.plan()?.targetPartition, cluster.plan()?.targetPartition].flat().sort()).toEqual([0, 1]);
  });

  it('is cleaned to its end once a lone last file is old', () => {
    const cluster = clusterOf(COMPACT, [['a']]);
    cluster.nowMs += 9 * MINUTE_MS - 1;
    expect(cluster.plan()).toBeNull();
    cluster.nowMs += 16_000;
    expect(cluster.plan()).toMatchObject({ targetEndOffset: [1] });
  });

  it('is split into targets no longer than a run may be', () => {
    const cluster = new KeyedCluster({ runBytes: 250 });
    cluster.topic(1, 1, 'topic-1', COMPACT);
    for (let file = 0; file < 5; file += 1) {
      cluster.write(0, ['a', 'b']);
    }
    cluster.nowMs += MINUTE_MS;
    cluster.mergeFresh();
    cluster.nowMs += HOUR_MS;
    const job = cluster.plan();
    expect(job?.targetBaseOffset.length).toBeGreaterThan(1);
    expect(job?.compaction?.targetFirstDirtyOffset).toEqual(job?.targetBaseOffset.map(() => 0));
  });

  it('with too many bytes for one job is cleaned partway', () => {
    const cluster = new KeyedCluster({ compaction: { maxDirtyBytes: 300 } });
    cluster.topic(1, 1, 'topic-1', COMPACT);
    for (let round = 0; round < 4; round += 1) {
      cluster.write(0, ['a']);
      cluster.write(0, ['b']);
      cluster.nowMs += MINUTE_MS;
      cluster.mergeFresh();
    }
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()?.targetEndOffset.at(-1)).toBeLessThan(8);
    expect(cluster.plan()).toBeNull();
  });
});

describe('the cleaning of a partition', () => {
  /** Minutes after the first commit at which a partition of 2 clean and 4 dirty records is cleaned. Null: not within a day. */
  function dueAfterMinutes(configs: Record<string, string>): number | null {
    const cluster = clusterOf(COMPACT, [['a'], ['b']]);
    cluster.nowMs += 10 * MINUTE_MS + 16_000;
    cluster.work();
    const ops = Object.entries(configs).map(([name, value]) => ({ kind: 'set' as const, name, value }));
    cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
    const startMs = cluster.nowMs;
    cluster.write(0, ['c', 'd']);
    cluster.write(0, ['e', 'f']);
    for (let minute = 1; minute <= 1_440; minute += 1) {
      cluster.nowMs = startMs + minute * MINUTE_MS;
      cluster.mergeFresh();
      if (cluster.plan() !== null) {
        return minute;
      }
    }
    return null;
  }

  it.each<[string, Record<string, string>, number | null]>([
    ['the defaults', {}, 10],
    ['a ratio that is not reached', { 'min.cleanable.dirty.ratio': '0.9' }, null],
    ['a ratio of 0', { 'min.cleanable.dirty.ratio': '0' }, 10],
    ['short segments', { 'segment.ms': '120000' }, 2],
    ['a largest lag, whatever the ratio', { 'min.cleanable.dirty.ratio': '1', 'max.compaction.lag.ms': '1800000' }, 31],
    ['a least lag', { 'min.compaction.lag.ms': '3600000' }, 60],
  ])('with %s', (_, configs, minutes) => {
    expect(dueAfterMinutes(configs)).toBe(minutes);
  });

  it('starts with the partition that has the highest dirty ratio', () => {
    const cluster = new KeyedCluster({ targetBytes: 400 });
    const configs = { ...COMPACT, 'min.cleanable.dirty.ratio': '0' };
    cluster.topic(1, 2, 'topic-1', configs);
    const round = (keys: [string[], string[]]): void => {
      for (let copy = 0; copy < 2; copy += 1) {
        cluster.write(0, keys[0]);
        cluster.write(1, keys[1]);
      }
      cluster.nowMs += MINUTE_MS;
      cluster.mergeFresh();
      cluster.nowMs += 10 * MINUTE_MS;
    };
    round([['a'], ['a', 'b', 'c', 'd', 'e', 'f']]);
    cluster.work();
    round([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ]);
    expect(cluster.plan()?.targetPartition[0]).toBe(0);
  });
});

describe('a topic whose policy changes', () => {
  function setPolicy(cluster: TestCluster, value: string): void {
    const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value }];
    cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
  }

  it('is cleaned until then and again from there later', () => {
    const cluster = clusterOf({ 'cleanup.policy': 'delete', 'retention.ms': '-1' }, [['a', 'a'], ['b']]);
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).toBeNull();
    setPolicy(cluster, 'compact');
    cluster.nowMs += MINUTE_MS;
    cluster.work();
    expect(cluster.read(0)).toEqual(['1:a', '2:b']);
    setPolicy(cluster, 'delete');
    cluster.write(0, ['a', 'a', 'c']);
    cluster.write(0, ['c', 'c']);
    cluster.nowMs += HOUR_MS;
    cluster.mergeFresh();
    cluster.work();
    expect(cluster.read(0)).toHaveLength(7);
    setPolicy(cluster, 'compact,delete');
    cluster.nowMs += HOUR_MS;
    expect(cluster.plan()).toMatchObject({ compaction: { targetFirstDirtyOffset: expect.arrayContaining([3]) } });
  });
});

describe('any history', () => {
  const policy = {
    targetBytes: 1_500,
    runBytes: 400,
    freshMs: 1_000,
    windowMs: 20_000,
    maxWindowFiles: 5,
    compaction: { minDirtyBytes: 200, maxWaitMs: 5_000, maxDirtyBytes: 1_200, sweepMs: 500 },
  };
  const aKey = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '!a', '!b', '!c');
  const aPartition = fc.nat(2);

  // Whatever fails, arrives late or arrives in parts.
  it('leaves readers the latest value of each key', () => {
    const aStep = fc.oneof(
      {
        arbitrary: fc.record({ write: aPartition, keys: fc.array(aKey, { minLength: 1, maxLength: 6 }) }),
        weight: 8,
      },
      { arbitrary: fc.record({ passMs: fc.integer({ min: 1, max: 20_000 }) }), weight: 5 },
      { arbitrary: fc.record({ plan: fc.constant(true) }), weight: 6 },
      { arbitrary: fc.record({ complete: fc.nat(5), files: fc.integer({ min: 1, max: 3 }) }), weight: 6 },
      { arbitrary: fc.record({ giveUp: fc.nat(5) }), weight: 1 },
      { arbitrary: fc.record({ truncate: aPartition, share: fc.nat(3) }), weight: 1 },
      { arbitrary: fc.record({ policy: fc.constantFrom('compact', 'delete', 'compact,delete') }), weight: 1 },
      { arbitrary: fc.record({ takeOver: fc.constant(true) }), weight: 1 },
    );
    const configs = { ...COMPACT, 'retention.ms': '-1', 'delete.retention.ms': '10000' };
    fc.assert(
      fc.property(fc.array(aStep, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
        const cluster = new KeyedCluster(policy);
        const topicId = cluster.topic(1, 3, 'topic-1', configs);
        for (const step of steps) {
          if ('write' in step) {
            cluster.write(step.write, step.keys);
          } else if ('passMs' in step) {
            cluster.nowMs += step.passMs;
          } else if ('plan' in step) {
            cluster.start(cluster.plan());
          } else if ('complete' in step) {
            cluster.completeSome(step.complete, step.files);
          } else if ('giveUp' in step) {
            cluster.forget(step.giveUp);
          } else if ('truncate' in step) {
            const { highWatermark } = cluster.partition(step.truncate);
            const beforeOffset = Math.floor((highWatermark * step.share) / 3);
            cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: step.truncate, beforeOffset }] });
          } else if ('policy' in step) {
            const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value: step.policy }];
            cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
          } else {
            cluster.takeOver(decodeSnapshot(encodeSnapshot(cluster.state)));
          }
          expect(brokenInvariants(cluster.state)).toEqual([]);
          for (let partition = 0; partition < 3; partition += 1) {
            cluster.checkReaders(partition);
          }
        }
        // In the end every partition is clean.
        const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value: 'compact' }];
        cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
        cluster.takeOver(cluster.state);
        for (let round = 0; round < 40; round += 1) {
          cluster.nowMs += HOUR_MS;
          cluster.work();
        }
        for (const partition of cluster.state.topics.get(idKey(topicId))?.partitions ?? []) {
          expect(dirtyShare(partition)).toBeLessThanOrEqual(0.5);
        }
        for (let partition = 0; partition < 3; partition += 1) {
          cluster.checkReaders(partition);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function dirtyShare({ runs, cleanedOffset, storedBytes }: Partition): number {
  let dirtyBytes = 0;
  for (let row = 0; row < (runs?.length ?? 0); row += 1) {
    dirtyBytes += (runs?.baseOffset(row) ?? 0) >= cleanedOffset ? (runs?.bytes(row) ?? 0) : 0;
  }
  return storedBytes === 0 ? 0 : dirtyBytes / storedBytes;
}
