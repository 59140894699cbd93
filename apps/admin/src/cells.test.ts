// The cell commands as an operator runs them, with a cell on its own PostgreSQL server.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { encodeEntry } from '@penstock/metadata-core';
import { JOURNAL_START, PostgresJournal } from '@penstock/metadata-journal';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const pinnedNode = join(root, 'node_modules/node/bin/node');
let control: TestDatabase;
let server: PostgresServer;
let folder: string;
let ledger: Pool;
let cell: Pool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-cell-'));
  // The server may run under another account.
  await chmod(folder, 0o755);
  const options = { port: await freePort(), password: 'cell', logFile: join(folder, 'log') };
  [control, server] = await Promise.all([
    createTestDatabase(),
    startPostgresServer({ ...options, dataDir: join(folder, 'data') }),
  ]);
  [ledger, cell] = [control.url, server.url('postgres')].map((connectionString) => {
    const pool = new Pool({ connectionString });
    pool.on('error', () => undefined);
    return pool;
  }) as [Pool, Pool];
  await ledger.query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
});

afterAll(async () => {
  await Promise.all([ledger.end(), cell.end()]);
  await server.stop();
  await control.drop();
  await rm(folder, { recursive: true, force: true });
});

async function command(name: string, ...args: string[]): Promise<string> {
  const cells = JSON.stringify({ 'eu-1': server.url('postgres'), gone: 'postgresql://nobody:secret@127.0.0.1:1/none' });
  const env = { ...process.env, DATABASE_URL: control.ownerUrl, PENSTOCK_CELLS: cells };
  const script = join(root, 'apps/admin/src/main.ts');
  return await run(pinnedNode, ['--disable-warning=ExperimentalWarning', script, ...name.split(' '), ...args], {
    env,
    cwd: root,
  }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

test('single commands create a cell, move a cluster and clean up', async () => {
  const clusterId = randomUUID();
  await ledger.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'org', 'events', 'aws', 'x', now())`,
    [clusterId],
  );
  const journal = new PostgresJournal(ledger);
  let position = JOURNAL_START;
  for (let n = 0; n < 150; n += 1) {
    const entry = encodeEntry({ nowMs: 1_760_000_000_000 + n, commands: [] });
    position = await journal.append({ clusterId, organizationId: 'org' }, position, entry);
  }

  expect(await command('cells move', '--cluster', clusterId, '--to', 'eu-1')).toContain('admin -- cells init');
  expect(await command('cells init', '--cell', 'eu-1')).toContain('Cell eu-1 has the tables');
  expect(await command('cells move', '--cluster', clusterId, '--to', 'eu-1')).toContain(
    `Cluster ${clusterId} has moved from main to eu-1: 151 entries`,
  );
  expect(await command('cells move', '--cluster', clusterId, '--to', 'eu-1')).toContain('lives in eu-1');
  expect((await new PostgresJournal(cell).statusOf(clusterId, position)).kind).toBe('held');

  expect(await command('cells clean')).toContain('main: 0 clusters');
  const cleaned = await command('cells clean', '--older-than-hours', '0');
  expect(cleaned).toContain('main: 1 clusters that moved away, 51 entries removed');
  expect(cleaned).toContain('gone: could not be cleaned');
});

test.each([
  [['cells move', '--cluster', randomUUID(), '--to', 'eu-1'], 'there is no virtual cluster'],
  [['cells move', '--cluster', 'events'], "required option '--to <cell>' not specified"],
  [['cells init', '--cell', 'eu-2'], '"eu-2" is not configured'],
  [['cells init'], 'npm run admin -- cells init'],
])('%s is refused with a remedy and without a password', async ([name = '', ...args], reason) => {
  const told = await command(name, ...args);
  expect(told).toContain(reason);
  expect(told).not.toContain('secret');
});
