// Generated and damaged requests to every plain call, over the RPC. The service answers each with a response or an error of the
// protocol, and serves its clusters afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CLUSTER_HEADER,
  CreateTopicsRequestSchema,
  CreateTopicsResponseSchema,
  MetadataService,
} from '@penstock/metadata-protocol';
import { damagedBytes, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { arbitraryRequest } from '../testing/arbitrary-message.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { RawHttp2 } from '../testing/raw-http2.ts';
import { startTestServer } from '../testing/test-server.ts';

/** Some calls wait for other members of a group. */
const ANSWERED_WITHIN_MS = 500;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;
let client: RawHttp2;
let topicId: Uint8Array;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  cluster = await controlPlane.createCluster();
  server = await startTestServer(controlPlane.database.ownerUrl);
  client = new RawHttp2(server.rpcUrl);
  const request = create(CreateTopicsRequestSchema, { topics: [{ name: 'orders', partitions: 3 }] });
  const { body } = await call('CreateTopics', toBinary(CreateTopicsRequestSchema, request));
  topicId = fromBinary(CreateTopicsResponseSchema, body).results[0]?.topicId ?? new Uint8Array(0);
});

afterAll(async () => {
  client.close();
  await server.close();
  await controlPlane.drop();
});

function call(method: string, body: Uint8Array) {
  const { clusterId, key } = cluster;
  const headers = { authorization: `Bearer ${key}`, [CLUSTER_HEADER]: clusterId };
  return client.post(
    `/penstock.metadata.v1.MetadataService/${method}`,
    { 'content-type': 'application/proto', ...headers },
    [body],
  );
}

/** Codes that mean a defect of the service. */
const DEFECTS = ['internal', 'unknown', 'data_loss'];
/** How Connect reports bytes that are no message. */
const MALFORMED = 'parse binary: ';

const methods = MetadataService.methods.filter(({ methodKind }) => methodKind === 'unary');

/** Stands for the id of the topic until the cluster has it. */
const TOPIC_ID = Uint8Array.from({ length: 16 }, (_, at) => 0xa0 + at);

function withTopicId(request: Uint8Array): Uint8Array {
  const bytes = Buffer.from(request);
  for (let at = bytes.indexOf(TOPIC_ID); at !== -1; at = bytes.indexOf(TOPIC_ID, at + 1)) {
    bytes.set(topicId, at);
  }
  return bytes;
}

const known = {
  texts: [
    'orders',
    'group',
    'member',
    'consumer',
    'range',
    'agent-1',
    'transaction',
    'retention.ms',
    '1000',
    'alice',
    '*',
  ],
  bytes: [TOPIC_ID, new Uint8Array(16), new Uint8Array(0)],
};

test('every request gets an answer or an error of the protocol', async () => {
  const requests = fc.constantFrom(...methods).chain((method) =>
    arbitraryRequest(method.input, known).chain((request) =>
      fc.record({
        method: fc.constant(method.name),
        request: fc.oneof({ weight: 3, arbitrary: fc.constant(request) }, damagedBytes(request)),
      }),
    ),
  );
  const property = fc.asyncProperty(requests, async ({ method, request }) => {
    const answer = await Promise.race([call(method, withTopicId(request)), delay(ANSWERED_WITHIN_MS)]);
    if (answer !== undefined && answer.status !== 200) {
      const { code, message } = JSON.parse(answer.body.toString()) as { code: string; message: string };
      expect({ code, message, isDefect: DEFECTS.includes(code) && !message.startsWith(MALFORMED) }).toMatchObject({
        isDefect: false,
      });
    }
  });
  await runFuzz('rpc', 'requests', 1_000, property);
  expect((await call('DescribeCluster', new Uint8Array(0))).status).toBe(200);
});
