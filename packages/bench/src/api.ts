// `npm run bench:api`: what a call of the public API costs at 50 in flight, from a production build, beside a file that the same
// web server answers without doing anything. Prints a table, ends with one line of JSON, and keeps it in results/api.json.
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrismaClient } from '@penstock/database';
import { generateApiKey, newId } from '@penstock/platform';
import { buildWeb } from '../../../infra/local/build.ts';
import { startSystem } from '../../../infra/local/system.ts';
import { type LoopResult, runClosedLoop } from './closed-loop.ts';
import { describeMachine } from './machine.ts';
import { reportResult, rounded } from './results.ts';

const inFlight = 50;
const warmUpMs = 5_000;
const measureMs = 10_000;

interface Measured extends LoopResult {
  /** CPU time of all processes but this one, which is the caller: web app, PostgreSQL, and whatever else the machine does. */
  cpuMsPerCall: number;
}

function busyMs(): number {
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.sys + times.nice + times.irq, 0);
  const own = process.cpuUsage();
  return machine - (own.user + own.system) / 1_000;
}

async function measure(url: string, headers: Record<string, string>, callers: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const call = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${url} answered ${response.statusCode}`));
        });
      }).once('error', reject);
    });
  try {
    await runClosedLoop({ inFlight: callers, warmUpMs: 0, measureMs: warmUpMs }, call);
    const busyBefore = busyMs();
    const result = await runClosedLoop({ inFlight: callers, warmUpMs: 0, measureMs }, call);
    return { ...result, cpuMsPerCall: (busyMs() - busyBefore) / result.operations };
  } finally {
    agent.destroy();
  }
}

async function insertKey(databaseUrl: string, organizationId: string): Promise<string> {
  const { plaintext, hash, display } = generateApiKey();
  const database = createPrismaClient(databaseUrl, 1);
  try {
    const displayed = { displayPrefix: display.prefix, displayLast4: display.last4 };
    await database.apiKey.create({
      data: { id: newId(), organizationId, name: 'bench', role: 'viewer', isReadOnly: true, hash, ...displayed },
    });
  } finally {
    await database.$disconnect();
  }
  return plaintext;
}

function say(what: string, { p50Ms, p99Ms, perSecond, cpuMsPerCall }: Measured): void {
  process.stdout.write(
    `  ${what.padEnd(34)}p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ${perSecond.toFixed(0)}/s  ${cpuMsPerCall.toFixed(2)} ms CPU\n`,
  );
}

const figuresOf = (name: string, { p50Ms, p99Ms, perSecond, cpuMsPerCall }: Measured) => ({
  [`${name}_p50_ms`]: rounded(p50Ms, 2),
  [`${name}_p99_ms`]: rounded(p99Ms, 2),
  [`${name}_per_s`]: rounded(perSecond),
  [`${name}_cpu_ms_per_call`]: rounded(cpuMsPerCall, 3),
});

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
  const { webUrl = '', demo, databaseUrl } = system;
  if (demo === undefined) throw new Error('The demo organization is missing');
  const headers = { authorization: `Bearer ${await insertKey(databaseUrl, demo.organizationId)}` };
  const cluster = `${webUrl}/api/v1/clusters/${demo.clusterId}`;
  const alone = await measure(cluster, headers, 1);
  say('a call, alone', alone);
  const call = await measure(cluster, headers, inFlight);
  say(`a call, ${inFlight} in flight`, call);
  const file = await measure(`${webUrl}/theme-init.js`, {}, inFlight);
  say(`a file, ${inFlight} in flight`, file);
  if (deaths.length > 0) throw new Error(`Not a valid run: ${deaths.join('; ')}`);
  await reportResult('api', {
    bench: 'api',
    command: 'npm run bench:api',
    in_flight: inFlight,
    ...figuresOf('alone', alone),
    ...figuresOf('call', call),
    ...figuresOf('file', file),
    measured_s: measureMs / 1_000,
    load_average_before: rounded(loadBefore, 2),
    machine: await describeMachine(),
  });
} finally {
  await system.stop();
  await rm(home, { recursive: true, force: true });
}
