// The worker as a process: it meters, reports readiness and shuts down cleanly.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entryOf } from '@penstock/billing/testing';
import { forceRowSecurity, unforceRowSecurity } from '@penstock/database';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { freePort } from '@penstock/servers/free-port';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const node = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
const main = fileURLToPath(new URL('main.ts', import.meta.url));

const secrets = { PENSTOCK_SECRETS: '1:a root secret of the tests with 32 characters' };

let database: TestDatabase;
let client: Client;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(() => {
  child?.kill('SIGKILL');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Run {
  process: ChildProcess;
  /** Resolves when this text has been printed. */
  printed(text: string): Promise<void>;
  /** All of it so far. */
  output(): string;
}

function startProcess(environment: Record<string, string>): Run {
  const started = spawn(node, ['--disable-warning=ExperimentalWarning', main], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  let output = '';
  let hasEnded = false;
  const waiting: (() => void)[] = [];
  const wakeAll = (): void => {
    for (const wake of waiting.splice(0)) {
      wake();
    }
  };
  started.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    wakeAll();
  });
  started.stdout.once('close', () => {
    hasEnded = true;
    wakeAll();
  });
  return {
    process: started,
    output: () => output,
    async printed(text) {
      while (!output.includes(text)) {
        if (hasEnded) {
          throw new Error(`The worker ended without “${text}”:\n${output}`);
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

async function meteredBytes(clusterId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ sum: string | null }>(
    'SELECT sum(uncompressed_bytes) FROM usage_hour WHERE cluster_id = $1',
    [clusterId],
  );
  return rows[0]?.sum ?? undefined;
}

test('folds the journal, reports readiness, exits 0 on SIGTERM', async () => {
  await client.query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
  const clusterId = '01a1fd75-05ad-70d3-be6b-700718a64c38';
  await client.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'org', 'c', 'aws', 'x', now())`,
    [clusterId],
  );
  await client.query(
    `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) VALUES ($1, 1, 'org', $2)`,
    [clusterId, Buffer.from(entryOf(Date.now(), { files: 1, uncompressedBytes: 1234 }))],
  );

  const port = await freePort();
  const run = startProcess({
    DATABASE_URL: database.ownerUrl,
    PENSTOCK_EMBEDDED: '1',
    PENSTOCK_SECRETS: '1:a root secret of the tests with 32 characters',
    PENSTOCK_WORKER_PORT: String(port),
  });
  await run.printed('The worker takes jobs');
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await expect.poll(() => meteredBytes(clusterId)).toBe('1234');

  run.process.kill('SIGTERM');
  const [code] = await once(run.process, 'exit');
  expect(code).toBe(0);
});

test('another worker takes the clusters of a killed one', async () => {
  await client.query(`INSERT INTO organization (id, name, slug) VALUES ('shared', 'Shared', 'shared')`);
  const { rows: clusters } = await client.query<{ id: string }>(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at)
     SELECT gen_random_uuid(), 'shared', number::text, 'aws', 'x', now() FROM generate_series(1, 60) AS number RETURNING id`,
  );
  const append = (seq: number) =>
    client.query(
      `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) SELECT id, $2, 'shared', $3 FROM unnest($1::uuid[]) AS id`,
      [clusters.map(({ id }) => id), seq, Buffer.from(entryOf(Date.now(), { files: 1, uncompressedBytes: 10 }))],
    );
  const metered = async (): Promise<[clusters: number, bytes: string | null]> => {
    const { rows } = await client.query<{ count: number; sum: string | null }>(
      `SELECT count(DISTINCT cluster_id)::int, sum(uncompressed_bytes) FROM usage_hour WHERE organization_id = 'shared'`,
    );
    return [rows[0]?.count ?? 0, rows[0]?.sum ?? null];
  };
  const settings = { DATABASE_URL: database.ownerUrl, PENSTOCK_EMBEDDED: '1', ...secrets };
  const [one, other] = [startProcess(settings), startProcess(settings)];
  try {
    await Promise.all([one.printed('The worker takes jobs'), other.printed('The worker takes jobs')]);
    await append(1);
    await expect.poll(metered, { timeout: 120_000 }).toEqual([60, '600']);
    one.process.kill('SIGKILL');
    await once(one.process, 'exit');
    await append(2);
    await expect.poll(metered, { timeout: 120_000 }).toEqual([60, '1200']);
  } finally {
    one.process.kill('SIGKILL');
  }
});

/** The status of /readyz; 0 if nothing listens. */
async function readiness(port: number): Promise<[status: number, text: string]> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [response.status, await response.text()];
  } catch {
    return [0, ''];
  }
}

test('an empty database is not ready, and gets no job queue', async () => {
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('CREATE DATABASE empty_of_worker');
  const url = new URL(database.url);
  url.pathname = '/empty_of_worker';
  const port = await freePort();
  const run = startProcess({ DATABASE_URL: url.href, PENSTOCK_WORKER_PORT: String(port), ...secrets });
  await run.printed('No jobs are taken');
  expect(await readiness(port)).toEqual([
    503,
    expect.stringMatching(/^the database schema is at nothing, and this version needs \d{14}_/),
  ]);
  const empty = new Client({ connectionString: url.href });
  await empty.connect();
  const { rows } = await empty.query("SELECT to_regnamespace('graphile_worker') IS NULL AS is_absent");
  expect(rows).toEqual([{ is_absent: true }]);
  await empty.end();
  run.process.kill('SIGKILL');
  await once(run.process, 'exit');
  await admin.query('DROP DATABASE empty_of_worker WITH (FORCE)');
  await admin.end();
});

test('a job that hangs is cancelled and put back', { tags: ['timed'], timeout: 180_000 }, async () => {
  const port = await freePort();
  const run = startProcess({
    DATABASE_URL: database.ownerUrl,
    PENSTOCK_EMBEDDED: '1',
    PENSTOCK_WORKER_PORT: String(port),
    PENSTOCK_WORKER_DRAIN_SECONDS: '3',
    ...secrets,
  });
  await run.printed('The worker takes jobs');
  const blocker = new Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE health_finding IN ACCESS EXCLUSIVE MODE');
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await client.query(`SELECT graphile_worker.add_job('expire-health', '{}', job_key => 'stuck', max_attempts => 1)`);
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 60_000 }).toBeGreaterThan(0);

  const startMs = performance.now();
  run.process.kill('SIGTERM');
  const exited = once(run.process, 'exit');
  await expect.poll(async () => (await readiness(port))[0]).toBe(503);
  const [code] = await exited;
  expect(code).toBe(0);
  expect(performance.now() - startMs).toBeLessThan(25_000);
  expect((await client.query(waiting)).rowCount, 'no statement is left behind').toBe(0);
  const { rows } = await client.query(
    `SELECT attempts, locked_at, run_at <= now() AS is_due FROM graphile_worker.jobs WHERE key = 'stuck'`,
  );
  expect(rows).toEqual([{ attempts: 0, locked_at: null, is_due: true }]);
  await blocker.query('ROLLBACK');
  await blocker.end();
});

test('warns until row security binds the owner of the tables', async () => {
  const settings = {
    DATABASE_URL: database.ownerUrl,
    PENSTOCK_SECRETS: '1:a root secret of the tests with 32 characters',
    PENSTOCK_WORKER_PORT: String(await freePort()),
  };
  await unforceRowSecurity(database.ownerUrl);
  const exempt = startProcess(settings);
  await exempt.printed('npm run admin -- database force-row-security');
  exempt.process.kill('SIGKILL');
  await once(exempt.process, 'exit');

  await forceRowSecurity(database.ownerUrl, true);
  const bound = startProcess(settings);
  await bound.printed('The worker takes jobs');
  expect(bound.output()).not.toContain('force-row-security');
});

test('a missing setting is named and prevents the start', async () => {
  const run = startProcess({ PENSTOCK_EMBEDDED: '1' });
  await run.printed('DATABASE_URL is not set');
  const [code] = await once(run.process, 'exit');
  expect(code).toBe(1);
});
