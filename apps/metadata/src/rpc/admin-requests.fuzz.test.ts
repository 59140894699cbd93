// Generated and damaged requests of the control plane, and of both services' streams, over the RPC. The service answers each with a response
// or an error of the protocol, and serves its clusters afterwards.
import { setTimeout as delay } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { AdminService, CLUSTER_HEADER, CreateTopicsRequestSchema, MetadataService } from '@penstock/metadata-protocol';
import { signAdminToken } from '@penstock/platform';
import { damagedBytes, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { arbitraryRequest } from '../testing/arbitrary-message.ts';
import { ADMIN_KEYS, type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { RawHttp2 } from '../testing/raw-http2.ts';
import { startTestServer } from '../testing/test-server.ts';

/** Streams do not end by themselves, so their first event is not awaited for longer. Plain calls are awaited however long they take. */
const STREAM_ANSWERS_WITHIN_MS = 300;
/** Stands for the id of the cluster until it exists. */
const CLUSTER_ID = '00000000-0000-4000-8000-00000000c1c1';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  cluster = await controlPlane.createCluster();
  server = await startTestServer(controlPlane.database.ownerUrl);
  const request = create(CreateTopicsRequestSchema, { topics: [{ name: 'orders', partitions: 3 }] });
  const made = await call(MetadataService.typeName, 'CreateTopics', toBinary(CreateTopicsRequestSchema, request));
  expect(made?.status).toBe(200);
});

afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

async function call(service: string, method: string, body: Uint8Array, isStream = false) {
  const { clusterId, key } = cluster;
  const isAdmin = service === AdminService.typeName;
  const token = isAdmin ? await signAdminToken(ADMIN_KEYS, { method, clusterId }, Date.now()) : key;
  const headers = { authorization: `Bearer ${token}`, ...(isAdmin ? {} : { [CLUSTER_HEADER]: clusterId }) };
  // Cut off with its connection, if it is a stream.
  const client = new RawHttp2(isAdmin ? server.adminUrl : server.rpcUrl);
  const length = Buffer.alloc(5);
  length.writeUInt32BE(body.length, 1);
  const answer = client.post(
    `/${service}/${method}`,
    { 'content-type': isStream ? 'application/connect+proto' : 'application/proto', ...headers },
    isStream ? [length, body] : [body],
  );
  if (!isStream) {
    return answer.finally(() => client.close());
  }
  const refusal = answer.catch(() => undefined);
  const first = await Promise.race([refusal, delay(STREAM_ANSWERS_WITHIN_MS)]);
  client.close();
  await refusal;
  return first ?? undefined;
}

/** Codes that mean a defect of the service. */
const DEFECTS = ['internal', 'unknown', 'data_loss'];
/** How Connect reports bytes that are no message. */
const MALFORMED = 'parse binary: ';

function withClusterId(request: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(request).toString('latin1').replaceAll(CLUSTER_ID, cluster.clusterId), 'latin1');
}

function defectIn(body: Buffer): string | undefined {
  const text = body.toString();
  const [, code = '', message = ''] = /"code":"(\w+)"(?:,"message":"([^"]*))?/.exec(text) ?? [];
  return DEFECTS.includes(code) && !message.startsWith(MALFORMED) ? text : undefined;
}

const called = [
  ...AdminService.methods.map((method) => ({ service: AdminService.typeName, method })),
  ...MetadataService.methods
    .filter(({ methodKind }) => methodKind === 'server_streaming')
    .map((method) => ({ service: MetadataService.typeName, method })),
];
const known = {
  texts: [CLUSTER_ID, CLUSTER_ID, 'orders', 'group', 'alice', 'User:alice', 'retention.ms', '1000', '*', 'agent-1'],
  bytes: [new Uint8Array(16), new Uint8Array(0)],
};

/** Names the cluster in three of four requests, so that they get past the first check: of a field's two values, the later one counts. */
function named(request: Uint8Array, { input }: (typeof called)[number]['method']): fc.Arbitrary<Uint8Array> {
  const clusterId = input.fields.some(({ localName }) => localName === 'clusterId') ? { clusterId: CLUSTER_ID } : {};
  const whole = Buffer.concat([request, toBinary(input, create(input, clusterId))]);
  return fc.oneof({ weight: 3, arbitrary: fc.constant(whole) }, fc.constant(request));
}

test('every request of the control plane gets an answer', async () => {
  const requests = fc.constantFrom(...called).chain(({ service, method }) =>
    arbitraryRequest(method.input, known)
      .chain((request) => named(request, method))
      .chain((request) =>
        fc.record({
          service: fc.constant(service),
          method: fc.constant(method.name),
          isStream: fc.constant(method.methodKind !== 'unary'),
          request: fc.oneof({ weight: 3, arbitrary: fc.constant(request) }, damagedBytes(request)),
        }),
      ),
  );
  const property = fc.asyncProperty(requests, async ({ service, method, isStream, request }) => {
    const answer = await call(service, method, withClusterId(request), isStream);
    expect({ method, defect: answer === undefined ? undefined : defectIn(answer.body) }).toEqual({
      method,
      defect: undefined,
    });
  });
  await runFuzz('rpc', 'admin-requests', 150, property);
  expect((await call(MetadataService.typeName, 'DescribeCluster', new Uint8Array(0)))?.status).toBe(200);
});
