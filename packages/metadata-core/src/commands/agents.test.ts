import { describe, expect, it } from 'vitest';
import { meterOf } from '../codec/entry-meter.ts';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import type { RegisterAgent } from '../model/agents.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { clusterTotals, registeredAgents, settings } from '../queries/cluster.ts';
import { TestCluster } from '../testing/cluster.ts';

function agent(agentId: string, change: Partial<RegisterAgent> = {}): RegisterAgent {
  return {
    kind: 'register-agent',
    agentId,
    zone: 'a',
    version: '0.1.0',
    advertisedHost: 'localhost',
    advertisedPort: 9092,
    bucket: 's3://one',
    keyId: 'key',
    ...change,
  };
}

describe('RegisterAgent', () => {
  it('numbers agents from 1 and keeps a returning agent’s number', () => {
    const cluster = new TestCluster();
    const nodeIds = ['x', 'y', 'x'].map((name) => cluster.do(agent(name)));
    expect(nodeIds).toMatchObject([{ nodeId: 1 }, { nodeId: 2 }, { nodeId: 1 }]);
    expect(cluster.outcome(agent('x')).changed).toBe(false);
    expect(cluster.outcome(agent('x', { zone: 'b' }))).toMatchObject({
      changed: true,
      effects: { catalogue: { agentsChanged: true } },
    });
  });

  it('keeps a departed agent for an hour; never reuses its number', () => {
    const cluster = new TestCluster();
    cluster.do(agent('x'));
    expect(cluster.outcome({ kind: 'agent-left', agentId: 'x' })).toMatchObject({
      changed: true,
      answer: { left: true },
    });
    expect(cluster.outcome({ kind: 'agent-left', agentId: 'x' }).changed).toBe(false);
    cluster.nowMs += 3_599_999;
    expect(cluster.do(agent('x'))).toMatchObject({ nodeId: 1 });
    cluster.do({ kind: 'agent-left', agentId: 'x' });
    cluster.nowMs += 3_600_000;
    cluster.do({ kind: 'expire-retention' });
    expect(registeredAgents(cluster.state)).toEqual([]);
    expect(cluster.do(agent('x'))).toMatchObject({ nodeId: 2 });
  });

  it('binds an agent to its key until an hour after it leaves', () => {
    const cluster = new TestCluster();
    expect(cluster.do(agent('x', { keyId: 'first' }))).toMatchObject({ refused: null });
    const restored = new TestCluster();
    restored.state = decodeSnapshot(encodeSnapshot(cluster.state));
    for (const one of [cluster, restored]) {
      expect(one.do(agent('x', { keyId: 'second' }))).toMatchObject({ refused: 'other-key' });
      one.do({ kind: 'agent-left', agentId: 'x' });
      expect(one.do(agent('x', { keyId: 'second' }))).toMatchObject({ refused: 'other-key' });
      expect(one.do(agent('x', { keyId: 'first' }))).toMatchObject({ refused: null, nodeId: 1 });
    }
  });

  it('hides the cluster’s bucket from an agent with another one', () => {
    const cluster = new TestCluster();
    cluster.do(agent('x', { bucket: 's3://the-customers-bucket/prefix' }));
    const answer = cluster.do(agent('y', { bucket: 's3://two' }));
    expect(answer).toMatchObject({ refused: 'bucket-mismatch', message: expect.stringContaining('s3://two') });
    expect(JSON.stringify(answer)).not.toContain('the-customers-bucket');
  });

  it.each<[string, Partial<RegisterAgent>, string]>([
    ['an empty id', { agentId: '' }, 'invalid-agent'],
    ['a field that is too long', { zone: 'z'.repeat(1_025) }, 'invalid-agent'],
    ['a port that is none', { advertisedPort: 65_536 }, 'invalid-agent'],
    ['another bucket than the agents that are there', { bucket: 's3://two' }, 'bucket-mismatch'],
  ])('refuses %s', (_why, change, refused) => {
    const cluster = new TestCluster();
    cluster.do(agent('x'));
    const outcome = cluster.outcome(agent('y', change));
    expect(outcome).toMatchObject({ changed: false, answer: { refused } });
  });

  it('fixes the bucket with the first file', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    cluster.do(agent('x'));
    cluster.do({ kind: 'agent-left', agentId: 'x' });
    expect(cluster.do(agent('y', { bucket: 's3://two' }))).toMatchObject({ refused: null });
    cluster.commit([{ batches: [{ records: 1 }] }]);
    cluster.do({ kind: 'agent-left', agentId: 'y' });
    expect(cluster.do(agent('x'))).toMatchObject({ refused: 'bucket-mismatch' });
  });

  it('limits the number of agents', () => {
    const cluster = new TestCluster();
    for (let number = 0; number < 1_000; number += 1) {
      cluster.do(agent(`agent-${number}`));
    }
    expect(cluster.do(agent('one-more'))).toMatchObject({ refused: 'too-many-agents' });
  });
});

describe('MinuteMark', () => {
  it('counts each minute once, in order, if an agent is live', () => {
    const cluster = new TestCluster();
    const mark = (minute: number, ...aliveAgentIds: string[]) =>
      cluster.do({ kind: 'minute-mark', minute, aliveAgentIds }).counted;
    expect([mark(5, 'x'), mark(5, 'x'), mark(4, 'x'), mark(6), mark(7, 'x', 'y')]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(clusterTotals(cluster.state).clusterMinutes).toBe(2);
  });

  it('is metered in the mode of the cluster at the time', () => {
    const cluster = new TestCluster();
    const mark = (minute: number) => cluster.outcome({ kind: 'minute-mark', minute, aliveAgentIds: ['x'] }).effects;
    const effects = [mark(1)];
    for (const [minute, mode] of [
      [2, 'dev'],
      [3, 'low-latency'],
      [4, 'low-latency'],
    ] as const) {
      cluster.do({ kind: 'update-settings', settings: { mode } });
      effects.push(mark(minute));
    }
    // Already marked: not accepted, not metered.
    effects.push(mark(4));
    expect(meterOf(effects)).toMatchObject({ clusterMinutes: 4, devMinutes: 1, lowLatencyMinutes: 2 });
  });
});

describe('UpdateSettings', () => {
  it('changes the given settings and keeps the rest', () => {
    const cluster = new TestCluster();
    const outcome = cluster.outcome({
      kind: 'update-settings',
      settings: { writesRefused: true, writesRefusedReason: 'cap' },
    });
    expect(outcome).toMatchObject({ changed: true, effects: { settingsChanged: true } });
    expect(settings(cluster.state)).toEqual({
      autoCreateTopics: true,
      defaultPartitions: 1,
      writesRefused: true,
      writesRefusedReason: 'cap',
      mode: 'standard',
      offsetsRetentionMinutes: 10_080,
      clientMetrics: new Map(),
      maxUncompressedBatchBytes: 1024 ** 3,
    });
    expect(cluster.outcome({ kind: 'update-settings', settings: { writesRefused: true } }).changed).toBe(false);
  });

  it('refuses a default of no partitions and an overlong reason', () => {
    const cluster = new TestCluster();
    expect(cluster.do({ kind: 'update-settings', settings: { defaultPartitions: 0 } }).errorCode).toBe(37);
    expect(
      cluster.do({ kind: 'update-settings', settings: { writesRefusedReason: 'x'.repeat(1_001) } }).errorCode,
    ).toBe(42);
    expect(settings(cluster.state).defaultPartitions).toBe(1);
  });
});

describe('SetMaxUncompressedBatchBytes', () => {
  const set = (cluster: TestCluster, bytes: number) =>
    cluster.do({ kind: 'set-max-uncompressed-batch-bytes', bytes }).errorCode;

  it('takes what the topic config takes', () => {
    const cluster = new TestCluster();
    expect([1_023, 1_073_741_825, -1, 2_000.5].map((bytes) => set(cluster, bytes))).toEqual(
      Array(4).fill(ErrorCode.INVALID_CONFIG),
    );
    expect(settings(cluster.state).maxUncompressedBatchBytes).toBe(1024 ** 3);
    expect([1_024, 1_073_741_824].map((bytes) => set(cluster, bytes))).toEqual([ErrorCode.NONE, ErrorCode.NONE]);
  });
});
