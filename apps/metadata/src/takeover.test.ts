// Two real processes on one real PostgreSQL: a cluster survives when its owner is killed, paused or asked to stop.
import { Code, ConnectError } from '@connectrpc/connect';
import type { Id } from '@penstock/metadata-core';
import { OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectAgent } from './testing/agent-client.ts';
import { CommittingAgents, OwnerFollower } from './testing/committing-agents.ts';
import { type ClusterWithKey, ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { ServiceProcess } from './testing/service-process.ts';

const LEASE_TTL_MS = 3_000;
/** Longer than a hand-over takes on any machine, so the test would notice a process that waited for the lease to expire. */
const LONG_LEASE_TTL_MS = 25_000;
const AGENTS = 8;
/** Timeout for tests that hang; with leases of seconds, some steps take many of them on a busy machine. */
const TIMEOUT_MS = 240_000;

let controlPlane: ControlPlaneFixture;
let cluster: ClusterWithKey;
let owner: ServiceProcess;
let other: ServiceProcess;
let follower: OwnerFollower;
let topicId: Id;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterAll(async () => {
  await controlPlane.drop();
});

/** Starts two processes; the first one owns a new cluster with one topic. */
async function startPair(leaseTtlMs = LEASE_TTL_MS): Promise<void> {
  cluster = await controlPlane.createCluster();
  const start = () => ServiceProcess.start(controlPlane.database.ownerUrl, leaseTtlMs);
  [owner, other] = await Promise.all([start(), start()]);
  follower = new OwnerFollower([owner.rpcUrl, other.rpcUrl], cluster);
  // The first request makes the first process the owner.
  const created = await follower.call((client) => client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] }));
  topicId = created.results[0]?.topicId ?? new Uint8Array();
}

afterEach(async () => {
  follower.close();
  await Promise.all([owner.end(), other.end()]);
});

/** Resolves when this many more commits have been acknowledged. */
async function acknowledgedMore(agents: CommittingAgents, count: number): Promise<void> {
  const goal = agents.count + count;
  await vi.waitFor(() => expect(agents.count).toBeGreaterThanOrEqual(goal), { timeout: TIMEOUT_MS, interval: 10 });
}

async function expectNothingLostOrDoubled(agents: CommittingAgents): Promise<void> {
  const { lost, highWatermark } = await agents.audit();
  expect(lost).toEqual([]);
  expect(new Set(agents.acknowledged.values()).size).toBe(agents.acknowledged.size);
  // Every commit was retried until it was acknowledged, so the partition holds exactly the acknowledged ones.
  expect(highWatermark).toBe(agents.acknowledged.size);
}

/** How a call to this particular process is refused. */
async function refusalOf(process: ServiceProcess): Promise<{ code: Code; ownerUrl: string | null }> {
  const connection = connectAgent(process.rpcUrl, cluster);
  try {
    await connection.client.describeCluster({}, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    const { code, metadata } = ConnectError.from(error);
    return { code, ownerUrl: metadata.get(OWNER_URL_HEADER) };
  } finally {
    connection.close();
  }
  throw new Error('the call was not refused');
}

test('a process that does not own the cluster names the owner', async () => {
  await startPair();
  expect(await refusalOf(other)).toEqual({ code: Code.Unavailable, ownerUrl: owner.rpcUrl });
});

test('a takeover after kill -9 loses and duplicates nothing', async () => {
  await startPair();
  const agents = new CommittingAgents(follower, topicId, AGENTS);
  await acknowledgedMore(agents, 100);
  owner.kill('SIGKILL');
  await acknowledgedMore(agents, 200);
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
});

// The cluster goes on elsewhere.
test('an owner that wakes from a pause answers nothing', async () => {
  await startPair();
  const agents = new CommittingAgents(follower, topicId, AGENTS);
  await acknowledgedMore(agents, 100);
  owner.kill('SIGSTOP');
  await acknowledgedMore(agents, 100);
  owner.kill('SIGCONT');
  expect(await refusalOf(owner)).toMatchObject({ code: Code.Unavailable });
  await acknowledgedMore(agents, 100);
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
  expect(await refusalOf(owner)).toEqual({ code: Code.Unavailable, ownerUrl: other.rpcUrl });
});

// Calls in progress are answered, and nobody waits for the lease.
test('an owner that is stopped hands over at once', async () => {
  await startPair(LONG_LEASE_TTL_MS);
  const agents = new CommittingAgents(follower, topicId, AGENTS);
  await acknowledgedMore(agents, 100);
  owner.kill('SIGTERM');
  const stoppedMs = performance.now();
  await acknowledgedMore(agents, AGENTS + 1);
  expect(performance.now() - stoppedMs).toBeLessThan(LONG_LEASE_TTL_MS);
  expect(await owner.exited).toBe(0);
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
});

test('repeated commits get the same offsets, even after a kill', async () => {
  await startPair();
  const agents = new CommittingAgents(follower, topicId, AGENTS, true);
  await acknowledgedMore(agents, 50);
  owner.kill('SIGKILL');
  await acknowledgedMore(agents, 50);
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
});

test('agents learn at once that their owner has stopped', async () => {
  await startPair();
  const connection = connectAgent(owner.rpcUrl, cluster);
  try {
    const events = connection.client.watch({ agentId: 'a' })[Symbol.asyncIterator]();
    expect((await events.next()).value?.catalogue?.full).toBe(true);
    const end = (async () => {
      while ((await events.next()).done !== true) {}
    })();
    owner.kill('SIGTERM');
    await expect(end).rejects.toMatchObject({ code: Code.Unavailable });
  } finally {
    connection.close();
  }
});
