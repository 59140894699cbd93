import { create } from '@bufbuild/protobuf';
import { DescribedTransactionSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { abortTransaction } from './abort-transaction.ts';
import { getTransaction, listTransactions } from './list-transactions.ts';
import type { TransactionState } from './transaction-state.ts';

const TOPIC_ID = '01020304-0506-0708-090a-0b0c0d0e0f10';
const plane = setUpControlPlane();

async function setUp() {
  const tenant = await plane.newTenant();
  const { id: clusterId } = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  metadata.topicNames.set(TOPIC_ID, 'orders');
  const topicId = Uint8Array.from({ length: 16 }, (_, index) => index + 1);
  const producers = [
    { transactionalId: 'idle', state: 'CompleteCommit', startedAtMs: -1n },
    { transactionalId: 'young', state: 'Ongoing', startedAtMs: 9_000n },
    {
      transactionalId: 'hanging',
      state: 'Ongoing',
      startedAtMs: 1_000n,
      producerId: 7n,
      producerEpoch: 2,
      timeoutMs: 60_000,
      partitions: [
        { topicId, partition: 2 },
        { topicId, partition: 0 },
        { topicId: new Uint8Array(16), partition: 0 },
      ],
      groupIds: ['readers'],
      clientId: 'billing',
      agentId: 'agent-1',
      updatedAtMs: 1_000n,
    },
  ];
  for (const producer of producers) {
    metadata.transactions.set(producer.transactionalId, create(DescribedTransactionSchema, producer));
  }
  const list = (state?: TransactionState) =>
    tenant.read((scope) => listTransactions(scope, metadata, { clusterId, state, slice: undefined }));
  const get = (transactionalId: string) =>
    tenant.read((scope) => getTransaction(scope, metadata, { clusterId, transactionalId }));
  const abort = (transactionalId: string, confirmation = transactionalId) =>
    tenant.run((scope) => abortTransaction(scope, metadata, { clusterId, transactionalId, confirmation }));
  return { tenant, metadata, list, get, abort, clusterId };
}

test('lists the longest open transactions first', async () => {
  const { list, get } = await setUp();
  const found = await list();
  expect(found.map(({ transactionalId }) => transactionalId)).toEqual(['hanging', 'young', 'idle']);
  expect(found[0]).toMatchObject({
    state: 'Ongoing',
    producerId: 7,
    producerEpoch: 2,
    timeoutMs: 60_000,
    startedAtMs: 1_000,
    partitions: [
      { topic: 'orders', partition: 0 },
      { topic: 'orders', partition: 2 },
    ],
    groupIds: ['readers'],
    clientId: 'billing',
    agentId: 'agent-1',
  });
  expect(found[2]).toMatchObject({ startedAtMs: null, openMs: null, partitions: [] });
  expect(await list('CompleteCommit')).toEqual([found[2]]);
  expect((await get('hanging')).partitions).toEqual(found[0]?.partitions);
  expect(await refusalOf(get('nobody'))).toBe('transaction_not_found');
});

test('aborting an open transaction is recorded in the audit log', async () => {
  const { tenant, metadata, abort, clusterId } = await setUp();
  await abort('hanging');
  expect(metadata.transactions.get('hanging')?.state).toBe('CompleteAbort');
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'transaction.abort',
    targetId: `${clusterId}/hanging`,
    after: { clusterId, transactionalId: 'hanging' },
  });
});

test('refuses unknown, ended and unconfirmed ones without audit', async () => {
  const { tenant, metadata, abort } = await setUp();
  const rows = (await plane.auditOf(tenant)).length;
  expect(await refusalOf(abort('idle'))).toBe('transaction_not_open');
  expect(await refusalOf(abort('nobody'))).toBe('transaction_not_found');
  expect(await refusalOf(abort('hanging', 'hangin'))).toBe('confirmation_mismatch');
  metadata.isDown = true;
  expect(await refusalOf(abort('hanging'))).toBe('metadata_unavailable');
  expect(metadata.transactions.get('hanging')?.state).toBe('Ongoing');
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});

test('never asks about another organization’s cluster', async () => {
  const { metadata, clusterId } = await setUp();
  const stranger = await plane.newTenant();
  const input = { clusterId, transactionalId: 'hanging', confirmation: 'hanging', slice: undefined };
  expect(await refusalOf(stranger.run((scope) => abortTransaction(scope, metadata, input)))).toBe('cluster_not_found');
  expect(await refusalOf(stranger.read((scope) => listTransactions(scope, metadata, input)))).toBe('cluster_not_found');
  expect(metadata.transactions.get('hanging')?.state).toBe('Ongoing');
});
