// `npm run fault -- stops`: two processes of each program behind a proxy that checks them every second. One of them gets
// SIGTERM under load: how many connections are refused, and how many seconds it takes to exit. A worker has a job whose
// statement waits for a lock.
//   --drain 3                      seconds of drain
//   --only web,metadata,worker     programs to stop
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '@penstock/servers/free-port';
import { Client } from 'pg';
import { CommittingAgents, OwnerFollower } from '../../apps/metadata/src/testing/committing-agents.ts';
import { ControlPlaneFixture, KEY_VARIABLES } from '../../apps/metadata/src/testing/control-plane-fixture.ts';
import { RawHttp2 } from '../../apps/metadata/src/testing/raw-http2.ts';
import { buildWeb } from '../../infra/local/build.ts';
import { until } from '../clients/support/run.ts';
import { CheckedProxy, type Target } from './support/checked-proxy.ts';

const EXIT_LIMIT_MS = 25_000;
const LOADED_MS = 3_000;
const CALLERS = 8;
/** As many as two workers run at once. */
const JOBS = 8;
const DESCRIBE = '/penstock.metadata.v1.MetadataService/DescribeCluster';

const { values: options } = parseArgs({
  options: { drain: { type: 'string', default: '3' }, only: { type: 'string', default: 'web,metadata,worker' } },
});
const chosen = options.only.split(',');
const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
const root = new URL('../../', import.meta.url);

interface Program extends Target {
  child: ChildProcess;
}

interface Stopped {
  program: string;
  answered: number;
  refused: number;
  seconds_to_exit: number;
  exit_code: number | null;
  commits_acknowledged?: number;
  commits_lost?: number;
  jobs_put_back?: number;
}

async function startProgram(file: string, ports: Target, env: Record<string, string>): Promise<Program> {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, root))], {
    // The folder of the app: Next reads its configuration there.
    cwd: fileURLToPath(new URL(file.split('/').slice(0, 2).join('/'), root)),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PENSTOCK_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until(`${file} is ready`, async () => {
    if (child.exitCode !== null) {
      throw new Error(`${file} ended while starting`);
    }
    return await fetch(ports.readyUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { child, ...ports };
}

/** Sends SIGTERM to the first program while `load` calls the proxy. */
async function stopUnderLoad(
  program: string,
  [stopped, other]: readonly [Program, Program],
  load: (url: string) => Promise<void>,
): Promise<Stopped> {
  const proxy = await CheckedProxy.inFrontOf([stopped, other]);
  let isDone = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isDone) {
      await load(proxy.url);
    }
  });
  await pause(LOADED_MS);
  const startMs = performance.now();
  const exited = once(stopped.child, 'exit');
  stopped.child.kill('SIGTERM');
  const [code] = await exited;
  const exitMs = performance.now() - startMs;
  await pause(LOADED_MS);
  isDone = true;
  await Promise.all(callers);
  await proxy.close();
  const { passedOn: answered, refused } = proxy;
  return { program, answered, refused, seconds_to_exit: Number((exitMs / 1_000).toFixed(1)), exit_code: code };
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** The proxy counts what went wrong. */
async function getPage(url: string): Promise<void> {
  await fetch(`${url}/sign-in`, { headers: { connection: 'close' } })
    .then((response) => response.text())
    .catch(() => undefined);
}

async function getProbe(url: string): Promise<void> {
  await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
    .then((response) => response.text())
    .catch(() => undefined);
  await pause(20);
}

/** A connection of its own each time, as of an agent that starts. */
async function callOnce(url: string): Promise<void> {
  const client = new RawHttp2(url);
  await client.post(DESCRIBE, { 'content-type': 'application/proto' }, [new Uint8Array(0)]).catch(() => undefined);
  client.close();
}

if (chosen.includes('web')) {
  await buildWeb();
}
const controlPlane = await ControlPlaneFixture.create();
const common = {
  ...KEY_VARIABLES,
  PENSTOCK_SECRETS: '1:a root secret of the tests with 32 characters',
  DATABASE_URL: controlPlane.database.ownerUrl,
};
const programs: Program[] = [];

async function pairOf(start: () => Promise<Program>): Promise<[Program, Program]> {
  const pair: [Program, Program] = [await start(), await start()];
  programs.push(...pair);
  return pair;
}

async function stopWeb(): Promise<Stopped> {
  const pair = await pairOf(async () => {
    const port = await freePort();
    const target = { port, readyUrl: `http://127.0.0.1:${port}/readyz` };
    return startProgram('apps/web/server/main.ts', target, {
      ...common,
      PENSTOCK_WEB_PORT: String(port),
      PENSTOCK_WEB_URL: 'http://localhost:3000',
      // Nobody answers there, and the page under load does not ask.
      PENSTOCK_METADATA_ADMIN_URL: 'http://127.0.0.1:1',
      PENSTOCK_PUBLIC_METADATA_URL: 'http://127.0.0.1:1',
      PENSTOCK_WEB_DRAIN_SECONDS: options.drain,
    });
  });
  return stopUnderLoad('web', pair, getPage);
}

/** Agents commit at the same time, and every commit that was acknowledged must be there afterwards. */
async function stopMetadata(): Promise<Stopped> {
  const pair = await pairOf(async () => {
    const [port, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()];
    const target = { port, readyUrl: `http://127.0.0.1:${httpPort}/readyz` };
    return startProgram('apps/metadata/src/main.ts', target, {
      ...common,
      PENSTOCK_METADATA_PORT: String(port),
      PENSTOCK_METADATA_HTTP_PORT: String(httpPort),
      PENSTOCK_METADATA_ADVERTISED_URL: `http://127.0.0.1:${port}`,
      PENSTOCK_METADATA_ADMIN_LISTEN: `127.0.0.1:${adminPort}`,
      PENSTOCK_METADATA_DRAIN_SECONDS: options.drain,
    });
  });
  const urls = pair.map(({ port }) => `http://127.0.0.1:${port}`);
  const follower = new OwnerFollower(urls, await controlPlane.createCluster());
  const created = await follower.call((client) => client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] }));
  const [topic] = created.results;
  if (topic === undefined) {
    throw new Error('the topic was not created');
  }
  const committing = new CommittingAgents(follower, topic.topicId, CALLERS);
  const stopped = await stopUnderLoad('metadata', pair, callOnce);
  await committing.stop();
  const { lost } = await committing.audit();
  follower.close();
  return { ...stopped, commits_acknowledged: committing.count, commits_lost: lost.length };
}

async function stopWorker(): Promise<Stopped> {
  const pair = await pairOf(async () => {
    const port = await freePort();
    const target = { port, readyUrl: `http://127.0.0.1:${port}/readyz` };
    return startProgram('apps/worker/src/main.ts', target, {
      ...common,
      PENSTOCK_WORKER_PORT: String(port),
      PENSTOCK_WORKER_DRAIN_SECONDS: options.drain,
    });
  });
  const blocker = new Client({ connectionString: controlPlane.database.url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE health_finding IN ACCESS EXCLUSIVE MODE');
  // As many as both workers run at once, so that the one that is stopped has some.
  for (let job = 0; job < JOBS; job += 1) {
    await controlPlane.pool.query(`SELECT graphile_worker.add_job('expire-health', '{}')`);
  }
  const stopped = await stopUnderLoad('worker', pair, getProbe);
  const { rows } = await controlPlane.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'expire-health' AND attempts <= 1`,
  );
  await blocker.end();
  return { ...stopped, jobs_put_back: rows[0]?.count ?? 0 };
}

/** Whether nobody noticed, and nothing was cut off or lost. */
function isGood({ refused, seconds_to_exit, exit_code, commits_lost = 0, jobs_put_back = JOBS }: Stopped): boolean {
  const isInTime = seconds_to_exit * 1_000 < EXIT_LIMIT_MS && exit_code === 0;
  return refused === 0 && isInTime && commits_lost === 0 && jobs_put_back === JOBS;
}

const stops = new Map([
  ['web', stopWeb],
  ['metadata', stopMetadata],
  ['worker', stopWorker],
]);
try {
  for (const name of chosen) {
    const stop = stops.get(name);
    if (stop === undefined) {
      throw new Error(`There is no program ${name}: ${[...stops.keys()].join(', ')}`);
    }
    const result = await stop();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    if (!isGood(result)) {
      process.exitCode = 1;
    }
  }
} finally {
  for (const { child } of programs) {
    child.kill('SIGKILL');
  }
  await controlPlane.drop();
}
process.exit();
