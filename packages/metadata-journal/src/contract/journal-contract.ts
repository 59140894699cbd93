// What every implementation of Journal must keep. Each implementation's test file runs this suite.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Fenced, JournalDamaged } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry } from '../journal.ts';

export interface JournalHarness {
  /** The implementation under test. Tests use a cluster of their own each, so that one may serve all. */
  journal(): Journal;
  /** Says that metering has folded the entries up to this one. */
  markFolded(clusterId: string, throughSeq: number): Promise<void>;
  /** Makes the entries up to this one older. */
  age(clusterId: string, throughSeq: number, byMs: number): Promise<void>;
}

function newCluster(): ClusterIdentity {
  return { clusterId: randomUUID(), organizationId: 'org' };
}

function entryBytes(seq: number): Uint8Array {
  return Buffer.from(`entry ${seq}`);
}

async function collect(entries: AsyncIterable<JournalEntry>): Promise<JournalEntry[]> {
  const all: JournalEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

async function seqs(entries: AsyncIterable<JournalEntry>): Promise<number[]> {
  return (await collect(entries)).map((entry) => entry.seq);
}

async function appendThrough(journal: Journal, cluster: ClusterIdentity, lastSeq: number): Promise<void> {
  for (let seq = 1; seq <= lastSeq; seq += 1) await journal.append(cluster, seq, entryBytes(seq));
}

export function describeJournal(name: string, harness: JournalHarness): void {
  describe(`${name}: append and read`, () => {
    test('an entry comes back with the very bytes that were appended', async () => {
      const cluster = newCluster();
      const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);
      await harness.journal().append(cluster, 1, everyByte);
      const [entry] = await collect(harness.journal().read(cluster.clusterId, 0));
      expect(entry?.seq).toBe(1);
      expect(Buffer.from(entry?.bytes ?? []).equals(everyByte)).toBe(true);
    });

    test('an entry of many megabytes comes back whole', async () => {
      const cluster = newCluster();
      const bytes = randomBytes(20 * 1024 * 1024);
      await harness.journal().append(cluster, 1, bytes);
      await harness.journal().append(cluster, 2, bytes);
      const entries = await collect(harness.journal().read(cluster.clusterId, 0));
      expect(entries.map((entry) => bytes.equals(entry.bytes))).toEqual([true, true]);
    });

    test('bytes are stored as they were at the call, whatever the caller does with its buffer later', async () => {
      const cluster = newCluster();
      const buffer = Buffer.from('before');
      await harness.journal().append(cluster, 1, buffer);
      buffer.write('after!');
      const [entry] = await collect(harness.journal().read(cluster.clusterId, 0));
      expect(Buffer.from(entry?.bytes ?? []).toString()).toBe('before');
    });

    test('entries are read in order, from any point, over more than one page', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 600);
      expect(await seqs(harness.journal().read(cluster.clusterId, 0))).toEqual(
        Array.from({ length: 600 }, (_, i) => i + 1),
      );
      expect(await seqs(harness.journal().read(cluster.clusterId, 597))).toEqual([598, 599, 600]);
      expect(await seqs(harness.journal().read(cluster.clusterId, 600))).toEqual([]);
    });

    test('clusters do not see each other', async () => {
      const [one, other] = [newCluster(), newCluster()];
      await appendThrough(harness.journal(), one, 2);
      expect(await seqs(harness.journal().read(other.clusterId, 0))).toEqual([]);
    });

    test('a missing entry is reported, never skipped over', async () => {
      const cluster = newCluster();
      await harness.journal().append(cluster, 1, entryBytes(1));
      await harness.journal().append(cluster, 3, entryBytes(3));
      await expect(seqs(harness.journal().read(cluster.clusterId, 0))).rejects.toThrow(JournalDamaged);
    });
  });

  describe(`${name}: fence`, () => {
    test('of two owners that append the same entry exactly one succeeds and the other is fenced', async () => {
      const cluster = newCluster();
      const attempts = Array.from({ length: 8 }, (_, owner) =>
        harness.journal().append(cluster, 1, Buffer.from(`owner ${owner}`)),
      );
      const outcomes = await Promise.allSettled(attempts);
      const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map((outcome) => outcome.reason instanceof Fenced)).toEqual(Array(7).fill(true));
      const [entry] = await collect(harness.journal().read(cluster.clusterId, 0));
      expect(Buffer.from(entry?.bytes ?? []).toString()).toBe(`owner ${winner}`);
    });

    test('an owner that slept through a cut is fenced even where its entry has left the journal', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      await harness.journal().writeSnapshot(cluster.clusterId, 8, [entryBytes(8)]);
      await harness.journal().writeSnapshot(cluster.clusterId, 10, [entryBytes(10)]);
      await harness.markFolded(cluster.clusterId, 10);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(8);
      await expect(harness.journal().append(cluster, 5, Buffer.from('stale'))).rejects.toThrow(Fenced);
      expect(await seqs(harness.journal().read(cluster.clusterId, 8))).toEqual([9, 10]);
    });
  });

  describe(`${name}: snapshots and cuts`, () => {
    test('a snapshot comes back whole from its parts, the newest first', async () => {
      const { clusterId } = newCluster();
      expect(await harness.journal().readSnapshot(clusterId)).toBeUndefined();
      await harness.journal().writeSnapshot(clusterId, 5, [Buffer.from('old')]);
      await harness
        .journal()
        .writeSnapshot(clusterId, 9, [Buffer.from('in '), Buffer.from('three '), Buffer.from('parts')]);
      const newest = await harness.journal().readSnapshot(clusterId);
      expect(newest?.seq).toBe(9);
      expect(Buffer.from(newest?.bytes ?? []).toString()).toBe('in three parts');
      expect((await harness.journal().readSnapshot(clusterId, 9))?.seq).toBe(5);
    });

    test('storing the same snapshot again replaces it', async () => {
      const { clusterId } = newCluster();
      await harness.journal().writeSnapshot(clusterId, 5, [Buffer.from('a'), Buffer.from('b')]);
      await harness.journal().writeSnapshot(clusterId, 5, [Buffer.from('c')]);
      expect(Buffer.from((await harness.journal().readSnapshot(clusterId))?.bytes ?? []).toString()).toBe('c');
    });

    test('a snapshot whose writer failed half-way is never used', async () => {
      const { clusterId } = newCluster();
      await harness.journal().writeSnapshot(clusterId, 5, [Buffer.from('whole')]);
      function* failing(): Iterable<Uint8Array> {
        yield Buffer.from('first');
        yield Buffer.from('second');
        throw new Error('the writer died');
      }
      await expect(harness.journal().writeSnapshot(clusterId, 9, failing())).rejects.toThrow('the writer died');
      expect((await harness.journal().readSnapshot(clusterId))?.seq).toBe(5);
    });

    test('nothing is cut that metering has not folded', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, 15, [entryBytes(15)]);
      await harness.journal().writeSnapshot(cluster.clusterId, 20, [entryBytes(20)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(0);
      await harness.markFolded(cluster.clusterId, 7);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(7);
      expect(await seqs(harness.journal().read(cluster.clusterId, 7))).toEqual([
        8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
      ]);
    });

    test('a cut leaves what recovery from the second newest snapshot needs, and the retention margin before it', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.markFolded(cluster.clusterId, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, 5, [entryBytes(5)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(0);
      await harness.journal().writeSnapshot(cluster.clusterId, 12, [entryBytes(12)]);
      await harness.journal().writeSnapshot(cluster.clusterId, 18, [entryBytes(18)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 3, ageMs: 0 })).toBe(9);
      expect((await seqs(harness.journal().read(cluster.clusterId, 9)))[0]).toBe(10);
      expect((await harness.journal().readSnapshot(cluster.clusterId, 18))?.seq).toBe(12);
      expect(await harness.journal().readSnapshot(cluster.clusterId, 12)).toBeUndefined();
    });

    test('entries within the time that they are kept stay behind any snapshot, and none that follows on them goes', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.markFolded(cluster.clusterId, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, 15, [entryBytes(15)]);
      await harness.journal().writeSnapshot(cluster.clusterId, 20, [entryBytes(20)]);
      await harness.age(cluster.clusterId, 6, 3_600_000);
      const cut = (ageMs: number) => harness.journal().cut(cluster.clusterId, { entries: 0, ageMs });
      expect(await cut(7_200_000)).toBe(0);
      expect(await cut(1_800_000)).toBe(6);
      // As after a clock that was set back: 8 seems old, 7 does not.
      await harness.age(cluster.clusterId, 8, 3_600_000);
      await harness.age(cluster.clusterId, 7, -3_600_000);
      expect(await cut(1_800_000)).toBe(0);
      expect((await seqs(harness.journal().read(cluster.clusterId, 6)))[0]).toBe(7);
    });

    test('reading from before a cut is reported as damage', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      await harness.markFolded(cluster.clusterId, 10);
      await harness.journal().writeSnapshot(cluster.clusterId, 6, [entryBytes(6)]);
      await harness.journal().writeSnapshot(cluster.clusterId, 10, [entryBytes(10)]);
      await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 });
      await expect(seqs(harness.journal().read(cluster.clusterId, 0))).rejects.toThrow(JournalDamaged);
    });
  });
}
