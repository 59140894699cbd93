// The running totals of months follow every statement that changes hours, also those of other releases.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsFolder } from '@penstock/platform';
import { afterEach, expect, test } from 'vitest';
import { setUpJournals } from './testing/journal-fixture.ts';

const journals = setUpJournals();

afterEach(async () => {
  expect(await journals.wrongTotals()).toEqual([]);
});

/** Adds to hours, as the fold does. */
async function add(clusterId: string, hours: readonly string[], bytes: number, minutes = 1): Promise<void> {
  await journals.metering.query(
    `INSERT INTO usage_hour AS u (cluster_id, organization_id, hour, uncompressed_bytes, cluster_minutes, first_seq, last_seq)
     SELECT $1, 'org', hour, $3, $4, 1, 1 FROM unnest($2::timestamptz[]) AS hour
     ON CONFLICT (cluster_id, hour) DO UPDATE SET uncompressed_bytes = u.uncompressed_bytes + excluded.uncompressed_bytes,
       cluster_minutes = u.cluster_minutes + excluded.cluster_minutes`,
    [clusterId, hours, bytes, minutes],
  );
}

async function totals(clusterId: string): Promise<[month: string, bytes: string, minutes: string][]> {
  const { rows } = await journals.pool.query<{ month: string; bytes: string; minutes: string }>(
    `SELECT month::text, uncompressed_bytes AS bytes, cluster_minutes AS minutes FROM usage_month
     WHERE cluster_id = $1 ORDER BY month`,
    [clusterId],
  );
  return rows.map(({ month, bytes, minutes }) => [month, bytes, minutes]);
}

test('one statement that adds hours and extends others', async () => {
  const clusterId = await journals.newCluster();
  await add(clusterId, ['2026-11-30T22:00Z'], 5);
  await add(clusterId, ['2026-11-30T22:00Z', '2026-11-30T23:00Z', '2026-12-01T00:00Z'], 7);
  expect(await totals(clusterId)).toEqual([
    ['2026-11-01', '19', '3'],
    ['2026-12-01', '7', '1'],
  ]);
});

test('hours that are changed, moved to another month and deleted', async () => {
  const clusterId = await journals.newCluster();
  await add(clusterId, ['2026-11-01T00:00Z', '2026-11-02T00:00Z', '2026-11-03T00:00Z'], 10);
  const { pool } = journals;
  await pool.query(
    `UPDATE usage_hour SET uncompressed_bytes = 3 WHERE cluster_id = $1 AND hour = '2026-11-01T00:00Z'`,
    [clusterId],
  );
  await pool.query(
    `UPDATE usage_hour SET hour = '2026-12-02T00:00Z' WHERE cluster_id = $1 AND hour = '2026-11-02T00:00Z'`,
    [clusterId],
  );
  await pool.query(`DELETE FROM usage_hour WHERE cluster_id = $1 AND hour = '2026-11-03T00:00Z'`, [clusterId]);
  expect(await totals(clusterId)).toEqual([
    ['2026-11-01', '3', '1'],
    ['2026-12-01', '10', '1'],
  ]);
});

test('concurrent statements add up, and a broken one adds nothing', async () => {
  const clusterId = await journals.newCluster();
  const hours = Array.from({ length: 8 }, (_, hour) => `2026-11-05T0${hour}:00Z`);
  await Promise.all(hours.map((hour) => add(clusterId, [hour, '2026-11-05T09:00Z'], 1)));
  const client = await journals.metering.connect();
  await client.query('BEGIN');
  await client.query('UPDATE usage_hour SET uncompressed_bytes = 1000 WHERE cluster_id = $1', [clusterId]);
  // As when a worker is killed.
  client.release(true);
  await expect.poll(() => totals(clusterId)).toEqual([['2026-11-01', '16', '16']]);
});

test('the migration adds up what was there before it', async () => {
  const clusterId = await journals.newCluster();
  const { pool } = journals;
  const now = new Date();
  await add(clusterId, [now.toISOString()], 42);
  await pool.query('DELETE FROM usage_month WHERE cluster_id = $1', [clusterId]);
  const script = await readFile(join(migrationsFolder, '20261129161000_usage_month', 'migration.sql'), 'utf8');
  // Other tests' totals are there already.
  const fill = script
    .slice(script.lastIndexOf('DO $$'))
    .replace('GROUP BY 1, 2;', 'GROUP BY 1, 2 ON CONFLICT DO NOTHING;');
  const owner = await journals.metering.connect();
  await owner.query('SET row_security = off');
  await owner.query(fill);
  owner.release(true);
  expect(await totals(clusterId)).toEqual([[`${now.toISOString().slice(0, 7)}-01`, '42', '1']]);
});
