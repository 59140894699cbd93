import { expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';

test('aborts transactions after their timeout, across owners', async () => {
  const fixture = new ClusterFixture();
  const first = await fixture.open();
  const topicId = await fixture.createTopic(first, 'orders');
  const { producerId, producerEpoch } = await first.submit({
    kind: 'init-transactional-producer',
    transactionalId: 't',
    producerId: -1,
    producerEpoch: -1,
    timeoutMs: 10_000,
    clientId: '',
    agentId: '',
  });
  const added = { kind: 'add-to-transaction', transactionalId: 't', producerId, producerEpoch } as const;
  await first.submit({ ...added, partitions: [{ topicId, partition: 0 }], groupIds: [] });
  await first.retire();
  const owner = await fixture.open();
  await fixture.clock.advance(9_000);
  expect(await owner.read((state) => state.transactions.open.size)).toBe(1);
  await fixture.clock.advance(3_000);
  expect(await owner.read((state) => state.transactions.byId.get('t')?.state)).toBe('CompleteAbort');
});
