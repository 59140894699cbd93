// `npm run bench -- greedy-tenant`: the effect of one tenant's flood on the commits of another in the same metadata process. As a control, a
// program that only computes uses as much processor time as the flooding one did: what it delays is this machine's doing, not the service's.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { describeMachine } from './machine.ts';
import { settleWal, startBenchServer } from './metadata/bench-server.ts';
import { commitCaller, createTopic } from './metadata/rpc-commits.ts';
import { type BenchCluster, createCluster, startService } from './metadata/service-process.ts';
import { RUNS_PER_COMMIT } from './metadata/workload.ts';
import { type OpenLoad, type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { cpuSeconds } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';

/** The tenant that is measured sends a commit every so often, as a dozen agents do, and does not wait for answers. */
const load: OpenLoad = { everyMs: 20, warmUpMs: 3_000, measureMs: 20_000 };
/** Commits that the greedy tenant has in flight. */
const IN_FLIGHT = 256;

interface FloodCounts {
  commits: number;
  refused: number;
  seconds: number;
}

async function startFlood(
  rpcUrl: string,
  { clusterId, key }: BenchCluster,
): Promise<{ pid: number; stop(): Promise<FloodCounts> }> {
  const program = fileURLToPath(new URL('./greedy-tenant/flood.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: {
      PATH: process.env['PATH'],
      BENCH_RPC_URL: rpcUrl,
      BENCH_CLUSTER: clusterId,
      BENCH_KEY: key,
      BENCH_IN_FLIGHT: String(IN_FLIGHT),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error('the flood ended early');
    }
    return value;
  };
  await line();
  return {
    pid: child.pid ?? -1,
    stop: async () => {
      child.kill('SIGTERM');
      return JSON.parse(await line()) as FloodCounts;
    },
  };
}

/** Starts a program that uses this share of one processor. */
function startSpinning(share: number): { stop(): void } {
  const program = `const share = ${share};
    const spin = () => {
      const untilMs = performance.now() + 10 * share;
      while (performance.now() < untilMs);
      setTimeout(spin, 10 * (1 - share));
    };
    spin();`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { stop: () => void child.kill('SIGKILL') };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function row(what: string, { p50Ms, p99Ms }: OpenLoopResult): string {
  return `  ${what.padEnd(38)}${[p50Ms, p99Ms].map((ms) => ms.toFixed(2).padStart(13)).join('')}`;
}

say('Starting a PostgreSQL of its own with default durability, and a metadata process ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 2 });
pool.on('error', () => undefined);
await settleWal(pool);
const service = await startService(server.url);
try {
  const [greedy, own] = [await createCluster(pool), await createCluster(pool)];
  const { commit, close } = await commitCaller(service.rpcUrl, own, await createTopic(service.rpcUrl, own));
  say(`One tenant commits ${1_000 / load.everyMs} files per second, for ${load.measureMs / 1_000} s each:\n`);
  say(`  ${''.padEnd(38)}${['p50 ms', 'p99 ms'].map((head) => head.padStart(13)).join('')}`);
  const quiet = await runOpenLoop(load, commit);
  say(row('quiet', quiet));
  const flood = await startFlood(service.rpcUrl, greedy);
  const usedBefore = [await cpuSeconds(service.pid), await cpuSeconds(flood.pid)];
  const startedMs = performance.now();
  const flooded = await runOpenLoop(load, commit);
  const elapsedS = (performance.now() - startedMs) / 1_000;
  const usedAfter = [await cpuSeconds(service.pid), await cpuSeconds(flood.pid)];
  const [serviceShare = 0, floodShare = 0] = usedAfter.map((used, at) => (used - (usedBefore[at] ?? 0)) / elapsedS);
  const { commits, refused, seconds } = await flood.stop();
  say(row('while another tenant floods', flooded));
  const between = await runOpenLoop(load, commit);
  say(row('quiet again', between));
  const spinning = startSpinning(floodShare);
  const control = await runOpenLoop(load, commit).finally(() => spinning.stop());
  say(row('control: only the processor is used', control));
  const after = await runOpenLoop(load, commit);
  say(row('quiet again', after));
  const quietP99Ms = (quiet.p99Ms + between.p99Ms + after.p99Ms) / 3;
  const [ratio, controlRatio] = [flooded.p99Ms / quietP99Ms, control.p99Ms / quietP99Ms];
  say(
    `\n  p99 during the flood: ${ratio.toFixed(2)} times its quiet value (${quietP99Ms.toFixed(2)} ms, the mean of three).`,
  );
  say(
    `  The control, ${(floodShare * 100).toFixed(0)} % of a processor like the flooding program: ${controlRatio.toFixed(2)} times.`,
  );
  const [done, over] = [commits / seconds, refused / seconds];
  say(
    `  Per second, the flood of ${IN_FLIGHT} in flight had ${done.toFixed(0)} commits of ${RUNS_PER_COMMIT} batches answered and`,
  );
  say(`  ${over.toFixed(0)} refused. The service used ${(serviceShare * 100).toFixed(0)} % of a processor.\n`);
  close();
  await reportResult('greedy-tenant', {
    quiet_p50_ms: rounded(quiet.p50Ms, 2),
    quiet_p99_ms: rounded(quietP99Ms, 2),
    flooded_p50_ms: rounded(flooded.p50Ms, 2),
    flooded_p99_ms: rounded(flooded.p99Ms, 2),
    p99_ratio: rounded(ratio, 2),
    control_p99_ratio: rounded(controlRatio, 2),
    flood_processor_share: rounded(floodShare, 2),
    service_processor_share: rounded(serviceShare, 2),
    flood_commits_per_s: rounded(done),
    flood_refused_per_s: rounded(over),
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await service.stop();
  await pool.end();
  await server.stop();
}
