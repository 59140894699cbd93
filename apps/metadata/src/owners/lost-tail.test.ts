import { HistoryLost } from '@penstock/metadata-journal';
import { beforeEach, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { OwnerSteppedDown } from './errors.ts';
import type { Owner } from './owner.ts';
import { recover } from './recovery.ts';

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

async function causeOf(outcome: Promise<unknown>): Promise<unknown> {
  const error = await outcome.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(OwnerSteppedDown);
  return error instanceof Error ? error.cause : undefined;
}

/** The last entry that a loss left, the witness, and the entry that it knows. */
async function stopOf({ stops, cluster }: ClusterFixture) {
  const { stop } = await stops.past(cluster.clusterId);
  return stop === undefined ? undefined : { last: stop.last.seq, witness: stop.witness, knows: stop.witnessed.seq };
}

test('an idle owner appends nothing after a lost tail', async () => {
  const topicId = await fixture.createTopic(owner, 'orders');
  await owner.submit(fixture.commit(topicId, [0]));
  await owner.submit(fixture.commit(topicId, [0]));
  fixture.journal.memory.loseTail(fixture.cluster.clusterId, owner.journalSeq - 2);
  expect(await causeOf(owner.submit(fixture.commit(topicId, [0])))).toBeInstanceOf(HistoryLost);
  const entries = await fixture.journal.entries(fixture.cluster.clusterId);
  expect(entries.map((entry) => entry.seq)).toEqual([1, 2]);
  expect(await stopOf(fixture)).toEqual({ last: 2, witness: 'its owner', knows: 4 });
});

test('an owner appends nothing to another history', async () => {
  const topicId = await fixture.createTopic(owner, 'orders');
  await owner.submit(fixture.commit(topicId, [0], 5));
  fixture.journal.memory.loseTail(fixture.cluster.clusterId, owner.journalSeq - 1);
  const other = await fixture.open();
  expect(other.journalSeq).toBe(owner.journalSeq);
  expect(await causeOf(owner.submit(fixture.commit(topicId, [0], 7)))).toBeInstanceOf(HistoryLost);
  const { state } = await recover(fixture.journal, fixture.cluster, fixture.clock, {
    onSnapshotUnreadable: () => undefined,
  });
  expect(state.topicsByName.get('orders')?.partitions[0]?.highWatermark).toBe(0);
  expect(await stopOf(fixture)).toEqual({ last: other.journalSeq, witness: 'its owner', knows: other.journalSeq });
});

test('a snapshot of a lost history is not used', async () => {
  const topicId = await fixture.createTopic(owner, 'orders');
  await owner.submit(fixture.commit(topicId, [0]));
  await owner.takeSnapshot();
  fixture.journal.memory.loseTail(fixture.cluster.clusterId, owner.journalSeq - 1, { keepSnapshots: true });
  await expect(fixture.open()).rejects.toThrow(HistoryLost);
});
