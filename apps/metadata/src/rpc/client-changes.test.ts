import { Code } from '@connectrpc/connect';
// Journal entries name what Kafka clients changed through agents, and nothing that the control plane changed.
import { type ClientChanges, decodeEntry, ErrorCode } from '@penstock/metadata-core';
import { ConfigOp_Kind } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AdminConnection, type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { ADMIN_KEYS, type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;
let agent: AgentConnection;
let admin: AdminConnection;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  cluster = await controlPlane.createCluster();
  server = await startTestServer(controlPlane.database.ownerUrl);
  agent = connectAgent(server.rpcUrl, cluster);
  admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
});

afterAll(async () => {
  agent.close();
  admin.close();
  await server.close();
  await controlPlane.drop();
});

/** Those of all entries, in order. */
async function journaledChanges(clusterId: string): Promise<ClientChanges[]> {
  const { rows } = await controlPlane.pool.query<{ entry: Buffer }>(
    'SELECT entry FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq',
    [clusterId],
  );
  return rows.flatMap(({ entry }) => decodeEntry(entry).changes);
}

const acl = {
  resourceType: 2,
  resourceName: 'orders',
  patternType: 3,
  principal: 'User:bob',
  host: '*',
  operation: 3,
  permissionType: 3,
};

test('an entry names the client, its agent and the accepted part', async () => {
  const agentId = newId();
  await agent.client.registerAgent({
    agentId,
    version: '0.1.0',
    advertisedHost: 'h',
    advertisedPort: 1,
    bucket: 'mem://',
  });
  const alice = { principal: 'User:alice', clientId: 'admin-1', address: '192.0.2.7' };
  await agent.client.createTopics({ topics: [{ name: 'orders', partitions: 2 }], client: { ...alice, agentId } });
  await agent.client.createTopics({ topics: [{ name: 'orders', partitions: 2 }], client: { ...alice, agentId } });
  await agent.client.createAcls({ bindings: [acl], client: { ...alice, agentId: 'forged' } });
  const client = { ...alice, agentKeyId: cluster.keyId };
  expect(await journaledChanges(cluster.clusterId)).toEqual([
    {
      client: { ...client, agentId },
      changes: [{ kind: 'topic-created', name: 'orders', partitions: 2, configs: [] }],
    },
    { client: { ...client, agentId: '' }, changes: [{ kind: 'acls-created', acls: [acl] }] },
  ]);
});

test('an entry names changed groups and metrics subscriptions', async () => {
  const other = await controlPlane.createCluster();
  const { client, close } = connectAgent(server.rpcUrl, other);
  try {
    const alice = { principal: 'User:alice', clientId: 'admin-1', address: '192.0.2.7', agentId: '' };
    const ops = [{ kind: ConfigOp_Kind.SET, name: 'consumer.heartbeat.interval.ms', value: '6000' }];
    const appended = [{ kind: ConfigOp_Kind.APPEND, name: 'consumer.heartbeat.interval.ms', value: '6000' }];
    const groups = [
      { groupId: 'lists', ops: appended },
      { groupId: 'readers', ops },
    ];
    await client.alterGroupConfigs({ groups, client: alice });
    await client.alterGroupConfigs({ groups, client: alice });
    const metrics = [{ kind: ConfigOp_Kind.SET, name: 'metrics', value: '*' }];
    await client.alterClientMetrics({ subscriptions: [{ name: 'java', ops: metrics }], client: alice });
    const by = { ...alice, agentKeyId: other.keyId };
    const groupOps = [{ name: 'consumer.heartbeat.interval.ms', value: '6000' }];
    const metricsOps = [{ kind: 'set', name: 'metrics', value: '*' }];
    expect(await journaledChanges(other.clusterId)).toEqual([
      { client: by, changes: [{ kind: 'group-configs-altered', groupId: 'readers', ops: groupOps }] },
      { client: by, changes: [{ kind: 'client-metrics-altered', name: 'java', ops: metricsOps }] },
    ]);
  } finally {
    close();
  }
});

// It is applied and named.
test('a client’s change of a default reaches the control plane', async () => {
  const other = await controlPlane.createCluster();
  const { client, close } = connectAgent(server.rpcUrl, other);
  const stored = async () => {
    const { rows } = await controlPlane.pool.query<{ bytes: number }>(
      'SELECT max_uncompressed_batch_bytes AS bytes FROM virtual_cluster WHERE id = $1',
      [other.clusterId],
    );
    return rows[0]?.bytes;
  };
  try {
    const alice = { principal: 'User:alice', clientId: 'admin-1', address: '192.0.2.7', agentId: '' };
    const set = (value: string, validateOnly = false) =>
      client.alterConfigs({
        clusterOps: [{ kind: ConfigOp_Kind.SET, name: 'max.uncompressed.batch.bytes', value }],
        validateOnly,
        client: alice,
      });
    expect((await client.describeCluster({})).settings?.maxUncompressedBatchBytes).toBe(67_108_864n);
    expect((await set('1023')).clusterResult?.errorCode).toBe(ErrorCode.INVALID_CONFIG);
    expect((await set('5000', true)).clusterResult?.errorCode).toBe(ErrorCode.NONE);
    expect(await stored()).toBe(67_108_864);
    const { clusterResult, settings } = await set('5000');
    expect([clusterResult?.errorCode, settings?.maxUncompressedBatchBytes]).toEqual([ErrorCode.NONE, 5_000n]);
    expect(await stored()).toBe(5_000);
    expect(await journaledChanges(other.clusterId)).toEqual([
      {
        client: { ...alice, agentKeyId: other.keyId },
        changes: [{ kind: 'cluster-defaults-altered', maxUncompressedBatchBytes: 5_000 }],
      },
    ]);
  } finally {
    close();
  }
});

test('a default that cannot be stored may be set again', async () => {
  const other = await controlPlane.createCluster();
  const { client, close } = connectAgent(server.rpcUrl, other);
  const set = () =>
    client.alterConfigs({
      clusterOps: [{ kind: ConfigOp_Kind.SET, name: 'max.uncompressed.batch.bytes', value: '5000' }],
    });
  // As while the database shuts down.
  await controlPlane.pool.query(`
    CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'terminating connection' USING ERRCODE = '57P01'; END $$;
    CREATE TRIGGER fail_update BEFORE UPDATE ON virtual_cluster
      FOR EACH ROW WHEN (OLD.id = '${other.clusterId}') EXECUTE FUNCTION fail_update()`);
  try {
    await expect(set()).rejects.toMatchObject({ code: Code.Unavailable });
    await controlPlane.pool.query('DROP TRIGGER fail_update ON virtual_cluster; DROP FUNCTION fail_update()');
    expect((await set()).settings?.maxUncompressedBatchBytes).toBe(5_000n);
  } finally {
    close();
  }
});

test('changes by the control plane are never named', async () => {
  const { clusterId } = cluster;
  const before = await journaledChanges(clusterId);
  const client = { principal: 'User:forged', clientId: '', address: '', agentId: '' };
  await admin.client.adminCreateTopics({
    clusterId,
    request: { topics: [{ name: 'made-by-dashboard', partitions: 1 }], client },
  });
  await admin.client.adminDeleteAcls({ clusterId, request: { actor: 'ada', filters: [], client } });
  expect(await journaledChanges(clusterId)).toEqual(before);
});

test('long names are cut, and an unnamed client has none', async () => {
  const other = await controlPlane.createCluster();
  const { client, close } = connectAgent(server.rpcUrl, other);
  try {
    const named = { principal: `User:${'x'.repeat(5_000)}`, clientId: '', address: '', agentId: '' };
    await client.createTopics({ topics: [{ name: 'a', partitions: 1 }], client: named });
    await client.deleteTopics({ names: ['a'] });
    const changes = await journaledChanges(other.clusterId);
    expect(changes.map((one) => one.client.principal.length)).toEqual([300, 0]);
    expect(changes[1]?.client.agentKeyId).toBe(other.keyId);
  } finally {
    close();
  }
});
