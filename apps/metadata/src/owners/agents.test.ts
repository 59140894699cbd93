import { create } from '@bufbuild/protobuf';
import { AgentStatsSchema } from '@penstock/metadata-protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import type { Owner } from './owner.ts';

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

async function register(agentId: string, keyId = 'its key'): Promise<number> {
  const answer = await owner.agents.register({
    kind: 'register-agent',
    agentId,
    zone: 'a',
    version: '0.1.0',
    advertisedHost: 'host',
    advertisedPort: 9092,
    bucket: 'mem://bucket',
    keyId,
  });
  if (answer.refused !== null) {
    throw new Error(answer.message);
  }
  return answer.nodeId;
}

/** Agents are checked several times while the journal takes the registration. */
async function registerSlowly(agentId: string): Promise<void> {
  fixture.journal.hold();
  const registration = register(agentId);
  await fixture.clock.advance(5_000);
  fixture.journal.release();
  await registration;
}

function aliveAgents(): Promise<string[]> {
  return owner.read((state) =>
    [...state.agents.values()].filter((agent) => agent.leftAtMs === null).map((agent) => agent.agentId),
  );
}

function stats(fetchedBytes: bigint) {
  return create(AgentStatsSchema, { fetchedBytes });
}

describe('presences', () => {
  test('carry the keys of known agents over to a new owner', async () => {
    owner = await fixture.open();
    await register('agent', 'its key');
    const next = await fixture.open();
    expect(next.agents.presences.isOf('agent', 'another key of the cluster')).toBe(false);
    expect(next.agents.presences.isOf('agent', 'its key')).toBe(true);
  });

  // Even if agents are checked at that moment.
  test('begin with a grace period when agents register', async () => {
    await registerSlowly('registering');
    expect(await aliveAgents()).toEqual(['registering']);
    await fixture.clock.advance(10_000);
    expect(await aliveAgents()).toEqual([]);
  });

  test('restart for an agent that returns during a check', async () => {
    await register('returning');
    await fixture.clock.advance(60_000);
    expect(await aliveAgents()).toEqual([]);
    await registerSlowly('returning');
    expect(await aliveAgents()).toEqual(['returning']);
  });

  test('expire an hour after an agent was removed', async () => {
    await register('silent');
    await fixture.clock.advance(60_000);
    expect(owner.agents.presences.get('silent')).toBeDefined();
    await fixture.clock.advance(3_600_000);
    expect(owner.agents.presences.get('silent')).toBeUndefined();
  });
});

describe('a throttle because of the mode', () => {
  const throttled = (ms: bigint) => create(AgentStatsSchema, { throttledWritesMs: ms });

  test('comes from this owner’s heartbeats, not older counters', async () => {
    await register('agent');
    owner.agents.heartbeat('agent', throttled(500n));
    expect(owner.agents.presences.writesThrottledAtMs).toBeUndefined();
    await fixture.clock.advance(3_000);
    owner.agents.heartbeat('agent', throttled(700n));
    const atMs = owner.agents.presences.writesThrottledAtMs;
    expect(atMs).toBe(owner.agents.presences.get('agent')?.lastSeenMs);
    await fixture.clock.advance(3_000);
    owner.agents.heartbeat('agent', throttled(700n));
    expect(owner.agents.presences.writesThrottledAtMs).toBe(atMs);
  });
});

describe('liveness', () => {
  test('an agent is removed after ten seconds of silence', async () => {
    await register('steady');
    await register('silent');
    for (let second = 0; second < 12; second += 3) {
      await fixture.clock.advance(3_000);
      owner.agents.heartbeat('steady', stats(0n));
    }
    expect(await aliveAgents()).toEqual(['steady']);
  });

  // Although it sent a heartbeat just before.
  test('an agent is removed 3 seconds after its watch stream broke', async () => {
    await register('agent');
    const { stream } = owner.watches.open('agent');
    owner.agents.heartbeat('agent', stats(0n));
    owner.watches.close(stream, 'closed');
    await fixture.clock.advance(2_500);
    expect(await aliveAgents()).toEqual(['agent']);
    await fixture.clock.advance(1_500);
    expect(await aliveAgents()).toEqual([]);
  });

  test('an agent that reconnects its stream in time stays', async () => {
    await register('agent');
    owner.watches.close(owner.watches.open('agent').stream, 'closed');
    await fixture.clock.advance(2_000);
    owner.watches.open('agent');
    await fixture.clock.advance(5_000);
    expect(await aliveAgents()).toEqual(['agent']);
  });

  test('a removed agent keeps its node id when it registers again', async () => {
    const nodeId = await register('agent');
    await fixture.clock.advance(15_000);
    expect(await aliveAgents()).toEqual([]);
    expect(await register('agent')).toBe(nodeId);
    expect(await aliveAgents()).toEqual(['agent']);
  });

  test('registered agents get ten seconds after a failover', async () => {
    await register('agent');
    owner.leaseLost();
    owner = await fixture.open();
    await fixture.clock.advance(9_000);
    expect(await aliveAgents()).toEqual(['agent']);
    await fixture.clock.advance(2_000);
    expect(await aliveAgents()).toEqual([]);
  });
});

describe('measurements of the owner', () => {
  test('each minute with a live agent is marked once', async () => {
    await register('agent');
    for (let n = 0; n < 60; n += 1) {
      await fixture.clock.advance(3_000);
      owner.agents.heartbeat('agent', stats(0n));
    }
    const marked = await owner.read((state) => state.clusterMinutes);
    expect(marked).toBeGreaterThanOrEqual(3);
    expect(marked).toBeLessThanOrEqual(4);
    await fixture.clock.advance(600_000);
    expect(await owner.read((state) => state.clusterMinutes)).toBeLessThanOrEqual(marked + 1);
  });

  // Commits when acknowledged, reads when agents report them.
  test('counts traffic in points of ten seconds', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    await register('agent');
    owner.agents.heartbeat('agent', stats(1_000n));
    await owner.submit(fixture.commit(topicId, [0], 10));
    owner.agents.heartbeat('agent', stats(1_500n));
    const newest = owner.agents.throughput.points(fixture.clock.nowMs()).at(-1);
    expect(newest).toMatchObject({ inRecords: 10, inBytes: 1_061, inUncompressedBytes: 2_122, outBytes: 500 });
    await fixture.clock.advance(30_000);
    const points = owner.agents.throughput.points(fixture.clock.nowMs());
    expect(points.slice(-3).map((point) => point.inBytes)).toEqual([0, 0, 0]);
  });

  test('a restarted counter adds no negative traffic', async () => {
    await register('agent');
    owner.agents.heartbeat('agent', stats(5_000n));
    owner.agents.heartbeat('agent', stats(10n));
    expect(owner.agents.throughput.points(fixture.clock.nowMs()).at(-1)?.outBytes).toBe(0);
  });
});
