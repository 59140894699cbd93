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
