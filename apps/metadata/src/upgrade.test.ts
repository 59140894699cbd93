// Two real processes on one real PostgreSQL, one of this release and one of the previous one: a rolling upgrade, the rollback, and the
// point of no return, all under load.
import { Code, ConnectError } from '@connectrpc/connect';
import { decodeEntry, type Id } from '@penstock/metadata-core';
import { JOURNAL_START, PostgresJournal } from '@penstock/metadata-journal';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectAgent } from './testing/agent-client.ts';
import { CommittingAgents, OwnerFollower } from './testing/committing-agents.ts';
import { type ClusterWithKey, ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { ServiceProcess } from './testing/service-process.ts';

const LEASE_TTL_MS = 3_000;
const AGENTS = 8;
/** Timeout for tests that hang; far above what they take. */
const TIMEOUT_MS = 60_000;

type Release = NonNullable<Parameters<typeof ServiceProcess.start>[2]>;
const PREVIOUS: Release = { release: 'previous' };
const PRESENT: Release = { raiseRulesTo: 1 };
const PRESENT_RAISING: Release = { raiseRulesTo: 2 };

let controlPlane: ControlPlaneFixture;
let cluster: ClusterWithKey;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterAll(async () => {
  await controlPlane.drop();
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.end()));
});

async function start(release: Release): Promise<ServiceProcess> {
  const process = await ServiceProcess.start(controlPlane.database.ownerUrl, LEASE_TTL_MS, release);
  processes.push(process);
  return process;
}

async function createTopic(process: ServiceProcess): Promise<Id> {
  const connection = connectAgent(process.rpcUrl, cluster);
  try {
    const { results } = await connection.client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
    return results[0]?.topicId ?? new Uint8Array();
  } finally {
    connection.close();
  }
}

/** Resolves when this many more commits have been acknowledged. */
async function acknowledgedMore(agents: CommittingAgents, count: number): Promise<void> {
  const goal = agents.count + count;
  await vi.waitFor(() => expect(agents.count).toBeGreaterThanOrEqual(goal), { timeout: TIMEOUT_MS, interval: 10 });
}

/** The format and rules of the journal's entries, without consecutive repetitions. */
async function writtenAs(): Promise<string[]> {
  const written: string[] = [];
  for await (const { bytes } of new PostgresJournal(controlPlane.pool).read(cluster.clusterId, JOURNAL_START)) {
    const one = `version ${bytes[0]}, rules ${decodeEntry(bytes).rules}`;
    if (written.at(-1) !== one) {
      written.push(one);
    }
  }
  return written;
}

/**
 * Agents commit continuously while the cluster moves from one release to the next: each owner is stopped once the next one is up and the
 * agents use it. In the end everything that was acknowledged is there, once.
 */
async function passThrough(releases: readonly Release[]): Promise<void> {
  cluster = await controlPlane.createCluster();
  const all = await Promise.all(releases.map((release) => start(release)));
  const [first] = all;
  if (first === undefined) {
    throw new Error('no release');
  }
  const topicId = await createTopic(first);
  const follower = new OwnerFollower(
    all.map(({ rpcUrl }) => rpcUrl),
    cluster,
  );
  const agents = new CommittingAgents(follower, topicId, AGENTS, true);
  try {
    for (const [number, owner] of all.entries()) {
      await acknowledgedMore(agents, 60);
      if (number < all.length - 1) {
        // Every second owner is killed rather than stopped, because the hand-over must not depend on a clean shutdown.
        owner.kill(number % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        await owner.exited;
      }
    }
    await agents.stop();
    const { lost, highWatermark } = await agents.audit();
    expect(lost).toEqual([]);
    expect(highWatermark).toBe(agents.acknowledged.size);
  } finally {
    follower.close();
  }
}

test('upgrade and rollback lose and duplicate nothing, and each release can continue with what the other wrote', async () => {
  await passThrough([PREVIOUS, PRESENT, PREVIOUS, PRESENT]);
  expect(await writtenAs()).toEqual(['version 2, rules 1']);
});

test('the level is raised under load, and what was written before keeps its format', async () => {
  await passThrough([PREVIOUS, PRESENT, PRESENT_RAISING, PRESENT]);
  expect((await writtenAs()).at(-1)).toBe('version 3, rules 2');
});

test('the previous release refuses a cluster whose level was raised, writes nothing to it, and leaves it to the next process', async () => {
  await passThrough([PRESENT_RAISING]);
  const [raising] = processes;
  const before = await writtenAs();
  raising?.kill('SIGTERM');
  await raising?.exited;
  const previous = await start(PREVIOUS);
  const connection = connectAgent(previous.rpcUrl, cluster);
  const refusal = await connection.client.describeCluster({}).then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );
  connection.close();
  expect(refusal).toBe(Code.Unavailable);
  expect(await writtenAs()).toEqual(before);
  const present = await start(PRESENT);
  const again = connectAgent(present.rpcUrl, cluster);
  expect((await again.client.describeCluster({})).topics).toHaveLength(1);
  again.close();
});
