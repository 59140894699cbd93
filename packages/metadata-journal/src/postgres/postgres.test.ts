import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDeadFiles } from '../contract/dead-files-contract.ts';
import { describeJournal } from '../contract/journal-contract.ts';
import { describeLeases } from '../contract/leases-contract.ts';
import { describeProcesses } from '../contract/processes-contract.ts';
import { describeStops } from '../contract/stops-contract.ts';
import { AppendUncertain, JournalDamaged } from '../errors.ts';
import type { JournalEntry } from '../journal.ts';
import { JOURNAL_START } from '../position.ts';
import { PostgresProcesses } from '../processes/postgres-processes.ts';
import { PostgresStops } from '../stops/postgres-stops.ts';
import { PostgresDeadFiles } from './postgres-dead-files.ts';
import { PostgresJournal } from './postgres-journal.ts';
import { PostgresLeases } from './postgres-leases.ts';

let database: TestDatabase;
let pool: Pool;
let journal: PostgresJournal;
let leases: PostgresLeases;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 4 });
  journal = new PostgresJournal(pool);
  leases = new PostgresLeases(pool);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describeJournal('postgres', {
  journal: () => journal,
  markFolded: async (clusterId, throughSeq) => {
    await pool.query(
      `INSERT INTO metadata_folded (cluster_id, seq) VALUES ($1, $2) ON CONFLICT (cluster_id) DO UPDATE SET seq = excluded.seq`,
      [clusterId, throughSeq],
    );
  },
  age: async (clusterId, throughSeq, byMs) => {
    await pool.query(
      `UPDATE metadata_journal SET appended_at = appended_at - $3 * interval '1 millisecond' WHERE cluster_id = $1 AND seq <= $2`,
      [clusterId, throughSeq, byMs],
    );
  },
  loseTail: async (clusterId, afterSeq) => {
    await pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq > $2', [clusterId, afterSeq]);
  },
  loseEntry: async (clusterId, seq) => {
    await pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq = $2', [clusterId, seq]);
  },
  changeEntry: async (clusterId, seq, bytes) => {
    await pool.query('UPDATE metadata_journal SET entry = $3 WHERE cluster_id = $1 AND seq = $2', [
      clusterId,
      seq,
      bytes,
    ]);
  },
});

describeLeases('postgres', {
  leases: () => leases,
  expire: async (clusterId) => {
    await pool.query('UPDATE metadata_lease SET expires_at = clock_timestamp() WHERE cluster_id = $1', [clusterId]);
  },
  askToLeave: async (clusterId) => {
    await pool.query(
      `UPDATE metadata_lease SET placement = 'leaving', leaving_until = clock_timestamp() + interval '1 hour' WHERE cluster_id = $1`,
      [clusterId],
    );
  },
  nowMs: async () => {
    const { rows } = await pool.query<{ ms: number }>(
      'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    return rows[0]?.ms ?? 0;
  },
});

describeDeadFiles('postgres', { deadFiles: () => new PostgresDeadFiles(pool) });

describeProcesses('postgres', {
  processes: () => new PostgresProcesses(pool),
  expire: async (ownerId) => {
    await pool.query('UPDATE metadata_process SET expires_at = clock_timestamp() WHERE owner_id = $1', [ownerId]);
  },
});

describeStops('postgres', { stops: () => new PostgresStops(pool) });

test('an append whose answer is lost is settled by reading', async () => {
  const clusterId = crypto.randomUUID();
  const cluster = { clusterId, organizationId: 'org' };
  const single = new Pool({ connectionString: database.url, max: 1 });
  single.on('error', () => undefined);
  const blocker = await pool.connect();
  try {
    const backend = await single.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // The blocker holds the sequence number in an open transaction, so the append waits until its backend is terminated.
    await blocker.query('BEGIN');
    await blocker.query(
      'INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) VALUES ($1, 1, $2, $3)',
      [clusterId, 'org', Buffer.from('blocker')],
    );
    const append = new PostgresJournal(single).append(cluster, JOURNAL_START, Buffer.from('mine'));
    const outcome = expect(append).rejects.toThrow(AppendUncertain);
    await expect
      .poll(async () => {
        const waiting = await pool.query(`SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`, [
          backend.rows[0]?.pid,
        ]);
        return waiting.rowCount;
      })
      .toBe(1);
    await pool.query('SELECT pg_terminate_backend($1)', [backend.rows[0]?.pid]);
    await outcome;
    await blocker.query('ROLLBACK');
    const entries: JournalEntry[] = [];
    for await (const entry of journal.read(clusterId, JOURNAL_START)) {
      entries.push(entry);
    }
    expect(entries).toEqual([]);
  } finally {
    blocker.release();
    await single.end();
  }
});

// It may be behind.
test('never asks a standby whether entries are lost', async () => {
  const clusterId = crypto.randomUUID();
  const first = await journal.append({ clusterId, organizationId: 'org' }, JOURNAL_START, Buffer.from('one'));
  // A standby's answer, found before PostgreSQL's own function.
  await pool.query('CREATE SCHEMA standby');
  await pool.query("CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'");
  const options = '-c search_path=standby,pg_catalog,public';
  const standby = new Pool({ connectionString: database.url, max: 1, options });
  try {
    await expect(new PostgresJournal(standby).statusOf(clusterId, { ...first, seq: 2 })).rejects.toThrow(/standby/);
  } finally {
    await standby.end();
  }
});

test('an append that cannot reach the database is uncertain', async () => {
  const unreachable = new Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' });
  const append = new PostgresJournal(unreachable).append(
    { clusterId: crypto.randomUUID(), organizationId: 'org' },
    JOURNAL_START,
    Buffer.from('entry'),
  );
  await expect(append).rejects.toThrow(AppendUncertain);
  await unreachable.end();
});

test('an entry without a hash is damage', async () => {
  const cluster = { clusterId: crypto.randomUUID(), organizationId: 'org' };
  const { seq } = await journal.append(cluster, JOURNAL_START, Buffer.from('one'));
  await pool.query('UPDATE metadata_journal SET hash = NULL WHERE cluster_id = $1 AND seq = $2', [
    cluster.clusterId,
    seq,
  ]);
  const entries = journal.read(cluster.clusterId, JOURNAL_START)[Symbol.asyncIterator]();
  await expect(entries.next()).rejects.toThrow(JournalDamaged);
});

test('a cluster that left for no known cell is a fault, not a move', async () => {
  const clusterId = crypto.randomUUID();
  await leases.acquire(clusterId, { ownerId: 'mover', ownerUrl: '' }, 5_000);
  await pool.query(`UPDATE metadata_lease SET placement = 'left', other_cell = NULL WHERE cluster_id = $1`, [
    clusterId,
  ]);
  await expect(leases.acquire(clusterId, { ownerId: 'a', ownerUrl: 'http://a' }, 5_000)).rejects.toThrow(
    'does not say for which one',
  );
});
