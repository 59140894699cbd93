// Budgets and refused metering reports, over the RPC.
import { Code, ConnectError } from '@connectrpc/connect';
import { NEWEST_RULES } from '@penstock/metadata-core';
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
let quiet: ClusterWithKey;
const connections: AgentConnection[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  greedy = await controlPlane.createCluster();
  quiet = await controlPlane.createCluster();
  const budgets = {
    default: DEFAULT_BUDGET,
    clusters: new Map([[greedy.clusterId, { calls: 20, commits: 20, batches: 20 }]]),
  };
  const settings = { ...testSettings(controlPlane.database.url), raiseRulesTo: NEWEST_RULES, budgets };
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

test('a tenant that floods is told to come back later, and another tenant is served meanwhile', async () => {
  const flooding = clientOf(greedy);
  const refusals: ConnectError[] = [];
  const flood = Array.from({ length: 200 }, () =>
    flooding.describeCluster({}).catch((error: unknown) => refusals.push(ConnectError.from(error))),
  );
  const other = clientOf(quiet);
  for (let call = 0; call < 20; call += 1) {
    expect((await other.describeCluster({})).clusterId).toBe(quiet.clusterId);
  }
  await Promise.all(flood);
  expect(refusals.length).toBeGreaterThan(100);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set([Code.ResourceExhausted]));
  expect(Number(refusals[0]?.metadata.get('retry-after'))).toBeGreaterThan(0);
  const metrics = await (await fetch(`${server.httpUrl}/metrics`)).text();
  expect(metrics).toMatch(/^penstock_metadata_calls_over_budget_total [1-9]/m);
});

test('a commit whose uncompressed sizes cannot be true is refused, and the cluster’s view names the agent', async () => {
  const client = clientOf(quiet);
  const agentId = newId();
  await client.registerAgent({ agentId, version: '0.1.0', advertisedHost: 'h', advertisedPort: 1, bucket: 'mem://' });
  const created = await client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
  const topicId = created.results[0]?.topicId ?? new Uint8Array(0);
  const commit = (batchBytes: number, uncompressedBytes: number, by = agentId) =>
    client.commitFile({
      fileId: Buffer.from(newId().replaceAll('-', ''), 'hex'),
      fileBytes: BigInt(batchBytes),
      topicIds: [topicId],
      runTopic: [0],
      runPartition: [0],
      runPosition: [0n],
      runBatches: [1],
      batchBytes: [batchBytes],
      batchRecords: [1],
      batchMaxTimestampMs: [0n],
      batchUncompressedBytes: [BigInt(uncompressedBytes)],
      agentId: by,
    });
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
