// Budgets and refused metering reports, over the RPC.
import { Code, ConnectError } from '@connectrpc/connect';
import { newId } from '@penstock/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_BUDGET } from '../budgets/call-budgets.ts';
import { type MetadataServer, startServer } from '../server.ts';
import { type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { ADMIN_KEYS, type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { testSettings } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let greedy: ClusterWithKey;
let bursting: ClusterWithKey;
let quiet: ClusterWithKey;
const connections: AgentConnection[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  greedy = await controlPlane.createCluster();
  bursting = await controlPlane.createCluster();
  quiet = await controlPlane.createCluster();
  const budgets = {
    default: DEFAULT_BUDGET,
    trial: DEFAULT_BUDGET,
    clusters: new Map([
      [greedy.clusterId, { calls: 20, commits: 20, batches: 20 }],
      [bursting.clusterId, { calls: 1_000, commits: 1_000, batches: 20 }],
    ]),
  };
  const settings = { ...testSettings(controlPlane.database.ownerUrl), budgets };
  server = await startServer(settings, silentLogger);
});

afterAll(async () => {
  for (const { close } of connections) {
    close();
  }
  await server.close();
  await controlPlane.drop();
});

function clientOf(cluster: ClusterWithKey): AgentConnection['client'] {
  const connection = connectAgent(server.rpcUrl, cluster);
  connections.push(connection);
  return connection.client;
}

async function createTopic(client: AgentConnection['client']): Promise<Uint8Array> {
  const created = await client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
  return created.results[0]?.topicId ?? new Uint8Array(0);
}

/**
 * Computes what a key may spend of a budget per second: 80 %, and two seconds' worth of it at once. A busy machine takes longer, so more comes in meanwhile.
 */
function allowedSince(startedAtMs: number, perSecond: number): number {
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return Math.ceil(0.8 * perSecond * (2 + seconds));
}

/** A file of one run. */
function fileOf(topicId: Uint8Array, { batches = 1, batchBytes = 1_000, uncompressedBytes = 1_000 }) {
  const each = <Value>(value: Value): Value[] => Array<Value>(batches).fill(value);
  return {
    fileId: Buffer.from(newId().replaceAll('-', ''), 'hex'),
    fileBytes: BigInt(batches * batchBytes),
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [batches],
    batchBytes: each(batchBytes),
    batchRecords: each(1),
    batchMaxTimestampMs: each(0n),
    batchUncompressedBytes: each(BigInt(uncompressedBytes)),
  };
}

test('a flooding tenant is refused while others are served', async () => {
  const flooding = clientOf(greedy);
  const startedAtMs = performance.now();
  const refusals: ConnectError[] = [];
  const flood = Array.from({ length: 200 }, () =>
    flooding.describeCluster({}).catch((error: unknown) => refusals.push(ConnectError.from(error))),
  );
  const other = clientOf(quiet);
  for (let call = 0; call < 20; call += 1) {
    expect((await other.describeCluster({})).clusterId).toBe(quiet.clusterId);
  }
  await Promise.all(flood);
  expect(flood.length - refusals.length).toBeLessThanOrEqual(allowedSince(startedAtMs, 20));
  expect(refusals.length).toBeGreaterThan(0);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set([Code.ResourceExhausted]));
  expect(Number(refusals[0]?.metadata.get('retry-after'))).toBeGreaterThan(0);
  const metrics = await (await fetch(`${server.httpUrl}/metrics`)).text();
  expect(metrics).toMatch(/^penstock_metadata_calls_over_budget_total [1-9]/m);
});

test('concurrent commits wait until the first one is charged', async () => {
  const client = clientOf(bursting);
  const topicId = await createTopic(client);
  const startedAtMs = performance.now();
  const commits = Array.from({ length: 50 }, () => client.commitFile(fileOf(topicId, { batches: 10 })));
  const outcomes = await Promise.allSettled(commits);
  // The last commit may go into debt.
  const allowed = Math.ceil(allowedSince(startedAtMs, 20) / 10) + 1;
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(allowed);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
});

test('reports the agent behind impossible uncompressed sizes', async () => {
  const client = clientOf(quiet);
  const agentId = newId();
  await client.registerAgent({ agentId, version: '0.1.0', advertisedHost: 'h', advertisedPort: 1, bucket: 'mem://' });
  const topicId = await createTopic(client);
  const commit = (batchBytes: number, uncompressedBytes: number, by = agentId) =>
    client.commitFile({ ...fileOf(topicId, { batchBytes, uncompressedBytes }), agentId: by });
  await expect(commit(1_000, 0)).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(commit(1_048_576, 61)).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect((await commit(1_000, 1_000)).batchBaseOffset).toEqual([0n]);

  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  try {
    const view = async () => (await admin.client.getClusterView({ clusterId: quiet.clusterId })).meteringRefusal;
    expect(await view()).toMatchObject({ agentId, commits: 2n, problem: expect.stringContaining('1048576 bytes') });
    await expect(commit(1_000, 60, 'not <an> agent')).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect(await view()).toMatchObject({ agentId: '', commits: 3n });
  } finally {
    admin.close();
  }
});
