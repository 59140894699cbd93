// How loading treats a broken state: one that a snapshot holds, or that the commands behind it lead to.
import { type ClusterState, decodeSnapshot, encodeSnapshot } from '@penstock/metadata-core';
import type { JournalPosition } from '@penstock/metadata-journal';
import { expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { loadState, StateBroken } from './load-state.ts';

interface Staged {
  fixture: ClusterFixture;
  /** The entries at which it has broken snapshots. */
  positions: JournalPosition[];
}

/** A cluster with two snapshots that somebody broke, each followed by a commit. */
async function staged(spoil: (state: ClusterState) => void): Promise<Staged> {
  const fixture = new ClusterFixture();
  const { clusterId } = fixture.cluster;
  const owner = await fixture.open();
  const topicId = await fixture.createTopic(owner, 'orders');
  await owner.submit({ kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId: topicId });
  const positions: JournalPosition[] = [];
  for (let nth = 0; nth < 2; nth += 1) {
    const position = owner.journalPosition;
    const bytes = await owner.read((state) => {
      const copy = decodeSnapshot(encodeSnapshot(state));
      spoil(copy);
      return encodeSnapshot(copy);
    });
    await fixture.journal.writeSnapshot(clusterId, position, [bytes]);
    positions.push(position);
    await owner.submit(fixture.commit(topicId, [0]));
  }
  return { fixture, positions };
}

/** A producer id that was granted could be granted again. */
function forgetGrants(state: ClusterState): void {
  state.nextProducerId = 1;
}

/** Breaks something that no command compares: only the check of the whole state finds it. */
function cleanTooMuch(state: ClusterState): void {
  const partition = state.topicsByName.get('orders')?.partitions[0];
  if (partition !== undefined) {
    partition.cleanedOffset = 99;
  }
}

async function load({ fixture }: Staged): Promise<{ state: ClusterState; passedOver: [number, string][] }> {
  const passedOver: [number, string][] = [];
  const { state } = await loadState(fixture.journal, fixture.cluster.clusterId, {
    onSnapshotUnreadable: (seq, error) => passedOver.push([seq, (error as Error).name]),
  });
  return { state, passedOver };
}

test('broken snapshots are passed over while the journal is whole', async () => {
  const cluster = await staged(cleanTooMuch);
  const { state, passedOver } = await load(cluster);
  expect(passedOver).toEqual(cluster.positions.map(({ seq }) => [seq, 'StateBroken']).reverse());
  expect(state.topicsByName.get('orders')?.partitions[0]).toMatchObject({ cleanedOffset: 0, highWatermark: 2 });
});

async function cutJournal({ fixture }: Staged): Promise<void> {
  const { clusterId } = fixture.cluster;
  fixture.journal.memory.markFolded(clusterId, Number.MAX_SAFE_INTEGER);
  expect(await fixture.journal.cut(clusterId, { entries: 0, ageMs: 0 })).toBeGreaterThan(0);
}

test('a replay that breaks names its entry and its command', async () => {
  const cluster = await staged(forgetGrants);
  await cutJournal(cluster);
  const error: unknown = await load(cluster).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StateBroken);
  const { fault } = error as StateBroken;
  const newest = cluster.positions[1]?.seq ?? Number.NaN;
  expect(fault).toMatchObject({
    position: { seq: newest + 1 },
    command: 'commit-file',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    message: expect.stringContaining('has a producer id of its own: found 1, the most is 0'),
  });
});

test('a broken state names the last command that led to it', async () => {
  const cluster = await staged(cleanTooMuch);
  await cutJournal(cluster);
  const error: unknown = await load(cluster).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StateBroken);
  expect((error as StateBroken).fault).toMatchObject({
    command: 'commit-file',
    message: expect.stringContaining('what is cleaned is in the log: found 99'),
  });
});
