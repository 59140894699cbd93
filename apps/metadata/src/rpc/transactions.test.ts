// Transactions through the calls of agents and of the control plane.
import type { Client } from '@connectrpc/connect';
import type { MetadataService, WatchEvent } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { ADMIN_KEYS, type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

const INVALID_PRODUCER_EPOCH = 47;
const INVALID_TXN_STATE = 48;
const UNSTABLE_OFFSET_COMMIT = 88;
const TRANSACTION_ABORTABLE = 120;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;
let connection: AgentConnection;
let agent: Client<typeof MetadataService>;
let topicId: Uint8Array;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.url);
});

afterAll(async () => {
  connection.close();
  await server.close();
  await controlPlane.drop();
});

beforeEach(async () => {
  connection?.close();
  cluster = await controlPlane.createCluster();
  connection = connectAgent(server.rpcUrl, cluster);
  agent = connection.client;
  const { results } = await agent.createTopics({ topics: [{ name: 'orders', partitions: 2 }] });
  topicId = results[0]?.topicId ?? new Uint8Array(0);
});

const idBytes = (): Uint8Array => Buffer.from(newId(Date.now()).replaceAll('-', ''), 'hex');

interface Producer {
  transactionalId: string;
  producerId: bigint;
  producerEpoch: number;
}

async function init(transactionalId: string): Promise<Producer> {
  const { errorCode, producerId, producerEpoch } = await agent.initProducerId({
    transactionalId,
    transactionTimeoutMs: 60_000,
    producerId: -1n,
    producerEpoch: -1,
    requestId: idBytes(),
    clientId: 'test',
  });
  expect(errorCode).toBe(0);
  return { transactionalId, producerId, producerEpoch };
}

async function write({ transactionalId, producerId, producerEpoch }: Producer, sequence = 0) {
  return await agent.commitFile({
    fileId: idBytes(),
    fileBytes: 161n,
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [1],
    batchBytes: [161],
    batchRecords: [2],
    batchMaxTimestampMs: [1n],
    batchUncompressedBytes: [161n],
    batchProducerId: [producerId],
    batchProducerEpoch: [producerEpoch],
    batchBaseSequence: [sequence],
    batchTransaction: [1],
    transactions: [{ transactionalId, addsPartitions: true }],
  });
}

const end = (producer: Producer, committed: boolean) =>
  agent.endTransaction({ ...producer, committed, bumpsEpoch: true });

/** Reads events until one has news of a partition. */
async function nextPartition(events: AsyncIterator<WatchEvent>) {
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const [news] = next.value.partitions;
    if (news !== undefined) {
      return news;
    }
  }
  throw new Error('the stream has ended');
}

test('a watcher gets records, their stable end and the marker', async () => {
  const stream = new AbortController();
  const events = agent.watch({ agentId: 'a' }, { signal: stream.signal })[Symbol.asyncIterator]();
  const first = await events.next();
  const { watchId } = first.done === true ? { watchId: '' } : first.value;
  const interest = await agent.updateInterest({ watchId, add: [{ topicId, partition: 0 }] });
  expect(interest.states[0]?.lastStableOffset).toBeUndefined();
  const producer = await init('t');
  expect((await write(producer)).batchErrorCode).toEqual([]);
  expect(await nextPartition(events)).toMatchObject({ highWatermark: 2n, lastStableOffset: 0n });
  const ended = await end(producer, false);
  expect(ended).toMatchObject({ errorCode: 0, producerId: producer.producerId, producerEpoch: 1 });
  const news = await nextPartition(events);
  stream.abort();
  expect(news.lastStableOffset).toBeUndefined();
  expect(news.highWatermark).toBe(3n);
  expect(news.runs).toMatchObject([
    {
      fileId: new Uint8Array(0),
      position: 0n,
      bytes: 78,
      baseOffset: 2n,
      records: 1,
      marker: { producerId: producer.producerId, producerEpoch: 1, committed: false, firstOffset: 0n },
    },
  ]);
  const { located } = await agent.locate({ cursors: [{ topicId, partition: 0, offset: 0n, maxBytes: 1_000 }] });
  expect(located[0]?.runs.map(({ marker }) => marker?.committed)).toEqual([undefined, false]);
  expect(located[0]?.aborted).toMatchObject([{ producerId: producer.producerId, firstOffset: 0n, lastOffset: 2n }]);
});

test('refuses batches after the transaction from any agent', async () => {
  const producer = await init('t');
  await write(producer);
  await end(producer, true);
  const other = connectAgent(server.rpcUrl, cluster);
  agent = other.client;
  const late = await write(producer, 2);
  other.close();
  expect(late.batchErrorCode).toEqual([INVALID_PRODUCER_EPOCH]);
});

test('offsets become visible to stable readers with the commit', async () => {
  const producer = await init('t');
  const offsets = [{ topic: 'orders', partition: 0, offset: 7n, leaderEpoch: -1, metadata: '' }];
  const pending = { groupId: 'g', generationId: -1, offsets, transaction: producer };
  expect((await agent.commitOffsets(pending)).errorCode).toBe(INVALID_TXN_STATE);
  expect((await agent.addToTransaction({ ...producer, groupIds: ['g'] })).errorCode).toBe(0);
  expect((await agent.commitOffsets(pending)).errorCode).toBe(0);
  const fetch = async (requireStable: boolean) => {
    const partitions = [{ topic: 'orders', partition: 0 }];
    const answer = await agent.fetchOffsets({ groupId: 'g', partitions, requireStable });
    return answer.offsets.map(({ offset, errorCode }) => [Number(offset), errorCode]);
  };
  expect(await fetch(false)).toEqual([[-1, 0]]);
  expect(await fetch(true)).toEqual([[-1, UNSTABLE_OFFSET_COMMIT]]);
  await end(producer, true);
  expect(await fetch(true)).toEqual([[7, 0]]);
});

test('adds and verifies partitions and lists the stable end', async () => {
  const producer = await init('t');
  const partitions = [{ topicId, partition: 1 }];
  const verify = { ...producer, partitions, verifyOnly: true };
  expect((await agent.addToTransaction(verify)).partitionErrorCodes).toEqual([TRANSACTION_ABORTABLE]);
  expect(await agent.addToTransaction({ ...producer, partitions })).toMatchObject({ errorCode: 0 });
  expect((await agent.addToTransaction(verify)).partitionErrorCodes).toEqual([0]);
  await write(producer);
  const query = { topicId, partition: 0, timestampMs: -1n };
  const { answers } = await agent.listOffsets({ queries: [query, { ...query, readCommitted: true }] });
  expect(answers.map(({ offset }) => offset)).toEqual([2n, 0n]);
});

test('an operator finds and aborts the open transaction', async () => {
  const producer = await init('t');
  await init('idle');
  await write(producer);
  const { partitions } = await agent.describeProducers({ partitions: [{ topicId, partition: 0 }] });
  expect(partitions[0]?.producers).toMatchObject([{ producerId: producer.producerId, transactionStartOffset: 0n }]);
  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  const { clusterId } = cluster;
  const list = async () => {
    const page = { limit: 10 };
    return (await admin.client.adminListTransactions({ clusterId, page, states: ['Ongoing'] })).transactions;
  };
  const { topicNames } = await admin.client.adminListTransactions({ clusterId, transactionalId: 't' });
  expect(topicNames).toMatchObject([{ topicId, name: 'orders' }]);
  expect(await list()).toMatchObject([
    { transactionalId: 't', clientId: 'test', partitions: [{ topicId, partition: 0 }] },
  ]);
  const request = { transactionalId: 't', actor: 'somebody' };
  expect((await admin.client.adminAbortTransaction({ clusterId, request })).errorCode).toBe(0);
  expect(await list()).toEqual([]);
  admin.close();
  const { transactions } = await agent.describeTransactions({ transactionalIds: ['t', 'x'] });
  expect(transactions).toMatchObject([{ state: 'CompleteAbort', startedAtMs: -1n }, { errorCode: 105 }]);
});
