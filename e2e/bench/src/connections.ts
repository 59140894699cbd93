// `npm run bench -- connections`: what a client notices of ten thousand idle TLS connections and a thousand TLS handshakes that do not end, and
// the memory of an idle connection. Prints a table and one line of JSON, and saves that line in e2e/bench/results/connections.json.

import { buildAgent } from '../../../infra/local/build.ts';
import type { RunningSystem } from '../../../infra/local/system.ts';
import { setUsers } from '../../clients/support/user-credentials.ts';
import { createTopic, type LoadResult, produce, type Server } from './agent-load.ts';
import { Crowd, type CrowdReport } from './connections/crowd.ts';
import { describeMachine } from './machine.ts';
import { rssMib } from './process-usage.ts';
import { reportResult, rounded as round } from './results.ts';
import { type Listeners, withListeners } from './secured/listeners.ts';
import { withPenstock } from './servers.ts';

/** PENSTOCK_BENCH_SCALE=0.1 makes a quick run. */
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const IDLE = Math.round(10_000 * scale);
const SLOW = Math.round(1_000 * scale);
const PRODUCERS = 4;
const MIB_PER_S = 10;
const MEASURED_S = 30;
const USER = { user: 'idle', password: 'of-idle' };
const aim = { p99Ratio: 2 };

function load(server: Server): Promise<LoadResult> {
  return produce(server, 'served', {
    producers: PRODUCERS,
    warmUpMib: 16,
    mib: MIB_PER_S * MEASURED_S,
    mibPerS: MIB_PER_S,
  });
}

/** Runs `work` against an agent that is fresh, so that no earlier crowd has left memory behind. */
function withAgent<T>(work: (server: Server, system: RunningSystem, listeners: Listeners) => Promise<T>): Promise<T> {
  return withListeners((listeners) =>
    withPenstock((server, system) => work({ ...server, bootstrap: listeners.plain }, system, listeners), {
      agentEnv: listeners.agentEnv,
    }),
  );
}

interface Served {
  quiet: LoadResult;
  crowded: LoadResult;
  crowd: CrowdReport;
}

function measureServed(): Promise<Served> {
  return withAgent(async (plain, _, { tls, caFile }) => {
    const server: Server = { ...plain, bootstrap: tls, access: { caFile } };
    await createTopic(server, 'served', 8);
    // Once more than is measured: caches and the journal have their size.
    await load(server);
    const quiet = await load(server);
    const crowd = await Crowd.gather(server, { idle: IDLE, slow: SLOW });
    const crowded = await load(server);
    return { quiet, crowded, crowd: await crowd.end() };
  });
}

type Kind = 'plain' | 'tls' | 'tls_sasl';

/** KiB of resident memory of the agent per idle connection. */
function measureMemory(kind: Kind): Promise<number> {
  return withAgent(async (plain, system, { tls, caFile }) => {
    const access = { caFile, ...(kind === 'tls_sasl' ? { user: { name: USER.user, password: USER.password } } : {}) };
    const server: Server = kind === 'plain' ? plain : { ...plain, bootstrap: tls, access };
    const { demo, metadata } = system;
    if (demo === undefined || metadata[0] === undefined) {
      throw new Error('The system has no demo cluster');
    }
    await setUsers(metadata[0].url, demo, [USER]);
    // One hundred first, for what any connection needs once.
    await (await Crowd.gather(server, { idle: 100, slow: 0 })).end();
    const before = await rssMib(server.pid);
    const crowd = await Crowd.gather(server, { idle: IDLE, slow: 0 });
    const after = await rssMib(server.pid);
    const { idleAnswered } = await crowd.end();
    if (idleAnswered !== IDLE) {
      throw new Error(`${kind}: only ${idleAnswered} of ${IDLE} idle connections are served`);
    }
    const kib = ((after - before) * 1_024) / IDLE;
    console.log(`${`idle connection, ${kind}`.padEnd(36)} ${kib.toFixed(1)} KiB`);
    return kib;
  });
}

function show(what: string, { p50Ms = Number.NaN, p99Ms = Number.NaN }: LoadResult): void {
  console.log(`${what.padEnd(36)} p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`);
}

await buildAgent();
const { quiet, crowded, crowd } = await measureServed();
show('quiet', quiet);
show(`${IDLE} idle, ${SLOW} slow handshakes`, crowded);
const ratio = (crowded.p99Ms ?? Number.NaN) / (quiet.p99Ms ?? Number.NaN);
console.log(`p99 ${ratio.toFixed(2)} times that of the quiet listener; the aim is less than ${aim.p99Ratio}`);
console.log(
  `${crowd.idleAnswered} of ${IDLE} idle connections are still served; ${crowd.slowClosed} of ${crowd.slowBegun} slow handshakes were closed`,
);
const memory = {
  plain: await measureMemory('plain'),
  tls: await measureMemory('tls'),
  tls_sasl: await measureMemory('tls_sasl'),
};
await reportResult('connections', {
  idle: IDLE,
  slow: SLOW,
  quiet_p50_ms: round(quiet.p50Ms ?? Number.NaN, 1),
  quiet_p99_ms: round(quiet.p99Ms ?? Number.NaN, 1),
  crowded_p50_ms: round(crowded.p50Ms ?? Number.NaN, 1),
  crowded_p99_ms: round(crowded.p99Ms ?? Number.NaN, 1),
  p99_ratio: round(ratio, 2),
  idle_answered: crowd.idleAnswered,
  slow_begun: crowd.slowBegun,
  slow_closed: crowd.slowClosed,
  idle_plain_kib: round(memory.plain, 1),
  idle_tls_kib: round(memory.tls, 1),
  idle_tls_sasl_kib: round(memory.tls_sasl, 1),
  aim,
  machine: await describeMachine(),
});
process.exitCode = ratio < aim.p99Ratio && crowd.idleAnswered === IDLE ? 0 : 1;
