// `npm run bench:greedy-tenant`: the effect of one tenant's flood on the commits of another in the same metadata process.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import { commitCaller, createTopic } from './metadata/rpc-commits.ts';
import { type BenchCluster, createCluster, startService } from './metadata/service-process.ts';
import { RUNS_PER_COMMIT } from './metadata/workload.ts';
import { reportResult, rounded } from './results.ts';

/** The tenant that is measured sends a commit every so often, as a dozen agents do, and does not wait for answers. */
const PAUSE_MS = 20;
const WARM_UP_MS = 3_000;
const MEASURE_MS = 20_000;
/** Commits that the greedy tenant has in flight. */
const IN_FLIGHT = 256;

interface Latencies {
  p50Ms: number;
  p99Ms: number;
}

interface FloodCounts {
  commits: number;
  refused: number;
  seconds: number;
}

async function measure(commit: () => Promise<void>): Promise<Latencies> {
  const latenciesMs: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let dueMs = startedMs; dueMs < startedMs + WARM_UP_MS + MEASURE_MS; dueMs += PAUSE_MS) {
    await pause(Math.max(0, dueMs - performance.now()));
    const isWarm = dueMs >= startedMs + WARM_UP_MS;
    const sentMs = performance.now();
    underWay.push(
      commit().then(() => {
        if (isWarm) {
          latenciesMs.push(performance.now() - sentMs);
        }
      }),
    );
  }
  await Promise.all(underWay);
  const sorted = latenciesMs.toSorted((left, right) => left - right);
  const quantile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

async function startFlood(rpcUrl: string, { clusterId, key }: BenchCluster): Promise<{ stop(): Promise<FloodCounts> }> {
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
    stop: async () => {
      child.kill('SIGTERM');
      return JSON.parse(await line()) as FloodCounts;
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function row(what: string, { p50Ms, p99Ms }: Latencies): string {
  return `  ${what.padEnd(38)}${[p50Ms, p99Ms].map((ms) => ms.toFixed(2).padStart(13)).join('')}`;
}

say('Starting a PostgreSQL of its own with default durability, and a metadata process ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 2 });
pool.on('error', () => undefined);
const service = await startService(server.url);
try {
  const [greedy, own] = [await createCluster(pool), await createCluster(pool)];
  const { commit, close } = await commitCaller(service.rpcUrl, own, await createTopic(service.rpcUrl, own));
  say(`One tenant commits ${1_000 / PAUSE_MS} files per second, for ${MEASURE_MS / 1_000} s each:\n`);
  say(`  ${''.padEnd(38)}${['p50 ms', 'p99 ms'].map((head) => head.padStart(13)).join('')}`);
  const quiet = await measure(commit);
  say(row('quiet', quiet));
  const flood = await startFlood(service.rpcUrl, greedy);
  const flooded = await measure(commit);
  const { commits, refused, seconds } = await flood.stop();
  say(row('while another tenant floods', flooded));
  const after = await measure(commit);
  say(row('quiet again', after));
  const quietP99Ms = (quiet.p99Ms + after.p99Ms) / 2;
  const ratio = flooded.p99Ms / quietP99Ms;
  say(
    `\n  p99 during the flood: ${ratio.toFixed(2)} times its quiet value. Per second, the flood of ${IN_FLIGHT} in flight had`,
  );
  const [done, over] = [commits / seconds, refused / seconds];
  say(`  ${done.toFixed(0)} commits of ${RUNS_PER_COMMIT} batches answered and ${over.toFixed(0)} refused\n`);
  close();
  await reportResult('greedy-tenant', {
    quiet_p50_ms: rounded(quiet.p50Ms, 2),
    quiet_p99_ms: rounded(quietP99Ms, 2),
    flooded_p50_ms: rounded(flooded.p50Ms, 2),
    flooded_p99_ms: rounded(flooded.p99Ms, 2),
    p99_ratio: rounded(ratio, 2),
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
