// `npm run bench -- api`: the cost of a public API call at 50 in flight, against a production build, from 50 programs of ten organizations.
// Compares it with a bare server with one query, which shows what two cores can do at all, and with a file served by Next. Prints a table
// and one line of JSON, and saves it in results/api.json.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../../../infra/local/build.ts';
import { type RunningSystem, startSystem } from '../../../infra/local/system.ts';
import { createHttpCaller, type HttpCaller } from './api/http-caller.ts';
import { insertPrograms } from './api/programs.ts';
import { type LoopResult, runClosedLoop } from './closed-loop.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';

const IN_FLIGHT = 50;
const WARM_UP_MS = 5_000;
const MEASURE_MS = 10_000;
/** The budget of a call. */
const WANTED_P50_MS = 5;

interface Measured extends LoopResult {
  /** CPU time per operation: of the server, of PostgreSQL, and of the callers, which are this process. */
  serverCpuMs: number;
  postgresCpuMs: number;
  callerCpuMs: number;
}

interface Processes {
  server: number;
  postgres: number;
}

async function cpuMsOf({ server, postgres }: Processes): Promise<[number, number, number]> {
  const own = process.cpuUsage();
  return [
    (await cpuSeconds(server)) * 1_000,
    (await cpuSecondsOfTree(postgres)) * 1_000,
    (own.user + own.system) / 1_000,
  ];
}

async function measure(callers: readonly HttpCaller[], processes: Processes): Promise<Measured> {
  const load = { inFlight: callers.length, warmUpMs: 0 };
  const call = async (caller: number): Promise<void> => callers[caller]?.call();
  try {
    await runClosedLoop({ ...load, measureMs: WARM_UP_MS }, call);
    const before = await cpuMsOf(processes);
    const result = await runClosedLoop({ ...load, measureMs: MEASURE_MS }, call);
    const after = await cpuMsOf(processes);
    const [serverCpuMs = 0, postgresCpuMs = 0, callerCpuMs = 0] = after.map(
      (used, index) => (used - (before[index] ?? 0)) / result.operations,
    );
    return { ...result, serverCpuMs, postgresCpuMs, callerCpuMs };
  } finally {
    for (const caller of callers) {
      caller.close();
    }
  }
}

function say(what: string, measured: Measured): void {
  const { p50Ms, p99Ms, perSecond, serverCpuMs, postgresCpuMs, callerCpuMs } = measured;
  const cpu = [serverCpuMs, postgresCpuMs, callerCpuMs].map((ms) => ms.toFixed(3)).join(' + ');
  process.stdout.write(
    `  ${what.padEnd(46)}p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms  ${perSecond.toFixed(0)}/s  CPU ${cpu} ms\n`,
  );
}

const figuresOf = (name: string, measured: Measured) => ({
  [`${name}_p50_ms`]: rounded(measured.p50Ms, 2),
  [`${name}_p99_ms`]: rounded(measured.p99Ms, 2),
  [`${name}_per_s`]: rounded(measured.perSecond),
  [`${name}_server_cpu_ms`]: rounded(measured.serverCpuMs, 3),
  [`${name}_postgres_cpu_ms`]: rounded(measured.postgresCpuMs, 3),
  [`${name}_caller_cpu_ms`]: rounded(measured.callerCpuMs, 3),
});

async function startFloor(databaseUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'api/floor.ts'), { env: { ...process.env, DATABASE_URL: databaseUrl } });
  const [address] = (await once(child, 'message')) as [AddressInfo];
  return { child, url: `http://127.0.0.1:${address.port}/` };
}

async function run(system: RunningSystem, postgres: number) {
  const server = system.web?.pid;
  const origin = system.webUrl?.replace('localhost', '127.0.0.1');
  if (server === undefined || origin === undefined) {
    throw new Error('The web app does not run');
  }
  const programs = await insertPrograms(system.databaseUrl);
  const callers = (count: number) =>
    programs
      .slice(0, count)
      .map(({ plaintext, clusterId }) =>
        createHttpCaller(`${origin}/api/v1/clusters/${clusterId}`, { authorization: `Bearer ${plaintext}` }),
      );
  const same = (url: string) => Array.from({ length: IN_FLIGHT }, () => createHttpCaller(url, {}));

  process.stdout.write('  CPU per call: server + PostgreSQL + callers\n');
  const alone = await measure(callers(1), { server, postgres });
  say('a call, alone', alone);
  const call = await measure(callers(IN_FLIGHT), { server, postgres });
  say(`a call, ${IN_FLIGHT} in flight`, call);
  const floor = await startFloor(system.databaseUrl);
  const bare = await measure(same(floor.url), { server: floor.child.pid ?? 0, postgres });
  floor.child.disconnect();
  say(`a bare server with one query, ${IN_FLIGHT} in flight`, bare);
  const file = await measure(same(`${origin}/theme-init.js`), { server, postgres });
  say(`a file from Next, ${IN_FLIGHT} in flight`, file);
  process.stdout.write(
    `  A call takes ${(call.p50Ms / bare.p50Ms).toFixed(1)} times as long as the bare server with one query, and ${(call.p50Ms / WANTED_P50_MS).toFixed(1)} times the ${WANTED_P50_MS} ms that are wanted.\n`,
  );
  return {
    ...figuresOf('alone', alone),
    ...figuresOf('call', call),
    ...figuresOf('bare', bare),
    ...figuresOf('file', file),
  };
}

const loadBefore = loadavg()[0] ?? 0;
await buildWeb();
const home = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
const deaths: string[] = [];
const system = await startSystem({
  home,
  agents: [],
  hasWorker: false,
  isQuiet: true,
  controlPlaneEnv: { PENSTOCK_API_REQUESTS_PER_MINUTE: '100000000' },
  events: {
    onDeath: (name, reason) => deaths.push(`${name} ended (${reason})`),
    onRestart: () => undefined,
    onDatabaseDeath: (lines) => deaths.push(`PostgreSQL ended: ${lines}`),
  },
});
try {
  const postgres = Number((await readFile(join(home, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
  const figures = await run(system, postgres);
  if (deaths.length > 0) {
    throw new Error(`Not a valid run: ${deaths.join('; ')}`);
  }
  await reportResult('api', {
    bench: 'api',
    command: 'npm run bench -- api',
    in_flight: IN_FLIGHT,
    wanted_p50_ms: WANTED_P50_MS,
    ...figures,
    measured_s: MEASURE_MS / 1_000,
    load_average_before: rounded(loadBefore, 2),
    machine: await describeMachine(),
  });
} finally {
  await system.stop();
  await rm(home, { recursive: true, force: true });
}
