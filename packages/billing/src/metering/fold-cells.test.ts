// Metering of a cluster whose journal is in another database, and of one that moves there: exactly the same bytes as in
// one database.
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { encodeEntry } from '@penstock/metadata-core';
import {
  acceptLostTail,
  Cells,
  initCell,
  inspectStopped,
  JOURNAL_START,
  type JournalPosition,
  moveCluster,
  PostgresCellDirectory,
  PostgresJournal,
  PostgresStops,
} from '@penstock/metadata-journal';
import { withFailPoints } from '@penstock/platform/fail-point';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recomputeBill } from '../recompute/recompute-bill.ts';
import { clustersToFold } from './clusters-to-fold.ts';
import { foldBounds, foldJournal, JournalChanged } from './fold-journal.ts';
import { entryOf } from './testing/journal-fixture.ts';

const MONTH = '2026-11';
const start = Date.parse('2026-11-02T10:00:00Z');

let databases: TestDatabase[];
let cells: Cells;
let ledger: Pool;
let cell: Pool;

beforeAll(async () => {
  const [control, other] = await Promise.all([createTestDatabase(), createTestDatabase({ isMigrated: false })]);
  databases = [control, other];
  const urls = new Map([
    ['main', control.url],
    ['eu-1', other.url],
    ['down', 'postgresql://nobody@127.0.0.1:1/none'],
  ]);
  cells = new Cells(urls, (connectionString) => {
    const pool = new Pool({ connectionString, max: 4 });
    // Dropping the database breaks connections that are still closing.
    pool.on('error', () => undefined);
    return pool;
  });
  [ledger, cell] = [cells.pool('main'), cells.pool('eu-1')];
  await initCell(cell);
  await ledger.query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
});

afterAll(async () => {
  await cells.close();
  await Promise.all(databases.map((database) => database.drop()));
});

async function newCluster(name: string, organizationId = 'org'): Promise<string> {
  const clusterId = randomUUID();
  await ledger.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, cell, updated_at) VALUES ($1, $3, gen_random_uuid()::text, 'aws', 'x', $2, now())`,
    [clusterId, name, organizationId],
  );
  return clusterId;
}

/** One entry per file, a minute apart: entry n has n bytes. */
async function append(
  pool: Pool,
  clusterId: string,
  count: number,
  previous: JournalPosition = JOURNAL_START,
  organizationId = 'org',
): Promise<JournalPosition> {
  const journal = new PostgresJournal(pool);
  let position = previous;
  for (let n = 0; n < count; n += 1) {
    const seq = position.seq + 1;
    const entry = entryOf(start + seq * 60_000, {
      files: 1,
      uncompressedBytes: seq,
      storedBytes: 1,
      clusterMinutes: 1,
    });
    position = await journal.append({ clusterId, organizationId }, position, entry);
  }
  return position;
}

async function fold(clusterId: string): Promise<void> {
  while (!(await foldJournal(ledger, cells, clusterId, { bounds: { ...foldBounds, entries: 7 } })).isCaughtUp) {}
}

async function billedBytes(clusterId: string): Promise<number> {
  const { rows } = await ledger.query<{ sum: string | null }>(
    'SELECT sum(uncompressed_bytes) FROM usage_hour WHERE cluster_id = $1',
    [clusterId],
  );
  return Number(rows[0]?.sum ?? 0);
}

async function foldedIn(pool: Pool, clusterId: string): Promise<number> {
  const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM metadata_folded WHERE cluster_id = $1', [
    clusterId,
  ]);
  return Number(rows[0]?.seq ?? 0);
}

function sumThrough(seq: number): number {
  return (seq * (seq + 1)) / 2;
}

async function move(clusterId: string, toCell: string, organizationId = 'org'): Promise<void> {
  const fenceEntry = (): Uint8Array => encodeEntry({ nowMs: start, commands: [] });
  const directory = new PostgresCellDirectory(ledger);
  await moveCluster({ cells, directory, clusterId, organizationId, toCell, fenceEntry });
}

async function lastOf(pool: Pool, clusterId: string): Promise<JournalPosition> {
  const { rows } = await pool.query<{ seq: string; hash: Buffer }>(
    'SELECT seq, hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1',
    [clusterId],
  );
  const [row] = rows;
  if (row === undefined) {
    throw new Error('the journal is not empty');
  }
  return { seq: Number(row.seq), hash: row.hash };
}

test('folds a cell’s journal and reports how far it may be cut', async () => {
  const clusterId = await newCluster('eu-1');
  await append(cell, clusterId, 20);
  expect((await clustersToFold(ledger, cells)).clusterIds).toContain(clusterId);
  await fold(clusterId);
  expect(await billedBytes(clusterId)).toBe(sumThrough(20));
  expect(await foldedIn(cell, clusterId)).toBe(20);
  expect((await clustersToFold(ledger, cells)).clusterIds).not.toContain(clusterId);
});

test('a worker killed before it updates the cell only delays a cut', async () => {
  const clusterId = await newCluster('eu-1');
  await append(cell, clusterId, 5);
  const killed = withFailPoints(
    async (point) => {
      if (point === 'fold: committed') {
        throw new Error('killed');
      }
    },
    () => foldJournal(ledger, cells, clusterId),
  );
  await expect(killed).rejects.toThrow('killed');
  expect([await billedBytes(clusterId), await foldedIn(cell, clusterId)]).toEqual([sumThrough(5), 0]);
  await fold(clusterId);
  expect([await billedBytes(clusterId), await foldedIn(cell, clusterId)]).toEqual([sumThrough(5), 5]);
});

test('meters a moved cluster exactly and can recompute its bill', async () => {
  const organizationId = `org-${randomUUID()}`;
  await ledger.query('INSERT INTO organization (id, name, slug) VALUES ($1, $1, $1)', [organizationId]);
  const clusterId = await newCluster('main', organizationId);
  const half = await append(ledger, clusterId, 10, JOURNAL_START, organizationId);
  await foldJournal(ledger, cells, clusterId, { bounds: { ...foldBounds, entries: 7 } });
  await move(clusterId, 'eu-1', organizationId);
  expect(await foldedIn(cell, clusterId)).toBe(7);
  await append(cell, clusterId, 9, await lastOf(cell, clusterId), organizationId);
  await fold(clusterId);
  // The fence entry has no bytes.
  expect(await billedBytes(clusterId)).toBe(sumThrough(20) - (half.seq + 1));
  const client = new Client({ connectionString: databases[0]?.url });
  const inCell = new Client({ connectionString: databases[1]?.url });
  await Promise.all([client.connect(), inCell.connect()]);
  try {
    const bill = await recomputeBill(client, { organization: organizationId, month: MONTH }, async () => inCell);
    expect(bill.clusters.map(({ damages, replayedEntries }) => [damages, replayedEntries])).toEqual([[[], 20]]);
    expect(bill.isEqual).toBe(true);
    await expect(recomputeBill(client, { organization: organizationId, month: MONTH })).rejects.toThrow('eu-1');
  } finally {
    await client.end();
    await inCell.end();
  }
});

test('a cell cuts only folded entries', async () => {
  const clusterId = await newCluster('main');
  const tenth = await append(ledger, clusterId, 10);
  await foldJournal(ledger, cells, clusterId, { bounds: { ...foldBounds, entries: 7 } });
  const journal = new PostgresJournal(ledger);
  await journal.writeSnapshot(clusterId, tenth, [Buffer.from('state')]);
  await move(clusterId, 'eu-1');
  const moved = new PostgresJournal(cell);
  await moved.writeSnapshot(clusterId, await lastOf(cell, clusterId), [Buffer.from('state')]);
  expect(await moved.cut(clusterId, { entries: 0, ageMs: 0 })).toBe(7);
});

test('stops with an error if billed entries changed or are missing', async () => {
  const clusterId = await newCluster('eu-1');
  const eighth = await append(cell, clusterId, 8);
  await append(cell, clusterId, 2, eighth);
  await fold(clusterId);
  await cell.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq > 8', [clusterId]);
  await expect(fold(clusterId)).rejects.toThrow(JournalChanged);
  const journal = new PostgresJournal(cell);
  let position = eighth;
  for (let n = 0; n < 4; n += 1) {
    const other = encodeEntry({ nowMs: start, commands: [] });
    position = await journal.append({ clusterId, organizationId: 'org' }, position, other);
  }
  await expect(fold(clusterId)).rejects.toThrow(JournalChanged);
  expect(await billedBytes(clusterId)).toBe(sumThrough(10));
  // An operator accepts the loss: what was billed stays, and billing continues with the entries after it.
  const witnessed = { history: 0, seq: 10, hash: Buffer.alloc(32) };
  await new PostgresStops(ledger).stop(clusterId, { witness: 'an agent', witnessed, last: position });
  const both = { control: ledger, journal: cell };
  const stopped = await inspectStopped(both, clusterId);
  if (stopped === undefined) {
    throw new Error('the cluster is stopped');
  }
  expect(await acceptLostTail(both, stopped, 'Operator', start)).toBeDefined();
  await append(cell, clusterId, 2, position);
  await fold(clusterId);
  expect(await billedBytes(clusterId)).toBe(sumThrough(10) + 13 + 14);
});

test('a fold whose checkpoint entry was cut continues after it', async () => {
  const clusterId = await newCluster('eu-1');
  const sixth = await append(cell, clusterId, 6);
  await fold(clusterId);
  await append(cell, clusterId, 2, sixth);
  await cell.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq <= 6', [clusterId]);
  await fold(clusterId);
  expect(await billedBytes(clusterId)).toBe(sumThrough(8));
});

test('an unavailable cell only delays its own clusters’ figures', async () => {
  const [sound, lost] = [await newCluster('eu-1'), await newCluster('down')];
  await append(cell, sound, 3);
  const found = await clustersToFold(ledger, cells);
  expect(found.clusterIds).toContain(sound);
  expect(found.clusterIds).not.toContain(lost);
  expect(found.failures.map((failure) => failure.cell)).toEqual(['down']);
  const { rows } = await ledger.query<{ cluster_id: string; counted_until: Date }>(
    'SELECT cluster_id, counted_until FROM metering_checkpoint WHERE cluster_id = ANY($1)',
    [[sound, lost]],
  );
  const first = await cell.query<{ appended_at: Date }>(
    'SELECT appended_at FROM metadata_journal WHERE cluster_id = $1 AND seq = 1',
    [sound],
  );
  expect(rows).toEqual([{ cluster_id: sound, counted_until: first.rows[0]?.appended_at }]);
  await fold(sound);
  // The time is written once it has moved by half a minute.
  await ledger.query(
    `UPDATE metering_checkpoint SET counted_until = now() - interval '1 minute' WHERE cluster_id = $1`,
    [sound],
  );
  await clustersToFold(ledger, cells);
  const counted = await ledger.query<{ is_later: boolean }>(
    'SELECT counted_until > $2 AS is_later FROM metering_checkpoint WHERE cluster_id = $1',
    [sound, first.rows[0]?.appended_at],
  );
  expect(counted.rows).toEqual([{ is_later: true }]);
});
