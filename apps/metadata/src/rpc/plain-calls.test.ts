// A plain call gets the same response as the call through Connect's adapter: status, header fields and bytes.
import { connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  CLUSTER_HEADER,
  CommitFileRequestSchema,
  CommitFileResponseSchema,
  CreateTopicsRequestSchema,
  CreateTopicsResponseSchema,
  DescribeClusterRequestSchema,
  MetadataService,
  OWNER_URL_HEADER,
} from '@penstock/metadata-protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BytesInFlight, type HeldBytes } from '../budgets/bytes-in-flight.ts';
import { randomIds } from '../owners/ids.ts';
import type { MetadataServer } from '../server.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { type RawAnswer, RawHttp2 } from '../testing/raw-http2.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { CallFacts } from './agent-call.ts';
import { type PlainCall, serveStreams } from './plain-calls.ts';
import { RpcMeter } from './rpc-meter.ts';

const MIB = 1024 * 1024;

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
  const { body } = await plain('CreateTopics', toBinary(CreateTopicsRequestSchema, request));
  topicId = fromBinary(CreateTopicsResponseSchema, body).results[0]?.topicId ?? new Uint8Array(0);
});

afterAll(async () => {
  client.close();
  await server.close();
  await controlPlane.drop();
});

function path(method: string): string {
  return `/penstock.metadata.v1.MetadataService/${method}`;
}

function headersOf({ clusterId, key }: { clusterId: string; key: string }): Record<string, string> {
  return { 'content-type': 'application/proto', authorization: `Bearer ${key}`, [CLUSTER_HEADER]: clusterId };
}

function plain(method: string, ...parts: Uint8Array[]): Promise<RawAnswer> {
  return client.post(path(method), headersOf(cluster), parts);
}

/** A call with a deadline goes through the adapter. This one is far away. */
const throughAdapter = { 'connect-timeout-ms': '600000' };

async function expectSame(method: string, headers: Record<string, string>, ...parts: Uint8Array[]): Promise<RawAnswer> {
  const answer = await client.post(path(method), headers, parts);
  const expected = await client.post(path(method), { ...headers, ...throughAdapter }, parts);
  expect({ ...answer, body: answer.body.toString('latin1') }).toEqual({
    ...expected,
    body: expected.body.toString('latin1'),
  });
  return answer;
}

/** A UUIDv7 with the current time. */
function newFileId(): Uint8Array {
  const id = Buffer.from(randomIds.uuidBytes());
  id.writeUIntBE(Date.now(), 0, 6);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  return id;
}

function commit(fields: MessageInitShape<typeof CommitFileRequestSchema> = {}): Uint8Array {
  const columns = {
    fileId: newFileId(),
    fileBytes: 300n,
    topicIds: [topicId],
    runTopic: [0, 0],
    runPartition: [0, 2],
    runPosition: [0n, 100n],
    runBatches: [1, 2],
    batchBytes: [100, 100, 100],
    batchRecords: [5, 1, 1],
    batchMaxTimestampMs: [BigInt(Date.now()), -1n, 0n],
    batchUncompressedBytes: [200n, 200n, 200n],
    agentId: 'a',
  };
  return toBinary(CommitFileRequestSchema, create(CommitFileRequestSchema, { ...columns, ...fields }));
}

describe('a plain call is answered as the adapter answers it', () => {
  test('when it is valid', async () => {
    const request = toBinary(DescribeClusterRequestSchema, create(DescribeClusterRequestSchema));
    expect((await expectSame('DescribeCluster', headersOf(cluster), request)).status).toBe(200);
  });

  test('when it has no body', async () => {
    expect((await expectSame('DescribeCluster', headersOf(cluster))).status).toBe(200);
  });

  test('when it is a commit, and the same commit again', async () => {
    const { status, body } = await expectSame('CommitFile', headersOf(cluster), commit());
    expect(status).toBe(200);
    expect(fromBinary(CommitFileResponseSchema, body)).toMatchObject({
      errorCode: 0,
      batchErrorCode: [],
      errorMessage: '',
    });
    expect(fromBinary(CommitFileResponseSchema, body).batchBaseOffset).toHaveLength(3);
  });

  test('when it is a commit in many frames', async () => {
    const bytes = commit();
    const parts = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect((await expectSame('CommitFile', headersOf(cluster), ...parts)).status).toBe(200);
  });

  test.each([
    {
      what: 'a batch with a producer that nobody knows',
      fields: { batchProducerId: [7n, -1n, -1n], batchProducerEpoch: [0, -1, -1], batchBaseSequence: [9, -1, -1] },
    },
    { what: 'a partition that does not exist', fields: { runPartition: [0, 99] } },
    { what: 'a file id that is too old', fields: { fileId: new Uint8Array(16).fill(1) } },
    { what: 'values beyond 53 bits', fields: { fileBytes: 2n ** 64n - 1n } },
    { what: 'a column that is too short', fields: { runPartition: [0] } },
    { what: 'a column that is absent', fields: { batchRecords: [] } },
    { what: 'batches that do not add up', fields: { runBatches: [1, 1] } },
    { what: 'a topic that was not listed', fields: { runTopic: [0, 1] } },
    { what: 'a file id of the wrong length', fields: { fileId: new Uint8Array(3) } },
    { what: 'a topic id of the wrong length', fields: { topicIds: [new Uint8Array(3)] } },
    {
      what: 'nothing at all',
      fields: {
        topicIds: [],
        runTopic: [],
        runPartition: [],
        runPosition: [],
        runBatches: [],
        batchBytes: [],
        batchRecords: [],
        batchMaxTimestampMs: [],
        batchUncompressedBytes: [],
      },
    },
  ])('when it is a commit of $what', async ({ fields }) => {
    await expectSame('CommitFile', headersOf(cluster), commit(fields));
  });

  test.each([
    { what: 'no key', headers: { authorization: '' }, status: 401 },
    { what: 'a key that is none', headers: { authorization: 'Bearer hello' }, status: 401 },
    { what: 'a cluster id that is none', headers: { [CLUSTER_HEADER]: 'prod' }, status: 400 },
    { what: 'a cluster that the key does not open', headers: { [CLUSTER_HEADER]: randomIds.uuid() }, status: 403 },
  ])('when it has $what', async ({ headers, status }) => {
    const answer = await expectSame('CommitFile', { ...headersOf(cluster), ...headers }, commit());
    expect(answer.status).toBe(status);
  });

  test.each(['CommitFile', 'DescribeCluster'])('when its bytes are not the message of %s', async (method) => {
    const answer = await expectSame(method, headersOf(cluster), Buffer.from('0aff', 'hex'));
    const message = expect.stringMatching(/^parse binary: /);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'internal', message });
  });

  test('when its method does not exist', async () => {
    expect((await expectSame('Nothing', headersOf(cluster))).status).toBe(404);
  });

  test('when another process owns its cluster', async () => {
    const other = await controlPlane.createCluster();
    const owner = await startTestServer(controlPlane.database.ownerUrl);
    const toOwner = new RawHttp2(owner.rpcUrl);
    try {
      expect((await toOwner.post(path('DescribeCluster'), headersOf(other), [])).status).toBe(200);
      const answer = await expectSame('DescribeCluster', headersOf(other));
      expect(answer).toMatchObject({ status: 503, headers: { [OWNER_URL_HEADER]: owner.rpcUrl } });
    } finally {
      toOwner.close();
      await owner.close();
    }
  });
});

describe('a message beyond the size limit', () => {
  test.each([
    { what: 'announced', headers: { 'content-length': String(33 * MIB) } },
    { what: 'not announced', headers: {} },
  ])('is refused before it is read when its length is $what', async ({ headers }) => {
    const parts = Array.from({ length: 33 }, () => Buffer.alloc(MIB));
    const answer = await client.post(path('CommitFile'), { ...headersOf(cluster), ...headers }, parts);
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'resource_exhausted' });
    // The connection remains usable.
    expect((await plain('CommitFile', commit())).status).toBe(200);
  });
});

describe('a call that is not plain', () => {
  test('still works with JSON, gzip and a deadline', async () => {
    const json = await client.post(
      path('DescribeCluster'),
      { ...headersOf(cluster), 'content-type': 'application/json' },
      [Buffer.from('{}')],
    );
    expect(JSON.parse(json.body.toString())).toMatchObject({ clusterId: cluster.clusterId });
    const zipped = await client.post(path('CommitFile'), { ...headersOf(cluster), 'content-encoding': 'gzip' }, [
      gzipSync(commit()),
    ]);
    expect(zipped.status).toBe(200);
    const late = await client.post(path('CommitFile'), { ...headersOf(cluster), 'connect-timeout-ms': 'soon' }, [
      commit(),
    ]);
    expect(late.status).toBe(400);
  });
});

test('an aborted call leaves service and connection unharmed', async () => {
  const bytes = commit();
  await client.breakOff(path('CommitFile'), headersOf(cluster), bytes.subarray(0, 20));
  expect((await plain('CommitFile', bytes)).status).toBe(200);
});

test('a call learns that its caller has cancelled it', async () => {
  const arrived = Promise.withResolvers<CallFacts>();
  const answered = Promise.withResolvers<Uint8Array>();
  const method = MetadataService.method.describeCluster;
  const waiting: PlainCall = {
    method,
    limit: { maxBytes: MIB, maxValues: 10 },
    admit: async () => undefined,
    hold: () => new BytesInFlight([MIB, MIB, MIB]).take(['tenant', 'organization', 'cluster'], 0) as HeldBytes,
    answer: (_, call) => {
      arrived.resolve(call);
      return answered.promise;
    },
  };
  const http2 = createServer();
  const meter = new RpcMeter(() => performance.now());
  http2.on(
    'stream',
    serveStreams({ plainCalls: [waiting], adapter: () => undefined, meter, onDefect: () => undefined }),
  );
  await new Promise<void>((resolve) => http2.listen(0, '127.0.0.1', resolve));
  const { port } = http2.address() as AddressInfo;
  const caller = connect(`http://127.0.0.1:${port}`);
  try {
    const stream = caller.request({
      ':method': 'POST',
      ':path': path(method.name),
      'content-type': 'application/proto',
    });
    stream.on('error', () => undefined);
    stream.end();
    const { signal } = await arrived.promise;
    expect(signal.aborted).toBe(false);
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => signal.aborted).toBe(true);
  } finally {
    answered.resolve(new Uint8Array(0));
    caller.destroy();
    http2.close();
  }
});
