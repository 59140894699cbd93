// How recovery handles damaged data, and how long it blocks the event loop.

import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { CorruptDataError, createState, encodeSnapshot } from '@penstock/metadata-core';
import { JOURNAL_START, type Journal, JournalDamaged, PostgresJournal } from '@penstock/metadata-journal';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { snapshotFromJournal } from '../testing/snapshot-from-journal.ts';
import type { Clock } from './clock.ts';
import { NotOwner } from './errors.ts';
import { recover } from './recovery.ts';

/** A cluster with one topic. From the third entry on, each holds one commit. */
async function clusterWith(commits: number): Promise<ClusterFixture> {
  const fixture = new ClusterFixture();
  const owner = await fixture.open();
  const topicId = await fixture.createTopic(owner, 'orders');
  for (let n = 0; n < commits; n += 1) {
    await owner.submit(fixture.commit(topicId, [0]));
  }
  return fixture;
}

interface Attempt {
  /** The high watermark of the topic's partition 0. Undefined when the recovery failed. */
  highWatermark: number | undefined;
  replayedEntries: number | undefined;
  unreadable: number[];
}

async function attempt(fixture: ClusterFixture, journal: Journal = fixture.journal): Promise<Attempt> {
  const unreadable: number[] = [];
  const { state, replayedEntries } = await recover(journal, fixture.cluster, fixture.clock, {
    onSnapshotUnreadable: (seq) => unreadable.push(seq),
  });
  return { highWatermark: state.topicsByName.get('orders')?.partitions[0]?.highWatermark, replayedEntries, unreadable };
}

/** Stores a snapshot that decodes well but holds the state of another entry. */
async function writeWrongSnapshot(fixture: ClusterFixture, seq: number): Promise<void> {
  const { journal, cluster } = fixture;
  const entry = (await journal.entries(cluster.clusterId)).find((candidate) => candidate.seq === seq);
  if (entry === undefined) {
    throw new Error(`there is no entry ${seq}`);
  }
  await journal.writeSnapshot(cluster.clusterId, entry, [encodeSnapshot(createState(cluster.clusterId))]);
}

// It is reported.
test('falls back when a snapshot does not fit the journal', async () => {
  const fixture = await clusterWith(6);
  await snapshotFromJournal(fixture.journal, fixture.cluster.clusterId, 3);
  await writeWrongSnapshot(fixture, 5);
  expect(await attempt(fixture)).toEqual({ highWatermark: 6, replayedEntries: 5, unreadable: [5] });
});

test('the next snapshot does not build on an unusable one', async () => {
  const fixture = await clusterWith(6);
  await writeWrongSnapshot(fixture, 5);
  await snapshotFromJournal(fixture.journal, fixture.cluster.clusterId, 8);
  expect(await attempt(fixture)).toEqual({ highWatermark: 6, replayedEntries: 0, unreadable: [] });
});

test('the error describes the newest of unusable snapshots', async () => {
  const fixture = await clusterWith(6);
  await writeWrongSnapshot(fixture, 3);
  await fixture.journal.writeSnapshot(fixture.cluster.clusterId, { ...JOURNAL_START, seq: 8 }, [
    Buffer.from('damaged'),
  ]);
  fixture.journal.memory.loseEntry(fixture.cluster.clusterId, 1);
  await expect(attempt(fixture)).rejects.toThrow(CorruptDataError);
});

test('a journal with a hole is damaged, with or without snapshots', async () => {
  const fixture = await clusterWith(6);
  await snapshotFromJournal(fixture.journal, fixture.cluster.clusterId, 3);
  fixture.journal.memory.loseEntry(fixture.cluster.clusterId, 6);
  await expect(attempt(fixture)).rejects.toThrow(JournalDamaged);
});

test('an unreachable database is no reason to discard a snapshot', async () => {
  const fixture = await clusterWith(6);
  await snapshotFromJournal(fixture.journal, fixture.cluster.clusterId, 3);
  fixture.journal.read = () => {
    throw new Error('connection lost');
  };
  const unreadable: number[] = [];
  const recovering = recover(fixture.journal, fixture.cluster, fixture.clock, {
    onSnapshotUnreadable: (seq) => unreadable.push(seq),
  });
  await expect(recovering).rejects.toThrow('connection lost');
  expect(unreadable).toEqual([]);
});

describe('a replay', () => {
  /** Each read of this clock advances it by 4 ms, as if every entry took that long. */
  function clockOfSlowEntries(
    fixture: ClusterFixture,
    onTurn: () => void,
  ): Pick<Clock, 'nowMs' | 'monotonicMs' | 'soon'> {
    let elapsedMs = 0;
    return {
      nowMs: () => fixture.clock.nowMs(),
      monotonicMs: () => {
        elapsedMs += 4;
        return elapsedMs;
      },
      soon: (fire) => {
        onTurn();
        fire();
      },
    };
  }

  test('yields every 10 ms, however long an entry takes', async () => {
    const fixture = await clusterWith(30);
    let turns = 0;
    const clock = clockOfSlowEntries(fixture, () => {
      turns += 1;
    });
    await recover(fixture.journal, fixture.cluster, clock, { onSnapshotUnreadable: () => undefined });
    // 32 entries of 4 ms: it yields after every third.
    expect(turns).toBe(10);
  });

  test('stops in the slice in which it is cancelled', async () => {
    const fixture = await clusterWith(30);
    let turns = 0;
    const clock = clockOfSlowEntries(fixture, () => {
      turns += 1;
    });
    const recovering = recover(fixture.journal, fixture.cluster, clock, {
      onSnapshotUnreadable: () => undefined,
      requireWanted: () => {
        if (turns === 2) {
          throw new NotOwner(fixture.cluster.clusterId);
        }
      },
    });
    await expect(recovering).rejects.toThrow(NotOwner);
    expect(turns).toBe(2);
  });
});

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url, max: 4 });
    // Dropping the database breaks connections that are still closing.
    pool.on('error', () => undefined);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The cluster with its snapshots at entries 3 and 6, and the journal cut as far as a cut ever goes. */
  async function storedCluster(): Promise<{ fixture: ClusterFixture; journal: PostgresJournal; wholeEntries: number }> {
    const fixture = await clusterWith(8);
    const { clusterId } = fixture.cluster;
    const journal = new PostgresJournal(pool);
    let position = JOURNAL_START;
    for (const { bytes } of await fixture.journal.entries(clusterId)) {
      position = await journal.append(fixture.cluster, position, bytes);
    }
    await snapshotFromJournal(journal, clusterId, 3);
    await snapshotFromJournal(journal, clusterId, 6);
    await pool.query('INSERT INTO metadata_folded (cluster_id, seq) VALUES ($1, $2)', [clusterId, position.seq]);
    expect(await journal.cut(clusterId, { entries: 0, ageMs: 0 })).toBe(2);
    return { fixture, journal, wholeEntries: position.seq };
  }

  // A cut has kept the journal after the previous one.
  test('skips a newest snapshot with damaged bytes', async () => {
    const { fixture, journal, wholeEntries } = await storedCluster();
    await pool.query('UPDATE metadata_snapshot SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) WHERE seq = 6');
    expect(await attempt(fixture, journal)).toEqual({
      highWatermark: 8,
      replayedEntries: wholeEntries - 3,
      unreadable: [6],
    });
  });

  test('skips a newest snapshot that lacks a part', async () => {
    const { fixture, journal, wholeEntries } = await storedCluster();
    await pool.query('UPDATE metadata_snapshot SET parts = 2 WHERE cluster_id = $1 AND seq = 6', [
      fixture.cluster.clusterId,
    ]);
    expect(await attempt(fixture, journal)).toEqual({
      highWatermark: 8,
      replayedEntries: wholeEntries - 3,
      unreadable: [],
    });
  });

  test('skips a newest snapshot of another state', async () => {
    const { fixture, journal, wholeEntries } = await storedCluster();
    const { clusterId } = fixture.cluster;
    await pool.query(`UPDATE metadata_snapshot SET bytes = $2 WHERE cluster_id = $1 AND seq = 6`, [
      clusterId,
      Buffer.from(encodeSnapshot(createState(clusterId))),
    ]);
    expect(await attempt(fixture, journal)).toEqual({
      highWatermark: 8,
      replayedEntries: wholeEntries - 3,
      unreadable: [6],
    });
  });
});
