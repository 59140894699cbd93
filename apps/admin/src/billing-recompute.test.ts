import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setUpJournals } from '@penstock/billing/testing';
import { foldedClusters, MONTH } from '@penstock/billing/testing/folded-clusters';
import { expect, test } from 'vitest';

const journals = setUpJournals();
const { newCluster, cut, change } = foldedClusters(journals);
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const node = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

function command(
  args: string[],
  databaseUrl = journals.ownerUrl,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      node,
      [main, 'billing', 'recompute', ...args],
      { env: { ...process.env, DATABASE_URL: databaseUrl } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('exits with 0 if all is equal, else with 1 and a table', async () => {
  const cluster = await newCluster();
  const args = ['--organization', cluster.organizationId, '--month', MONTH];
  const equal = await command(args);
  expect([equal.code, equal.stdout]).toEqual([0, expect.stringContaining('Equal to the ledger')]);
  await change(
    `UPDATE usage_hour SET uncompressed_bytes = 5 WHERE cluster_id = $1 AND hour = '2026-11-01T02:00Z'`,
    cluster,
  );
  const differs = await command(args);
  expect(differs.code).toBe(1);
  expect(differs.stdout).toMatch(/2026-11-01T02:00 +uncompressedBytes +5 +\d+/);
  const json = await command([...args, '--json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { isEqual: false, usageUsd: '3.20' }]);
});

test.each([
  ['without arguments', [], "required option '--organization <id or slug>' not specified"],
  ['with a month that is none', ['--organization', 'org', '--month', '2026-13'], 'Write it like 2026-11'],
  ['for a month that has not begun', ['--organization', 'org', '--month', '2999-01'], 'has not begun'],
  ['for an organization that does not exist', ['--organization', 'nobody', '--month', MONTH], 'no organization'],
])('exits with 2 and gives the reason, %s', async (_how, args, why) => {
  const { code, stderr } = await command(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('exits with 2 and a remedy if the database is not running', async () => {
  const { code, stderr } = await command(
    ['--organization', 'org', '--month', MONTH],
    'postgresql://nobody@127.0.0.1:1/none',
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining('npm start')]);
});

test('exits with 2 if blocks of a cut journal lack minutes', async () => {
  const cluster = await newCluster();
  await cut(cluster.clusterId, 100);
  await change('UPDATE metadata_meter_block SET alive_minutes = NULL, seal = NULL WHERE cluster_id = $1', cluster);
  const { code, stderr } = await command(['--organization', cluster.organizationId, '--month', MONTH]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('has been cut')]);
});

test('asks for DATABASE_URL instead of guessing a database', async () => {
  const { code, stderr } = await command(['--organization', 'org', '--month', MONTH], '');
  expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL is not set')]);
});
