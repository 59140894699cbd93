// The contract of Journal. The test file of each implementation runs this suite.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Fenced, HistoryLost, JournalDamaged } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry } from '../journal.ts';
import { JOURNAL_START, type JournalPosition, positionAfter } from '../position.ts';

export interface JournalHarness {
  /** The implementation under test. Each test uses a cluster of its own, so one instance may serve all tests. */
  journal(): Journal;
  /** Records that metering has folded the entries up to this one. */
  markFolded(clusterId: string, throughSeq: number): Promise<void>;
  /** Makes the entries up to this one older. */
  age(clusterId: string, throughSeq: number, byMs: number): Promise<void>;
  /** Removes the entries after this one, as a failover to a lagging replica does. Snapshots stay. */
  loseTail(clusterId: string, afterSeq: number): Promise<void>;
  /** Removes one entry of the journal. */
  loseEntry(clusterId: string, seq: number): Promise<void>;
  /** Changes the bytes of one entry. */
  changeEntry(clusterId: string, seq: number, bytes: Uint8Array): Promise<void>;
}

function newCluster(): ClusterIdentity {
  return { clusterId: randomUUID(), organizationId: 'org' };
}

function entryBytes(seq: number): Uint8Array {
  return Buffer.from(`entry ${seq}`);
}

/** The position after `seq` entries of `entryBytes`. */
function positionAt(seq: number): JournalPosition {
  let position = JOURNAL_START;
  for (let next = 1; next <= seq; next += 1) {
    position = positionAfter(position, entryBytes(next));
  }
  return position;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

async function seqs(entries: AsyncIterable<JournalEntry>): Promise<number[]> {
  return (await collect(entries)).map((entry) => entry.seq);
}

async function appendThrough(journal: Journal, cluster: ClusterIdentity, lastSeq: number): Promise<JournalPosition> {
  let position = JOURNAL_START;
  for (let seq = 1; seq <= lastSeq; seq += 1) {
    position = await journal.append(cluster, position, entryBytes(seq));
  }
  return position;
}

export function describeJournal(name: string, harness: JournalHarness): void {
  describe(`${name}: append and read`, () => {
    test('an entry is read back with the same bytes', async () => {
      const cluster = newCluster();
      const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);
      await harness.journal().append(cluster, JOURNAL_START, everyByte);
      const [entry] = await collect(harness.journal().read(cluster.clusterId, JOURNAL_START));
      expect(entry?.seq).toBe(1);
      expect(Buffer.from(entry?.bytes ?? []).equals(everyByte)).toBe(true);
    });

    test('an entry of many megabytes is read back completely', async () => {
      const cluster = newCluster();
      const bytes = randomBytes(20 * 1024 * 1024);
      const first = await harness.journal().append(cluster, JOURNAL_START, bytes);
      await harness.journal().append(cluster, first, bytes);
      const entries = await collect(harness.journal().read(cluster.clusterId, JOURNAL_START));
      expect(entries.map((entry) => bytes.equals(entry.bytes))).toEqual([true, true]);
    });

    // The caller may change its buffer later.
    test('bytes are stored as they were at the call', async () => {
      const cluster = newCluster();
      const buffer = Buffer.from('before');
      await harness.journal().append(cluster, JOURNAL_START, buffer);
      buffer.write('after!');
      const [entry] = await collect(harness.journal().read(cluster.clusterId, JOURNAL_START));
      expect(Buffer.from(entry?.bytes ?? []).toString()).toBe('before');
    });

    test('entries are read in order, from any point, across pages', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 600);
      expect(await seqs(harness.journal().read(cluster.clusterId, JOURNAL_START))).toEqual(
        Array.from({ length: 600 }, (_, i) => i + 1),
      );
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(597)))).toEqual([598, 599, 600]);
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(600)))).toEqual([]);
    });

    test('clusters are isolated from each other', async () => {
      const [one, other] = [newCluster(), newCluster()];
      await appendThrough(harness.journal(), one, 2);
      expect(await seqs(harness.journal().read(other.clusterId, JOURNAL_START))).toEqual([]);
    });

    test('a missing entry is reported, never skipped', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 3);
      await harness.loseEntry(cluster.clusterId, 2);
      await expect(seqs(harness.journal().read(cluster.clusterId, JOURNAL_START))).rejects.toThrow(JournalDamaged);
    });
  });

  describe(`${name}: fence`, () => {
    test('exactly one of two owners appends an entry', async () => {
      const cluster = newCluster();
      const attempts = Array.from({ length: 8 }, (_, owner) =>
        harness.journal().append(cluster, JOURNAL_START, Buffer.from(`owner ${owner}`)),
      );
      const outcomes = await Promise.allSettled(attempts);
      const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map((outcome) => outcome.reason instanceof Fenced)).toEqual(Array(7).fill(true));
      const [entry] = await collect(harness.journal().read(cluster.clusterId, JOURNAL_START));
      expect(Buffer.from(entry?.bytes ?? []).toString()).toBe(`owner ${winner}`);
    });

    test('a stale append is fenced by the position it names', async () => {
      const cluster = newCluster();
      const first = await harness.journal().append(cluster, JOURNAL_START, entryBytes(1));
      expect(first).toEqual(positionAt(1));
      expect(await harness.journal().append(cluster, first, entryBytes(2))).toEqual(positionAt(2));
      await expect(harness.journal().append(cluster, first, Buffer.from('stale'))).rejects.toThrow(Fenced);
      await expect(harness.journal().append(cluster, JOURNAL_START, Buffer.from('stale'))).rejects.toThrow(Fenced);
      const entries = await collect(harness.journal().read(cluster.clusterId, JOURNAL_START));
      expect(entries.map(({ seq, hash }) => ({ seq, hash }))).toEqual([positionAt(1), positionAt(2)]);
    });

    test('fences an owner paused during a cut that took its entry', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(8), [entryBytes(8)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(10), [entryBytes(10)]);
      await harness.markFolded(cluster.clusterId, 10);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(7);
      for (const slept of [0, 4, 7, 8]) {
        const append = harness.journal().append(cluster, positionAt(slept), Buffer.from('stale'));
        await expect(append).rejects.toThrow(Fenced);
      }
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(8)))).toEqual([9, 10]);
    });
  });

  describe(`${name}: lost history`, () => {
    test('nothing is appended after a lost tail', async () => {
      const cluster = newCluster();
      const last = await appendThrough(harness.journal(), cluster, 10);
      await harness.loseTail(cluster.clusterId, 8);
      const append = harness.journal().append(cluster, last, entryBytes(11));
      await expect(append).rejects.toThrow(HistoryLost);
      await expect(append).rejects.toMatchObject({ expected: positionAt(10), last: positionAt(8) });
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(7)))).toEqual([8]);
    });

    test('nothing is appended to another history of any length', async () => {
      for (const others of [1, 2, 3]) {
        const cluster = newCluster();
        const last = await appendThrough(harness.journal(), cluster, 10);
        await harness.loseTail(cluster.clusterId, 8);
        let other = positionAt(8);
        for (let n = 0; n < others; n += 1) {
          other = await harness.journal().append(cluster, other, Buffer.from(`other ${n}`));
        }
        const append = harness.journal().append(cluster, last, entryBytes(11));
        await expect(append).rejects.toThrow(HistoryLost);
        await expect(append).rejects.toMatchObject({ last: other });
        expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(8)))).toHaveLength(others);
      }
    });

    test('nothing is appended where the whole journal was lost', async () => {
      const cluster = newCluster();
      const last = await appendThrough(harness.journal(), cluster, 2);
      await harness.loseTail(cluster.clusterId, 0);
      const append = harness.journal().append(cluster, last, entryBytes(3));
      await expect(append).rejects.toMatchObject({ name: 'HistoryLost', last: JOURNAL_START });
    });

    test('reading after a position that is not held is refused', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      const other = positionAfter(positionAt(7), Buffer.from('other 8'));
      await expect(seqs(harness.journal().read(cluster.clusterId, other))).rejects.toThrow(HistoryLost);
      await harness.loseTail(cluster.clusterId, 8);
      await expect(seqs(harness.journal().read(cluster.clusterId, positionAt(9)))).rejects.toThrow(HistoryLost);
      await expect(seqs(harness.journal().read(cluster.clusterId, positionAt(10)))).rejects.toThrow(HistoryLost);
    });

    test('reading on from a snapshot of a lost history is refused', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(10), [entryBytes(10)]);
      await harness.loseTail(cluster.clusterId, 8);
      let other = positionAt(8);
      for (let n = 0; n < 4; n += 1) {
        other = await harness.journal().append(cluster, other, Buffer.from(`other ${n}`));
      }
      const snapshot = await harness.journal().readSnapshot(cluster.clusterId);
      const read = harness.journal().read(cluster.clusterId, snapshot?.position ?? JOURNAL_START);
      await expect(seqs(read)).rejects.toThrow(HistoryLost);
    });

    test('the status of a position: held, cut, or lost', async () => {
      const cluster = newCluster();
      const statusOf = (position: JournalPosition) => harness.journal().statusOf(cluster.clusterId, position);
      expect(await statusOf(JOURNAL_START)).toEqual({ kind: 'held' });
      expect(await statusOf(positionAt(1))).toEqual({ kind: 'lost', last: JOURNAL_START });
      await appendThrough(harness.journal(), cluster, 20);
      await harness.markFolded(cluster.clusterId, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(15), [entryBytes(15)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(20), [entryBytes(20)]);
      await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 });
      expect(await statusOf(positionAt(15))).toEqual({ kind: 'held' });
      expect(await statusOf(positionAt(20))).toEqual({ kind: 'held' });
      expect(await statusOf(positionAt(14))).toEqual({ kind: 'cut' });
      expect(await statusOf(JOURNAL_START)).toEqual({ kind: 'cut' });
      expect(await statusOf(positionAt(21))).toEqual({ kind: 'lost', last: positionAt(20) });
      expect(await statusOf({ seq: 17, hash: positionAt(18).hash })).toEqual({ kind: 'lost', last: positionAt(20) });
    });
  });

  describe(`${name}: the chain`, () => {
    test('reports changed entries and their successors as damage', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 5);
      await harness.changeEntry(cluster.clusterId, 3, Buffer.from('changed'));
      await expect(seqs(harness.journal().read(cluster.clusterId, JOURNAL_START))).rejects.toThrow(JournalDamaged);
      await expect(seqs(harness.journal().read(cluster.clusterId, positionAt(2)))).rejects.toThrow('entry 3');
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(3)))).toEqual([4, 5]);
    });
  });

  describe(`${name}: snapshots and cuts`, () => {
    test('a snapshot is read back from its parts, the newest first', async () => {
      const { clusterId } = newCluster();
      expect(await harness.journal().readSnapshot(clusterId)).toBeUndefined();
      await harness.journal().writeSnapshot(clusterId, positionAt(5), [Buffer.from('old')]);
      await harness
        .journal()
        .writeSnapshot(clusterId, positionAt(9), [Buffer.from('in '), Buffer.from('three '), Buffer.from('parts')]);
      const newest = await harness.journal().readSnapshot(clusterId);
      expect(newest?.position.seq).toBe(9);
      expect(newest?.position).toEqual(positionAt(9));
      const parts = newest === undefined ? [] : await collect(newest.parts);
      expect(parts.map((part) => Buffer.from(part).toString())).toEqual(['in ', 'three ', 'parts']);
      expect((await harness.journal().readSnapshot(clusterId, 9))?.position.seq).toBe(5);
    });

    test('storing the same snapshot again replaces it', async () => {
      const { clusterId } = newCluster();
      await harness.journal().writeSnapshot(clusterId, positionAt(5), [Buffer.from('a'), Buffer.from('b')]);
      await harness.journal().writeSnapshot(clusterId, positionAt(5), [Buffer.from('c')]);
      const stored = await harness.journal().readSnapshot(clusterId);
      expect(stored && Buffer.concat(await collect(stored.parts)).toString()).toBe('c');
    });

    test('a snapshot whose writer failed half-way is never used', async () => {
      const { clusterId } = newCluster();
      await harness.journal().writeSnapshot(clusterId, positionAt(5), [Buffer.from('whole')]);
      async function* failing(): AsyncIterable<Uint8Array> {
        yield Buffer.from('first');
        yield Buffer.from('second');
        throw new Error('the writer died');
      }
      await expect(harness.journal().writeSnapshot(clusterId, positionAt(9), failing())).rejects.toThrow(
        'the writer died',
      );
      expect((await harness.journal().readSnapshot(clusterId))?.position.seq).toBe(5);
    });

    test('nothing is cut that metering has not folded', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(15), [entryBytes(15)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(20), [entryBytes(20)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(0);
      await harness.markFolded(cluster.clusterId, 7);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(7);
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(7)))).toEqual([
        8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
      ]);
    });

    // And the retention margin before it.
    test('a cut keeps what the second newest snapshot needs', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.markFolded(cluster.clusterId, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(5), [entryBytes(5)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 })).toBe(0);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(12), [entryBytes(12)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(18), [entryBytes(18)]);
      expect(await harness.journal().cut(cluster.clusterId, { entries: 3, ageMs: 0 })).toBe(8);
      expect((await seqs(harness.journal().read(cluster.clusterId, positionAt(9))))[0]).toBe(10);
      expect(await seqs(harness.journal().read(cluster.clusterId, positionAt(8)))).toHaveLength(12);
      expect((await harness.journal().readSnapshot(cluster.clusterId, 18))?.position.seq).toBe(12);
      expect(await harness.journal().readSnapshot(cluster.clusterId, 12)).toBeUndefined();
    });

    test('keeps entries for their retention time, and all after them', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 20);
      await harness.markFolded(cluster.clusterId, 20);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(15), [entryBytes(15)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(20), [entryBytes(20)]);
      await harness.age(cluster.clusterId, 6, 3_600_000);
      const cut = (ageMs: number) => harness.journal().cut(cluster.clusterId, { entries: 0, ageMs });
      expect(await cut(7_200_000)).toBe(0);
      expect(await cut(1_800_000)).toBe(6);
      // As after a clock was set back: 8 seems old, 7 does not.
      await harness.age(cluster.clusterId, 8, 3_600_000);
      await harness.age(cluster.clusterId, 7, -3_600_000);
      expect(await cut(1_800_000)).toBe(0);
      expect((await seqs(harness.journal().read(cluster.clusterId, positionAt(6))))[0]).toBe(7);
    });

    test('reading from before a cut is reported as damage', async () => {
      const cluster = newCluster();
      await appendThrough(harness.journal(), cluster, 10);
      await harness.markFolded(cluster.clusterId, 10);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(6), [entryBytes(6)]);
      await harness.journal().writeSnapshot(cluster.clusterId, positionAt(10), [entryBytes(10)]);
      await harness.journal().cut(cluster.clusterId, { entries: 0, ageMs: 0 });
      await expect(seqs(harness.journal().read(cluster.clusterId, JOURNAL_START))).rejects.toThrow(JournalDamaged);
    });
  });
}
