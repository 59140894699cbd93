// A flood of random agent keys, over the RPC and on a real database.
import { connect } from 'node:http2';
import { CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';
import { generateAgentKey } from '@penstock/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MetadataServer, startServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { testSettings } from '../testing/test-server.ts';

const UNKNOWN_KEYS = 2_500;
const MALFORMED_KEYS = 200;
/** Lookups that one address can make at once. */
const BURST = 2_000;
/** Lookups per second after that, and lookups of the valid key. */
const PER_SECOND = 10 + 2;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let agent: ClusterWithKey;
let connection: AgentConnection;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  agent = await controlPlane.createCluster();
  server = await startServer(testSettings(controlPlane.database.url), silentLogger);
  connection = connectAgent(server.rpcUrl, agent);
});

afterAll(async () => {
  connection.close();
  await server.close();
  await controlPlane.drop();
});

test('a flood of random keys is bounded and delays no valid agent', async () => {
  const { client } = connection;
  const describe = () => client.describeCluster({});
  await describe();
  const flooder = connect(server.rpcUrl);
  const call = (key: string): Promise<number> => {
    const stream = flooder.request({
      ':method': 'POST',
      ':path': `/${MetadataService.typeName}/${MetadataService.method.describeCluster.name}`,
      'content-type': 'application/proto',
      authorization: `Bearer ${key}`,
      [CLUSTER_HEADER]: agent.clusterId,
    });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    stream.once('response', ({ ':status': status }) => resolve(status ?? 0));
    stream.once('error', reject);
    stream.resume();
    stream.end();
    return promise;
  };
  let isOver = false;
  const startedMs = performance.now();
  const flood = Promise.all([
    ...Array.from({ length: UNKNOWN_KEYS }, () => call(generateAgentKey().plaintext)),
    ...Array.from({ length: MALFORMED_KEYS }, () => call(`psk_agent_${Math.PI}`)),
  ]).finally(() => {
    isOver = true;
  });
  let served = 0;
  while (!isOver) {
    expect((await describe()).clusterId).toBe(agent.clusterId);
    served += 1;
  }
  const statuses = await flood;
  flooder.close();
  const maxLookups = BURST + (PER_SECOND * (performance.now() - startedMs)) / 1_000 + 5;

  expect(served).toBeGreaterThan(10);
  const answered = (status: number): number => statuses.filter((one) => one === status).length;
  expect(answered(200)).toBe(0);
  expect(answered(401) + answered(429)).toBe(UNKNOWN_KEYS + MALFORMED_KEYS);
  expect(answered(429)).toBeGreaterThan(UNKNOWN_KEYS - maxLookups);

  const metrics = await (await fetch(`${server.httpUrl}/metrics`)).text();
  const metric = (name: string): number =>
    Number(new RegExp(`^penstock_metadata_${name} (\\d+)`, 'm').exec(metrics)?.[1]);
  expect(metric('key_lookups_total')).toBeLessThanOrEqual(maxLookups);
  // Neither throttled nor malformed keys are remembered.
  expect(metric('keys_remembered')).toBeLessThanOrEqual(metric('key_lookups_total'));
});
