import { type ClusterState, encodeEntry, encodeSnapshot } from '@penstock/metadata-core';
import { joinParts } from '@penstock/metadata-journal';
import { expect, test, vi } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import { recover } from './recovery.ts';
import { Snapshots } from './snapshots.ts';
import { takeSnapshot } from './take-snapshot.ts';

const MIB = 1024 * 1024;

async function clusterWithCommits(commits: number) {
  const fixture = new ClusterFixture();
  const owner = await fixture.open();
  const topicId = await fixture.createTopic(owner, 'orders', 2);
  for (let n = 0; n < commits; n += 1) await owner.submit(fixture.commit(topicId, [0, 1]));
  return { fixture, owner, topicId };
}

async function recoveredState(fixture: ClusterFixture): Promise<{ state: ClusterState; replayedEntries: number }> {
  return await recover(fixture.journal, fixture.cluster, fixture.clock, { onSnapshotUnreadable: () => undefined });
}

test('a snapshot from the journal is byte for byte the state of the owner', async () => {
  const { fixture, owner } = await clusterWithCommits(5);
  await takeSnapshot(fixture.journal, fixture.cluster.clusterId, owner.journalSeq);
  const stored = await fixture.journal.readSnapshot(fixture.cluster.clusterId);
  const live = await owner.read((state) => encodeSnapshot(state));
  expect(stored && Buffer.from(live).equals(await joinParts(stored.parts))).toBe(true);
});

test('the next snapshot builds on the last one, and recovery replays only what lies behind it', async () => {
  const { fixture, owner, topicId } = await clusterWithCommits(5);
  await takeSnapshot(fixture.journal, fixture.cluster.clusterId, owner.journalSeq);
  for (let n = 0; n < 3; n += 1) await owner.submit(fixture.commit(topicId, [0, 1]));
  await takeSnapshot(fixture.journal, fixture.cluster.clusterId, owner.journalSeq);
  await owner.submit(fixture.commit(topicId, [0]));
  const live = await owner.read((state) => encodeSnapshot(state));
  const { state, replayedEntries } = await recoveredState(fixture);
  expect(replayedEntries).toBe(1);
  expect(Buffer.from(encodeSnapshot(state)).equals(live)).toBe(true);
});

test('a snapshot that cannot be read is reported and the one before it is used', async () => {
  const { fixture, owner, topicId } = await clusterWithCommits(2);
  await takeSnapshot(fixture.journal, fixture.cluster.clusterId, owner.journalSeq);
  const goodSeq = owner.journalSeq;
  await owner.submit(fixture.commit(topicId, [0]));
  await fixture.journal.writeSnapshot(fixture.cluster.clusterId, owner.journalPosition, [Buffer.from('damaged')]);
  const unreadable: number[] = [];
  const { state, replayedEntries } = await recover(fixture.journal, fixture.cluster, fixture.clock, {
    onSnapshotUnreadable: (seq) => unreadable.push(seq),
  });
  expect(unreadable).toEqual([goodSeq + 1]);
  expect(replayedEntries).toBe(1);
  expect(state.topicsByName.get('orders')?.partitions[0]?.highWatermark).toBe(3);
});

test('the journal behind two snapshots goes once it is folded and older than the days that it is kept', async () => {
  const { fixture, owner } = await clusterWithCommits(2);
  const { journal, cluster } = fixture;
  const day_ms = 86_400_000;
  // Entries that nobody needs but for looking back: more than are kept anyway.
  let position = owner.journalPosition;
  while (position.seq < 10_010) {
    position = await journal.append(cluster, position, encodeEntry({ nowMs: fixture.clock.nowMs(), commands: [] }));
  }
  journal.memory.markFolded(cluster.clusterId, 10_010);
  await takeSnapshot(journal, cluster.clusterId, 10_005, day_ms);
  journal.memory.age(cluster.clusterId, 3, 2 * day_ms);
  const { cutEntries } = await takeSnapshot(journal, cluster.clusterId, 10_010, day_ms);
  expect(cutEntries).toBe(3);
  expect((await journal.readSnapshot(cluster.clusterId))?.position.seq).toBe(10_010);
});

test('a snapshot is due after 64 MiB of journal, one at a time, and less often for a large state', async () => {
  const taken: number[] = [];
  let finish: (() => void) | undefined;
  const snapshots = new Snapshots(
    {
      take: async (throughSeq) => {
        taken.push(throughSeq);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { seq: throughSeq, bytes: 100 * MIB, cutEntries: 0 };
      },
      onWritten: () => undefined,
      onFailed: () => undefined,
    },
    { entries: 0, bytes: 0 },
  );
  snapshots.count(1, 63 * MIB);
  expect(taken).toEqual([]);
  snapshots.count(2, MIB);
  expect(taken).toEqual([2]);
  snapshots.count(3, 500 * MIB);
  expect(taken).toEqual([2]);
  finish?.();
  await settle();
  snapshots.count(4, 1);
  expect(taken).toEqual([2, 4]);
  finish?.();
  await settle();
  snapshots.count(5, 70 * MIB);
  expect(taken).toEqual([2, 4]);
  snapshots.count(6, 30 * MIB);
  expect(taken).toEqual([2, 4, 6]);
});

test('journal that recovery had to replay counts towards the next snapshot', () => {
  const take = vi.fn(async (seq: number) => ({ seq, bytes: 1, cutEntries: 0 }));
  const options = { take, onWritten: () => undefined, onFailed: () => undefined };
  new Snapshots(options, { entries: 10, bytes: 64 * MIB }).count(11, 1);
  expect(take).toHaveBeenCalledWith(11);
});

test('a snapshot that fails is reported, and tried again after as much journal', async () => {
  const failures: unknown[] = [];
  const take = vi.fn(async () => {
    throw new Error('the disk is full');
  });
  const snapshots = new Snapshots(
    { take, onWritten: () => undefined, onFailed: (error) => failures.push(error) },
    { entries: 0, bytes: 0 },
  );
  snapshots.count(1, 64 * MIB);
  await settle();
  snapshots.count(2, 64 * MIB);
  await settle();
  expect(take).toHaveBeenCalledTimes(2);
  expect(failures).toHaveLength(2);
});
