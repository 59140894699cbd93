import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '@penstock/units';
import { afterEach, describe, expect, test } from 'vitest';
import { Fenced } from '../errors.ts';
import type { ClusterIdentity } from '../journal.ts';
import { JOURNAL_START } from '../position.ts';
import { markFolded } from '../postgres/journal-queries.ts';
import { PostgresDeadFiles } from '../postgres/postgres-dead-files.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import { CellJournal } from './cell-journal.ts';
import { CellLeases } from './cell-leases.ts';
import { cleanCell } from './clean-cell.ts';
import { type MoveBarrier, moveBarriers, moveCluster } from './move-cluster.ts';
import { readPlacement } from './placement.ts';
import { setUpTwoCells } from './testing/two-cells.ts';

const two = setUpTwoCells();
const owner = { ownerId: 'owner', ownerUrl: 'http://owner' };
const TTL_MS = 60_000;
const node = fileURLToPath(new URL('../../../../node_modules/node/bin/node', import.meta.url));
const moverScript = fileURLToPath(new URL('./testing/move-to-barrier.ts', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
});

/** Runs a mover up to a barrier and kills it there. */
async function killAt(barrier: MoveBarrier, { clusterId, organizationId }: ClusterIdentity): Promise<void> {
  const urls = JSON.stringify(Object.fromEntries(two.urls));
  const child = spawn(node, [moverScript, urls, clusterId, organizationId, 'other', barrier], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * The entries that a process reads when it opens the cluster: those after its newest snapshot, through the directory.
 */
async function entriesOf(clusterId: string): Promise<string[]> {
  const entries: string[] = [];
  for await (const { bytes } of new CellJournal(two.cells, two.homes()).read(clusterId, JOURNAL_START)) {
    entries.push(Buffer.from(bytes).toString());
  }
  return entries;
}

/** Acquires the lease in the cluster's cell, as a process does. Returns the cell. */
async function open(clusterId: string): Promise<string> {
  const attempt = await new CellLeases(two.cells, two.directory).acquire(clusterId, owner, TTL_MS);
  return attempt.outcome === 'acquired' ? attempt.lease.cell : attempt.outcome;
}

function written(cell: string, count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `entry ${index + from} of ${cell}`);
}

test('moves all of a cluster, which opens only in its new cell', async () => {
  const cluster = await two.newCluster();
  const { clusterId } = cluster;
  const end = await two.append('main', cluster, 620);
  const journal = new PostgresJournal(two.main);
  await journal.writeSnapshot(clusterId, end, [Buffer.from('in '), Buffer.from('parts')]);
  await markFolded(two.main, [{ clusterId, foldedSeq: 500n }]);
  const deadFiles = Array.from({ length: 3 }, (_, number) => ({
    fileId: Uint8Array.from(Buffer.alloc(16, number + 1)),
    bytes: 10 + number,
    deleteAfterMs: 1_800_000_000_000 + number,
  }));
  await new PostgresDeadFiles(two.main).add(clusterId, deadFiles);
  const { fromCell, copiedEntries } = await moveCluster(two.moveOptions(cluster, 'other'));
  expect([fromCell, copiedEntries]).toEqual(['main', 621]);
  expect(await two.directory.cellOf(clusterId)).toBe('other');
  const entries = await entriesOf(clusterId);
  expect(entries.slice(0, 620)).toEqual(written('main', 620));
  expect(entries[620]).toContain('fence');
  const snapshot = await new PostgresJournal(two.other).readSnapshot(clusterId);
  expect(snapshot?.position).toEqual(end);
  const folded = await two.other.query('SELECT seq FROM metadata_folded WHERE cluster_id = $1', [clusterId]);
  expect(folded.rows).toEqual([{ seq: '500' }]);
  expect(await open(clusterId)).toBe('other');
  const dead = (pool: typeof two.main) =>
    pool.query('SELECT * FROM metadata_dead_file WHERE cluster_id = $1 ORDER BY file_id', [clusterId]);
  expect((await dead(two.other)).rows).toEqual((await dead(two.main)).rows);
  expect((await dead(two.other)).rows).toHaveLength(3);
  const rows = (pool: typeof two.main) =>
    pool.query('SELECT * FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq', [clusterId]);
  expect((await rows(two.other)).rows).toEqual((await rows(two.main)).rows);
});

test('fences an owner that was paused during the move', async () => {
  const cluster = await two.newCluster();
  const homes = two.homes();
  await homes.of(cluster.clusterId);
  const sleeper = new CellLeases(two.cells, two.directory);
  const attempt = await sleeper.acquire(cluster.clusterId, owner, 1);
  const end = await two.append('main', cluster, 3);
  await moveCluster(two.moveOptions(cluster, 'other'));
  await expect(new CellJournal(two.cells, homes).append(cluster, end, Buffer.from('stale'))).rejects.toThrow(Fenced);
  if (attempt.outcome !== 'acquired') {
    throw new Error('the lease was free');
  }
  expect((await sleeper.renew([attempt.lease], owner, TTL_MS)).held.size).toBe(0);
  const stale = { cellOf: async () => 'main', move: async () => undefined };
  const refused = await new CellLeases(two.cells, stale).acquire(cluster.clusterId, owner, TTL_MS);
  expect(refused.outcome).toBe('moving');
});

test('keeps the owner until the target has nearly caught up', async () => {
  const cluster = await two.newCluster();
  const leases = new CellLeases(two.cells, two.directory);
  const attempt = await leases.acquire(cluster.clusterId, owner, TTL_MS);
  if (attempt.outcome !== 'acquired') {
    throw new Error('the lease was free');
  }
  let end = await two.append('main', cluster, 10);
  const moved = moveCluster({
    ...two.moveOptions(cluster, 'other'),
    pass: async (barrier) => {
      // What the owner appends until it releases the cluster is copied as well.
      if (barrier === 'copied') {
        end = await two.append('main', cluster, 5, end);
      }
      if (barrier !== 'asked') {
        return;
      }
      end = await two.append('main', cluster, 5, end);
      expect((await leases.renew([attempt.lease], owner, TTL_MS)).leaving).toEqual(new Set([cluster.clusterId]));
      await leases.release(attempt.lease, owner);
    },
  });
  const { unownedMs } = await moved;
  expect(unownedMs).toBeGreaterThan(0);
  expect((await entriesOf(cluster.clusterId)).slice(0, 20)).toEqual(written('main', 20));
});

test('copies an append in flight when the mover takes the lease', async () => {
  const cluster = await two.newCluster();
  const end = await two.append('main', cluster, 3);
  await moveCluster({
    ...two.moveOptions(cluster, 'other'),
    pass: async (barrier) => {
      if (barrier === 'taken') {
        await two.append('main', cluster, 2, end);
      }
    },
  });
  expect((await entriesOf(cluster.clusterId)).slice(0, 5)).toEqual(written('main', 5));
});

// It then continues.
test('a mover paused until the cluster reopened commits nothing', async () => {
  const cluster = await two.newCluster();
  let end = await two.append('main', cluster, 3);
  let pauses = 0;
  await moveCluster({
    ...two.moveOptions(cluster, 'other'),
    pass: async (barrier) => {
      if (barrier !== 'level' || pauses > 0) {
        return;
      }
      pauses += 1;
      // The hold expires while the mover is paused; a process opens the cluster, writes, and releases it.
      await two.main.query(
        'UPDATE metadata_lease SET expires_at = clock_timestamp(), leaving_until = clock_timestamp() WHERE cluster_id = $1',
        [cluster.clusterId],
      );
      expect(await open(cluster.clusterId)).toBe('main');
      const last = await two.main.query<{ seq: string; hash: Buffer }>(
        'SELECT seq, hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1',
        [cluster.clusterId],
      );
      end = { seq: Number(last.rows[0]?.seq), hash: last.rows[0]?.hash ?? end.hash };
      await two.append('main', cluster, 2, end);
      await two.main.query('UPDATE metadata_lease SET expires_at = clock_timestamp() WHERE cluster_id = $1', [
        cluster.clusterId,
      ]);
    },
  });
  expect(await two.directory.cellOf(cluster.clusterId)).toBe('other');
  const entries = await entriesOf(cluster.clusterId);
  expect(entries).toContain('entry 5 of main');
  expect(entries).toContain('entry 6 of main');
});

describe('a mover that is killed', () => {
  const committed: readonly MoveBarrier[] = ['committed', 'completed'];

  test.each(moveBarriers)('at "%s" leaves one complete cluster that a rerun moves', async (barrier) => {
    const cluster = await two.newCluster();
    const { clusterId } = cluster;
    const end = await two.append('main', cluster, 20);
    await killAt(barrier, cluster);
    // As when its hold has expired.
    await two.main.query(
      `UPDATE metadata_lease SET expires_at = LEAST(expires_at, clock_timestamp()), leaving_until = clock_timestamp()
       WHERE cluster_id = $1 AND placement <> 'left'`,
      [clusterId],
    );
    expect(await open(clusterId)).toBe(committed.includes(barrier) ? 'other' : 'main');
    expect((await entriesOf(clusterId)).slice(0, end.seq)).toEqual(written('main', 20));
    const cell = await two.directory.cellOf(clusterId);
    const pool = two.cells.pool(cell);
    await pool.query('UPDATE metadata_lease SET expires_at = clock_timestamp() WHERE cluster_id = $1', [clusterId]);
    await moveCluster(two.moveOptions(cluster, 'other'));
    expect(await open(clusterId)).toBe('other');
    expect((await entriesOf(clusterId)).slice(0, end.seq)).toEqual(written('main', 20));
    expect((await readPlacement(two.main, clusterId))?.placement).toBe('left');
  });
});

test('the later of two concurrent movers wins', async () => {
  const cluster = await two.newCluster();
  await two.append('main', cluster, 20);
  const first = moveCluster({
    ...two.moveOptions(cluster, 'other'),
    pass: async (barrier) => {
      if (barrier === 'copied') {
        await moveCluster(two.moveOptions(cluster, 'other'));
      }
    },
  });
  await expect(first).rejects.toThrow('another mover');
  expect(await open(cluster.clusterId)).toBe('other');
  expect((await entriesOf(cluster.clusterId)).slice(0, 20)).toEqual(written('main', 20));
});

// Old rows in its first cell do not reappear.
test('a cluster that moves back has exactly its whole history', async () => {
  const cluster = await two.newCluster();
  await two.append('main', cluster, 5);
  await moveCluster(two.moveOptions(cluster, 'other'));
  const last = await two.other.query<{ seq: string; hash: Buffer }>(
    'SELECT seq, hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1',
    [cluster.clusterId],
  );
  const [row] = last.rows;
  if (row === undefined) {
    throw new Error('the journal was moved');
  }
  await two.append('other', cluster, 2, { seq: Number(row.seq), hash: row.hash });
  await moveCluster(two.moveOptions(cluster, 'main'));
  expect(await open(cluster.clusterId)).toBe('main');
  const entries = await entriesOf(cluster.clusterId);
  expect(entries).toHaveLength(9);
  expect(entries.slice(6, 8)).toEqual(written('other', 2, 7));
});

test('refuses two names of one database before copying anything', async () => {
  const cluster = await two.newCluster();
  await two.append('main', cluster, 2);
  const same = two.moveOptions(cluster, 'alias');
  const { Cells } = await import('./cells.ts');
  const cells = new Cells(new Map([...two.urls, ['alias', two.urls.get('main') ?? '']]), (_, cell) =>
    two.cells.pool(cell === 'alias' ? 'main' : cell),
  );
  await expect(moveCluster({ ...same, cells })).rejects.toMatchObject({
    remedy: expect.stringContaining('PENSTOCK_CELLS'),
  });
  expect(await open(cluster.clusterId)).toBe('main');
});

// The tombstone and the fence stay.
test('removes remains after the grace period', async () => {
  const cluster = await two.newCluster();
  const end = await two.append('main', cluster, 300);
  await moveCluster(two.moveOptions(cluster, 'other'));
  // Longer than any test before this one: the clusters that they moved are in the same cell.
  expect((await cleanCell(two.main, 'main', two.directory, HOUR_MS)).clusters).toBe(0);
  expect((await cleanCell(two.main, 'main', two.directory, 0)).entries).toBeGreaterThanOrEqual(201);
  expect(await entriesOf(cluster.clusterId)).toHaveLength(301);
  await expect(new PostgresJournal(two.main).append(cluster, end, Buffer.from('stale'))).rejects.toThrow(Fenced);
  expect((await readPlacement(two.main, cluster.clusterId))?.placement).toBe('left');
  expect(await open(cluster.clusterId)).toBe('other');
});
