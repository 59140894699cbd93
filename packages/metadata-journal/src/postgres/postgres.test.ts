import { createTestDatabase, type TestDatabase } from '@penstock/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeJournal } from '../contract/journal-contract.ts';
import { describeLeases } from '../contract/leases-contract.ts';
import { AppendUncertain } from '../errors.ts';
import type { JournalEntry } from '../journal.ts';
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
});

test('an append whose connection breaks before the answer is uncertain, and reading the journal settles it', async () => {
  const clusterId = crypto.randomUUID();
  const cluster = { clusterId, organizationId: 'org' };
  const single = new Pool({ connectionString: database.url, max: 1 });
  single.on('error', () => undefined);
  const blocker = await pool.connect();
  try {
    const backend = await single.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // The blocker holds the sequence number in an open transaction, so the append waits until its backend is ended.
    await blocker.query('BEGIN');
    await blocker.query(
      'INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) VALUES ($1, 1, $2, $3)',
      [clusterId, 'org', Buffer.from('blocker')],
    );
    const append = new PostgresJournal(single).append(cluster, 1, Buffer.from('mine'));
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
    for await (const entry of journal.read(clusterId, 0)) entries.push(entry);
    expect(entries).toEqual([]);
  } finally {
    blocker.release();
    await single.end();
  }
});

test('an append that cannot reach the database is uncertain, not lost in silence', async () => {
  const unreachable = new Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' });
  const append = new PostgresJournal(unreachable).append(
    { clusterId: crypto.randomUUID(), organizationId: 'org' },
    1,
    Buffer.from('entry'),
  );
  await expect(append).rejects.toThrow(AppendUncertain);
  await unreachable.end();
});
