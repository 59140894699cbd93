// Retention of clusters with many partitions, through an owner and its journal.
import { decodeEntry, type Id, partitionBounds } from '@penstock/metadata-core';
import { expect, test, vi } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { randomIds } from './ids.ts';
import type { Owner } from './owner.ts';

const PARTITIONS = 3_500;

function firstOffsets(owner: Owner, topicId: Id): Promise<Set<number>> {
  return owner.read(
    (state) =>
      new Set(
        [...Array(PARTITIONS).keys()].map((partition) => partitionBounds(state, topicId, partition).logStartOffset),
      ),
  );
}

test('retention removes at most 1,000 partitions per command', async () => {
  const fixture = new ClusterFixture();
  const owner = await fixture.open();
  const topicId = randomIds.uuidBytes();
  const configs = [{ name: 'retention.ms', value: '1000' }];
  const topics = [{ name: 'orders', topicId, partitions: PARTITIONS, configs }];
  await owner.submit({ kind: 'create-topics', topics, validateOnly: false });
  await owner.submit(fixture.commit(topicId, [...Array(PARTITIONS).keys()]));
  await fixture.clock.advance(30_000);
  await vi.waitFor(async () => expect(await firstOffsets(owner, topicId)).toEqual(new Set([1])));
  const entries = await fixture.journal.entries(fixture.cluster.clusterId);
  const sizes = entries
    .flatMap(({ bytes }) => decodeEntry(bytes).commands)
    .flatMap((command) => (command.kind === 'expire-runs' ? command.topics : []))
    .map(({ partitions }) => partitions.length);
  expect(sizes).toEqual([1_000, 1_000, 1_000, 500]);
});
