// Requests that are small to send and large to decode, over the RPC.
import { gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CLUSTER_HEADER,
  CreateTopicsRequestSchema,
  CreateTopicsResponseSchema,
  DescribeClusterResponseSchema,
  LocateRequestSchema,
  LocateResponseSchema,
} from '@penstock/metadata-protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { type RawAnswer, RawHttp2 } from '../testing/raw-http2.ts';
import { startTestServer } from '../testing/test-server.ts';

const MIB = 1024 * 1024;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let hostile: ClusterWithKey;
let quiet: ClusterWithKey;
let client: RawHttp2;
let quietClient: RawHttp2;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  hostile = await controlPlane.createCluster();
  quiet = await controlPlane.createCluster();
  server = await startTestServer(controlPlane.database.ownerUrl);
  client = new RawHttp2(server.rpcUrl);
  quietClient = new RawHttp2(server.rpcUrl);
  await call(quietClient, quiet, 'DescribeCluster');
});

afterAll(async () => {
  client.close();
  quietClient.close();
  await server.close();
  await controlPlane.drop();
});

function call(
  by: RawHttp2,
  { clusterId, key }: ClusterWithKey,
  method: string,
  body: Uint8Array = new Uint8Array(0),
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return by.post(
    `/penstock.metadata.v1.MetadataService/${method}`,
    { 'content-type': 'application/proto', authorization: `Bearer ${key}`, [CLUSTER_HEADER]: clusterId, ...headers },
    [body],
  );
}

/** Each of two bytes. */
function emptyCursors(count: number): Uint8Array {
  return Buffer.from('0a00'.repeat(count), 'hex');
}

describe('a message of more values than its method takes', () => {
  test('is refused before decoding and holds no memory', async () => {
    const answer = await call(client, hostile, 'Locate', emptyCursors(4 * MIB - 1));
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      code: 'resource_exhausted',
      message: expect.stringContaining('split it into several calls'),
    });
    expect(await metric('penstock_metadata_request_bytes')).toBe(0);
  });

  test.each([
    ['Locate', 9 * MIB],
    ['AgentHeartbeat', 65 * 1024],
    ['JoinGroup', 2 * MIB],
  ])('is refused by its bytes for %s', async (method, bytes) => {
    const answer = await call(client, hostile, method, Buffer.alloc(bytes));
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body.toString()).message).toMatch(new RegExp(`^${method} takes at most \\d+ bytes`));
  });

  test('is refused through the adapter, compressed or as JSON', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    expect(bomb.length).toBeLessThan(MIB / 8);
    const zipped = await call(client, hostile, 'Locate', bomb, { 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(429);
    const json = Buffer.from(JSON.stringify({ cursors: Array.from({ length: 100_000 }, () => ({})) }));
    const spelled = await call(client, hostile, 'Locate', json, {
      'content-type': 'application/json',
      'content-length': String(json.length),
    });
    expect(spelled.status).toBe(429);
    const large = emptyCursors(MIB);
    const deadline = await call(client, hostile, 'Locate', large, {
      'connect-timeout-ms': '60000',
      'content-length': String(large.length),
    });
    expect(deadline.status).toBe(429);
  });
});

// Another cluster is answered meanwhile.
test('decodes a large message in steps that let others in', async () => {
  const topics = [{ name: 'orders', partitions: 1 }];
  const created = await call(
    client,
    hostile,
    'CreateTopics',
    toBinary(CreateTopicsRequestSchema, create(CreateTopicsRequestSchema, { topics })),
  );
  const topicId = fromBinary(CreateTopicsResponseSchema, created.body).results[0]?.topicId ?? new Uint8Array(0);
  const cursors = Array.from({ length: 100_000 }, () => ({ topicId, partition: 0, maxBytes: 1_000 }));
  const large = toBinary(LocateRequestSchema, create(LocateRequestSchema, { cursors }));
  const order: string[] = [];
  const located = call(client, hostile, 'Locate', large).then((answer) => {
    order.push('large');
    return answer;
  });
  // One after the other, from the moment that the large one is being served.
  let answered = 0;
  while (order.length === 0) {
    expect((await call(quietClient, quiet, 'DescribeCluster')).status).toBe(200);
    answered += 1;
  }
  expect(fromBinary(LocateResponseSchema, (await located).body).located).toHaveLength(100_000);
  expect(answered).toBeGreaterThan(20);
});

test('sends a large catalogue in steps, as JSON only when short', async () => {
  for (let batch = 0; batch < 8; batch += 1) {
    const topics = Array.from({ length: 2_500 }, (_, index) => ({ name: `many-${batch}-${index}`, partitions: 1 }));
    const request = toBinary(CreateTopicsRequestSchema, create(CreateTopicsRequestSchema, { topics }));
    expect((await call(client, hostile, 'CreateTopics', request)).status).toBe(200);
  }
  const order: string[] = [];
  const described = call(client, hostile, 'DescribeCluster').then((answer) => {
    order.push('described');
    return answer;
  });
  let answered = 0;
  while (order.length === 0) {
    expect((await call(quietClient, quiet, 'DescribeCluster')).status).toBe(200);
    answered += 1;
  }
  const { topics } = fromBinary(DescribeClusterResponseSchema, (await described).body);
  expect(topics.filter(({ name }) => name.startsWith('many-'))).toHaveLength(20_000);
  expect(answered).toBeGreaterThan(10);

  const json = { 'content-type': 'application/json' };
  const refused = await call(client, hostile, 'DescribeCluster', Buffer.from('{}'), json);
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.body.toString()).message).toContain('call with application/proto');
  const topicNames = Array.from({ length: 400 }, (_, index) => `many-0-${index}`);
  const short = await call(client, hostile, 'DescribeCluster', Buffer.from(JSON.stringify({ topicNames })), json);
  expect(JSON.parse(short.body.toString()).topics).toHaveLength(400);
});

test('unannounced refused bodies leave the connection usable', async () => {
  const tooLarge = Buffer.alloc(9 * MIB);
  for (let index = 0; index < 20; index += 1) {
    const answer = await call(client, hostile, 'Locate', tooLarge);
    expect(answer.status).toBe(429);
    const adapted = await call(client, hostile, 'Locate', tooLarge, { 'connect-timeout-ms': '60000' });
    expect(adapted.status).toBe(429);
  }
  // Node counts what a connection holds, and refuses its calls above a limit.
  const heartbeat = await call(client, hostile, 'DescribeCluster');
  expect(heartbeat.status).toBe(200);
});

test('aborted calls hold no bytes of announced bodies', async () => {
  const headers = {
    'content-type': 'application/proto',
    authorization: `Bearer ${hostile.key}`,
    [CLUSTER_HEADER]: hostile.clusterId,
    'content-length': String(20 * MIB),
  };
  // Together more than the organization may hold.
  for (let index = 0; index < 4; index += 1) {
    await client.breakOff('/penstock.metadata.v1.MetadataService/CommitFile', headers, new Uint8Array(10));
  }
  await expect.poll(() => metric('penstock_metadata_request_bytes')).toBe(0);
  expect((await call(client, hostile, 'DescribeCluster')).status).toBe(200);
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
