import { describe, expect, it } from 'vitest';
import { MAX_EXPIRED_RUNS, PRODUCER_EXPIRATION_MS } from '../model/limits.ts';
import { expiryDue } from '../queries/expiry-due.ts';
import { partitionBounds } from '../queries/locate.ts';
import { id, TestCluster } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { accountsFromScratch, accountsOf } from '../testing/memory-from-scratch.ts';

function clusterOf(partitions: number): TestCluster {
  const cluster = new TestCluster();
  cluster.topic(1, partitions, 'orders', { 'retention.ms': '1000' });
  return cluster;
}

function due(cluster: TestCluster, perStep = 100): [topic: number, partitions: number[]][][] {
  return [...expiryDue(cluster.state, () => cluster.nowMs, perStep)].map((topics) =>
    topics.map(({ topicId, partitions }) => [topicId[15] ?? 0, partitions]),
  );
}

const run = (partition: number) => ({ partition, batches: [{ records: 1 }] });

describe('the search', () => {
  it('finds only partitions with expired runs or idle producers', () => {
    const cluster = clusterOf(4);
    const kept = cluster.topic(2, 2, 'kept', { 'retention.ms': '-1' });
    cluster.commit([run(1), { topic: kept, partition: 1, batches: [{ records: 1, producer: [7, 0, 0] }] }]);
    expect(due(cluster)).toEqual([]);
    cluster.nowMs += 1_001;
    cluster.commit([{ batches: [{ records: 1, timestampMs: cluster.nowMs }] }]);
    expect(due(cluster)).toEqual([[[1, [1]]]]);
    cluster.nowMs += PRODUCER_EXPIRATION_MS;
    expect(due(cluster)).toEqual([
      [
        [1, [0, 1]],
        [2, [1]],
      ],
    ]);
  });

  it('proceeds in steps within a topic, some of them empty', () => {
    const cluster = clusterOf(5);
    cluster.commit([run(0), run(1), run(4)]);
    cluster.nowMs += 1_001;
    expect(due(cluster, 2)).toEqual([[[1, [0, 1]]], [], [[1, [4]]]]);
  });

  it('continues when its topic is deleted between two steps', () => {
    const cluster = clusterOf(3);
    const other = cluster.topic(2, 1, 'other', { 'retention.ms': '1000' });
    cluster.commit([run(0), run(1), { topic: other, batches: [{ records: 1 }] }]);
    cluster.nowMs += 1_001;
    const steps = expiryDue(cluster.state, () => cluster.nowMs, 1);
    expect(steps.next().value).toEqual([{ topicId: id(1), partitions: [0] }]);
    cluster.do({ kind: 'delete-topics', topicIds: [id(1)], names: [] });
    expect([...steps]).toEqual([[{ topicId: other, partitions: [0] }]]);
  });
});

describe('ExpireRuns', () => {
  it('skips topics and partitions that do not exist', () => {
    const cluster = clusterOf(1);
    cluster.commit([run(0)]);
    cluster.nowMs += 1_001;
    const topics = [
      { topicId: id(9), partitions: [0] },
      { topicId: id(1), partitions: [7, 0] },
    ];
    const { answer, effects } = cluster.outcome({ kind: 'expire-runs', topics });
    expect(answer).toEqual({ droppedRuns: 1, isComplete: true });
    expect(effects.truncated).toEqual([
      { topicId: id(1), partition: 0, logStartOffset: 1, highWatermark: 1, lastStableOffset: 1 },
    ]);
    expect(cluster.outcome({ kind: 'expire-runs', topics }).changed).toBe(false);
  });

  it('keeps runs that have not expired', () => {
    const cluster = clusterOf(1);
    cluster.commit([run(0)]);
    const topics = [{ topicId: id(1), partitions: [0] }];
    expect(cluster.outcome({ kind: 'expire-runs', topics }).changed).toBe(false);
  });

  it('removes a bounded number of runs and reports a remainder', () => {
    const cluster = clusterOf(2);
    for (let file = 0; file < MAX_EXPIRED_RUNS; file += 1) {
      cluster.commit([run(0)]);
    }
    cluster.commit([run(0), run(1)]);
    cluster.nowMs += 1_001;
    const command = { kind: 'expire-runs' as const, topics: [{ topicId: id(1), partitions: [0, 1] }] };
    expect(cluster.do(command)).toEqual({ droppedRuns: MAX_EXPIRED_RUNS, isComplete: false });
    expect(partitionBounds(cluster.state, id(1), 0).logStartOffset).toBe(MAX_EXPIRED_RUNS);
    expect(cluster.do(command)).toEqual({ droppedRuns: 2, isComplete: true });
    expect(partitionBounds(cluster.state, id(1), 1).logStartOffset).toBe(1);
    expect(brokenInvariants(cluster.state)).toEqual([]);
    expect(accountsOf(cluster.state)).toEqual(accountsFromScratch(cluster.state));
  });
});

describe('ExpireRetention', () => {
  it('leaves runs and producers to ExpireRuns', () => {
    const cluster = clusterOf(1);
    cluster.commit([run(0)]);
    cluster.nowMs += 1_001;
    expect(cluster.do({ kind: 'expire-retention' })).toEqual({});
    expect(cluster.expire()).toEqual({ changed: true, droppedRuns: 1 });
  });
});
