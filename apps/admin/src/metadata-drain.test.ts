import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { PostgresProcesses } from '@penstock/metadata-journal';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let database: TestDatabase;
let pool: Pool;
let processes: PostgresProcesses;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  processes = new PostgresProcesses(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('DELETE FROM metadata_process');
});

async function report(name: string, clusters: number): Promise<void> {
  const process = { ownerId: name, ownerUrl: `http://${name}:7070`, clusters, isAccepting: true };
  await processes.report(process, 3_600_000);
}

async function drain(...args: string[]): Promise<{ ended: number; output: string }> {
  const script = fileURLToPath(new URL('main.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: database.ownerUrl };
  try {
    const command = [script, 'metadata', 'drain', ...args];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env });
    return { ended: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { ended: code, output: stdout + stderr };
  }
}

test('lists the processes and what they own', async () => {
  expect(await drain()).toMatchObject({ ended: 0, output: 'No metadata process runs.\n' });
  await report('one', 1);
  await report('two', 12);
  await processes.setDraining('two', true);
  expect(await drain()).toEqual({
    ended: 0,
    output: 'http://one:7070  1 cluster  one\nhttp://two:7070  12 clusters, draining  two\n',
  });
});

test('asks a process to drain, and waits until it owns nothing', async () => {
  await report('one', 5);
  await report('two', 5);
  const draining = drain('--process', 'http://one:7070');
  await expect.poll(async () => (await processes.list())[0]?.isDraining, { timeout: 60_000, interval: 50 }).toBe(true);
  await report('one', 0);
  expect(await draining).toEqual({ ended: 0, output: expect.stringContaining('owned 5 clusters and owns none') });
  await drain('--process', 'one', '--undo');
  expect(await processes.list()).toMatchObject([{ isDraining: false }, { isDraining: false }]);
});

test('says what is left when the time is up', async () => {
  await report('one', 2);
  await report('two', 0);
  expect(await drain('--process', 'one', '--wait', '0')).toEqual({
    ended: 1,
    output: expect.stringContaining('still owns 2 clusters'),
  });
});

test('refuses to take the last process away', async () => {
  await report('one', 2);
  expect(await drain('--process', 'one')).toEqual({ ended: 1, output: expect.stringContaining('Start another one') });
  expect(await processes.list()).toMatchObject([{ isDraining: false }]);
});

test.each([
  [['--process', 'http://elsewhere'], 'No metadata process runs at http://elsewhere.'],
  [['--process', 'one', '--wait', 'soon'], 'Give a whole number of seconds'],
])('%j exits with 1 and says why', async (args, why) => {
  await report('one', 2);
  expect(await drain(...args)).toEqual({ ended: 1, output: expect.stringContaining(why) });
});
