import { buffer } from 'node:stream/consumers';
import { type ClusterState, createState, encodeEntry, encodeSnapshot, replayEntry } from '@penstock/metadata-core';
import { JOURNAL_START } from '@penstock/metadata-journal';
import { DAY_MS } from '@penstock/units';
import { expect, test, vi } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import { snapshotFromJournal } from '../testing/snapshot-from-journal.ts';
import { OwnerSteppedDown } from './errors.ts';
import { recover } from './recovery.ts';
import { SNAPSHOT_AFTER_BYTES, Snapshots } from './snapshots.ts';

const MIB = 1024 * 1024;

async function clusterWithCommits(commits: number) {
  const fixture = new ClusterFixture();
  const owner = await fixture.open();
  const topicId = await fixture.createTopic(owner, 'orders', 2);
  for (let n = 0; n < commits; n += 1) {
    await owner.submit(fixture.commit(topicId, [0, 1]));
  }
  return { fixture, owner, topicId };
}

async function recoveredState(fixture: ClusterFixture): Promise<{ state: ClusterState; replayedEntries: number }> {
  return await recover(fixture.journal, fixture.cluster, fixture.clock, { onSnapshotUnreadable: () => undefined });
}

test('a snapshot is byte for byte the state of the owner', async () => {
  const { fixture, owner } = await clusterWithCommits(5);
  await owner.takeSnapshot();
  const stored = await fixture.journal.readSnapshot(fixture.cluster.clusterId);
  const live = await owner.read((state) => encodeSnapshot(state));
  expect(stored && Buffer.from(live).equals(await buffer(stored.parts))).toBe(true);
});

test('a snapshot amid commits is exactly the state of its entry', async () => {
  const { fixture, owner, topicId } = await clusterWithCommits(3);
  const { journal, cluster } = fixture;
  const commits = Array.from({ length: 3 }, () => owner.submit(fixture.commit(topicId, [0, 1])));
  const taken = owner.takeSnapshot();
  const later = Array.from({ length: 40 }, () => owner.submit(fixture.commit(topicId, [0])));
  const { seq } = await taken;
  await Promise.all([...commits, ...later]);
  const replayed = createState(cluster.clusterId);
  for await (const entry of journal.read(cluster.clusterId, JOURNAL_START)) {
    if (entry.seq <= seq) {
      replayEntry(replayed, entry.bytes);
    }
  }
  const stored = await journal.readSnapshot(cluster.clusterId);
  expect(stored?.position.seq).toBe(seq);
  expect(stored && Buffer.from(encodeSnapshot(replayed)).equals(await buffer(stored.parts))).toBe(true);
});

test('an owner that closes while it writes a snapshot leaves none', async () => {
  const { fixture, owner } = await clusterWithCommits(3);
  const taken = owner.takeSnapshot();
  owner.leaseLost('another process holds the lease');
  await expect(taken).rejects.toThrow(OwnerSteppedDown);
  expect(await fixture.journal.readSnapshot(fixture.cluster.clusterId)).toBeUndefined();
});

test('recovery replays only the journal after the newest snapshot', async () => {
  const { fixture, owner, topicId } = await clusterWithCommits(5);
  await owner.takeSnapshot();
  for (let n = 0; n < 3; n += 1) {
    await owner.submit(fixture.commit(topicId, [0, 1]));
  }
  await owner.takeSnapshot();
  await owner.submit(fixture.commit(topicId, [0]));
  const live = await owner.read((state) => encodeSnapshot(state));
  const { state, replayedEntries } = await recoveredState(fixture);
  expect(replayedEntries).toBe(1);
  expect(Buffer.from(encodeSnapshot(state)).equals(live)).toBe(true);
});

test('skips an unreadable snapshot and reports it', async () => {
  const { fixture, owner, topicId } = await clusterWithCommits(2);
  await owner.takeSnapshot();
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

test('cuts the journal behind two snapshots once folded and old', async () => {
  const { fixture, owner } = await clusterWithCommits(2);
  const { journal, cluster } = fixture;
  // More unneeded entries than are kept anyway.
  let position = owner.journalPosition;
  while (position.seq < 10_010) {
    position = await journal.append(cluster, position, encodeEntry({ nowMs: fixture.clock.nowMs(), commands: [] }));
  }
  journal.memory.markFolded(cluster.clusterId, 10_010);
  await snapshotFromJournal(journal, cluster.clusterId, 10_005, DAY_MS);
  journal.memory.age(cluster.clusterId, 3, 2 * DAY_MS);
  const { cutEntries } = await snapshotFromJournal(journal, cluster.clusterId, 10_010, DAY_MS);
  expect(cutEntries).toBe(3);
  expect((await journal.readSnapshot(cluster.clusterId))?.position.seq).toBe(10_010);
});

// One at a time.
test('a snapshot is due after 32 MiB, or more for a large state', async () => {
  const taken: number[] = [];
  let finish: (() => void) | undefined;
  const snapshots = new Snapshots(
    {
      take: async (throughSeq) => {
        taken.push(throughSeq);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { seq: throughSeq, bytes: 300 * MIB, cutEntries: 0 };
      },
      onWritten: () => undefined,
      onFailed: () => undefined,
    },
    { entries: 0, bytes: 0 },
  );
  snapshots.count(1, SNAPSHOT_AFTER_BYTES - MIB);
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

test('replayed journal counts towards the next snapshot', () => {
  const take = vi.fn(async (seq: number) => ({ seq, bytes: 1, cutEntries: 0 }));
  const options = { take, onWritten: () => undefined, onFailed: () => undefined };
  new Snapshots(options, { entries: 10, bytes: SNAPSHOT_AFTER_BYTES }).count(11, 1);
  expect(take).toHaveBeenCalledWith(11);
});

// After as much journal again.
test('a failed snapshot is reported and retried later', async () => {
  const failures: unknown[] = [];
  const take = vi.fn(async () => {
    throw new Error('the disk is full');
  });
  const snapshots = new Snapshots(
    { take, onWritten: () => undefined, onFailed: (error) => failures.push(error) },
    { entries: 0, bytes: 0 },
  );
  snapshots.count(1, SNAPSHOT_AFTER_BYTES);
  await settle();
  snapshots.count(2, SNAPSHOT_AFTER_BYTES);
  await settle();
  expect(take).toHaveBeenCalledTimes(2);
  expect(failures).toHaveLength(2);
});
