// What the holder of a leaked agent key cannot do: have clients sent to hosts that the owners of the cluster do not know.
import { Code, ConnectError } from '@connectrpc/connect';
import { ADDRESS_UNCONFIRMED_HEADER } from '@penstock/metadata-protocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;
let connection: AgentConnection;
const others: AgentConnection[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});
afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});
beforeEach(async () => {
  cluster = await controlPlane.createCluster();
  connection = connectAgent(server.rpcUrl, cluster);
});
afterEach(() => {
  for (const open of [connection, ...others.splice(0)]) {
    open.close();
  }
});

/** Another key of the cluster, with limits. */
async function limited(limits: { addresses?: string[]; networks?: string[]; expired?: boolean }) {
  const { key, keyId } = await controlPlane.createKey(cluster.clusterId);
  await controlPlane.pool.query(
    `UPDATE agent_key SET addresses = $2, networks = $3, expires_at = CASE WHEN $4 THEN now() END WHERE id = $1`,
    [keyId, limits.addresses ?? [], limits.networks ?? [], limits.expired ?? false],
  );
  const other = connectAgent(server.rpcUrl, { clusterId: cluster.clusterId, key });
  others.push(other);
  return { client: other.client, keyId };
}

function register(host: string, client = connection.client, change: object = {}) {
  return client.registerAgent({
    agentId: `agent at ${host}`,
    advertisedHost: host,
    advertisedPort: 9092,
    bucket: 's3://bucket',
    ...change,
  });
}

function refusalOf(call: Promise<unknown>): Promise<ConnectError | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error),
  );
}

/** The agents to which clients are sent, with all that they hand out. */
async function handedOut(): Promise<{ hosts: string[]; text: string }> {
  const watching = new AbortController();
  for await (const { catalogue } of connection.client.watch({ agentId: 'reader' }, { signal: watching.signal })) {
    watching.abort();
    const agents = catalogue?.agents ?? [];
    const text = JSON.stringify(agents, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    return { hosts: agents.map(({ advertisedHost }) => advertisedHost), text };
  }
  return { hosts: [], text: '' };
}

function lock(): Promise<unknown> {
  return controlPlane.pool.query(
    `UPDATE virtual_cluster SET confirm_agent_addresses = true, confirm_agent_addresses_from = now() WHERE id = $1`,
    [cluster.clusterId],
  );
}

async function addressRows() {
  const { rows } = await controlPlane.pool.query<{ host: string; state: string; key_id: string }>(
    'SELECT host, state, key_id FROM agent_address WHERE cluster_id = $1 ORDER BY host',
    [cluster.clusterId],
  );
  return rows;
}

// The agent gets a message that says what to do.
test('a new host is given to no client until it is confirmed', async () => {
  await register('agent-1.internal');
  await lock();
  const refusal = await refusalOf(register('evil.example'));
  expect(refusal?.code).toBe(Code.Unavailable);
  expect(refusal?.metadata.get(ADDRESS_UNCONFIRMED_HEADER)).toBe('1');
  expect(refusal?.rawMessage).toContain('the address evil.example is new to this cluster and waits for confirmation');
  expect(await handedOut()).toMatchObject({ hosts: ['agent-1.internal'] });
  expect(await addressRows()).toEqual([
    { host: 'agent-1.internal', state: 'learned', key_id: cluster.keyId },
    { host: 'evil.example', state: 'pending', key_id: cluster.keyId },
  ]);
  // The host that is known registers as before, in whichever form it is written.
  expect((await register('Agent-1.internal.')).nodeId).toBeGreaterThan(0);

  await controlPlane.pool.query(`UPDATE agent_address SET state = 'confirmed' WHERE host = 'evil.example'`);
  expect((await register('evil.example')).nodeId).toBeGreaterThan(0);
  expect((await handedOut()).hosts).toContain('evil.example');
});

test('no listener or heartbeat brings in a host not allowed', async () => {
  await register('agent-1.internal');
  await register('agent-2.internal');
  await lock();
  const listeners = [
    { name: 'main', host: 'agent-1.internal', port: 9092 },
    { name: 'external', host: 'evil.example', port: 9093 },
  ];
  expect((await refusalOf(register('agent-1.internal', connection.client, { listeners })))?.code).toBe(
    Code.Unavailable,
  );
  const { unknownAgent } = await connection.client.agentHeartbeat({ agentId: 'agent at agent-1.internal', listeners });
  expect(unknownAgent).toBe(true);
  const { hosts, text } = await handedOut();
  expect(hosts).toEqual(['agent-2.internal']);
  expect(text).not.toContain('evil');
});

test('omits peer and browser addresses until they are allowed', async () => {
  await register('agent-1.internal');
  await lock();
  const origins = {
    internalUrl: 'http://10.6.6.6:9466',
    internalKeySha256: new Uint8Array(32),
    messageBrowserUrl: 'https://evil.example',
  };
  await register('agent-1.internal', connection.client, origins);
  await connection.client.agentHeartbeat({ agentId: 'agent at agent-1.internal', ...origins });
  const { hosts, text } = await handedOut();
  expect(hosts).toEqual(['agent-1.internal']);
  expect(text).not.toMatch(/evil|10\.6\.6\.6/);
  const { agents } = await connection.client.describeCluster({});
  expect(agents.map(({ messageBrowserUrl }) => messageBrowserUrl)).toEqual(['']);
  expect((await addressRows()).map(({ host, state }) => [host, state])).toEqual([
    ['10.6.6.6', 'pending'],
    ['agent-1.internal', 'learned'],
    ['evil.example', 'pending'],
  ]);
});

test('a key with addresses registers exactly those', async () => {
  await lock();
  const { client, keyId } = await limited({ addresses: ['*.agents.internal', '10.0.0.0/8'] });
  await register('a.agents.internal', client);
  await register('10.1.2.3', client);
  const refusal = await refusalOf(register('evil.example', client));
  expect(refusal?.code).toBe(Code.FailedPrecondition);
  expect(refusal?.rawMessage).toContain("add it to the key's addresses in the dashboard");
  expect(await addressRows()).toEqual([{ host: 'evil.example', state: 'refused', key_id: keyId }]);
  expect((await handedOut()).hosts).toEqual(['a.agents.internal', '10.1.2.3']);
});

test('drops an agent whose key loses its address', async () => {
  const { client, keyId } = await limited({ addresses: ['old.internal'] });
  await register('old.internal', client);
  await controlPlane.pool.query(`UPDATE agent_key SET addresses = '{new.internal}' WHERE id = $1`, [keyId]);
  await expect
    .poll(async () => (await client.agentHeartbeat({ agentId: 'agent at old.internal' })).unknownAgent)
    .toBe(true);
  expect((await handedOut()).hosts).toEqual([]);
});

// An older one for as long as it does not ask.
test('a new cluster accepts hosts for a day after its first agent', async () => {
  await register('any-1.internal');
  await register('any-2.internal');
  await controlPlane.pool.query('UPDATE virtual_cluster SET confirm_agent_addresses = true WHERE id = $1', [
    cluster.clusterId,
  ]);
  await register('any-3.internal');
  const { rows } = await controlPlane.pool.query<{ left_s: string }>(
    'SELECT extract(epoch FROM confirm_agent_addresses_from - now()) AS left_s FROM virtual_cluster WHERE id = $1',
    [cluster.clusterId],
  );
  expect(Number(rows[0]?.left_s)).toBeGreaterThan(23 * 3_600);
  await register('any-4.internal');
  await lock();
  expect((await refusalOf(register('any-5.internal')))?.code).toBe(Code.Unavailable);
  expect((await addressRows()).map(({ state }) => state)).toEqual([
    'learned',
    'learned',
    'learned',
    'learned',
    'pending',
  ]);
});

test('a flood of hosts fills no table', async () => {
  await lock();
  for (let at = 0; at < 120; at += 1) {
    await refusalOf(register(`flood-${at}.example`));
  }
  expect(await addressRows()).toHaveLength(100);
});

test('names a remedy for other networks and expired keys', async () => {
  const abroad = await limited({ networks: ['203.0.113.0/24'] });
  const refusal = await refusalOf(register('agent-1.internal', abroad.client));
  expect(refusal?.code).toBe(Code.PermissionDenied);
  expect(refusal?.rawMessage).toContain("may not be used from 127.0.0.1: add this address to the key's networks");
  const { client: expired } = await limited({ expired: true });
  expect((await refusalOf(register('agent-1.internal', expired)))?.rawMessage).toContain('the agent key has expired');

  const home = await limited({ networks: ['127.0.0.0/8'] });
  await register('agent-1.internal', home.client);
  const seen = async () =>
    (
      await controlPlane.pool.query<{ key_id: string; is_refused: boolean; address: string; is_announced: boolean }>(
        `SELECT key_id, is_refused, address, announced_at IS NOT NULL AS is_announced FROM agent_key_network
         WHERE key_id = ANY($1) ORDER BY is_refused`,
        [[abroad.keyId, home.keyId]],
      )
    ).rows;
  await expect.poll(seen).toEqual([
    { key_id: home.keyId, is_refused: false, address: '127.0.0.1', is_announced: true },
    { key_id: abroad.keyId, is_refused: true, address: '127.0.0.1', is_announced: false },
  ]);
});
