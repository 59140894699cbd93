// `npm run bench -- worker`: what active clusters cost the workers, and how far behind usage, verdicts and budgets are. Real worker
// processes and a real PostgreSQL; a process of the benchmark answers for the metadata service.
//
// PENSTOCK_BENCH_CLUSTERS (200; 2,500 at full size), PENSTOCK_BENCH_BUDGETS (as many), PENSTOCK_BENCH_WORKERS (2),
// PENSTOCK_BENCH_SECONDS (120), PENSTOCK_BENCH_BACKLOG (300 entries per cluster), PENSTOCK_BENCH_CPU_PROF (a folder for profiles).
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@penstock/servers/free-port';
import { Pool } from 'pg';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import { cpuSeconds } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';
import { type Program, startWorker } from './telemetry/programs.ts';
import { WorkerFleet } from './worker/fleet.ts';
import { percentile, SessionMeter, watchProgress } from './worker/watch.ts';

function setting(name: string, byDefault: number): number {
  return Number(process.env[`PENSTOCK_BENCH_${name}`] ?? byDefault);
}

const CLUSTERS = setting('CLUSTERS', 200);
const BUDGETS = setting('BUDGETS', CLUSTERS);
const WORKERS = setting('WORKERS', 2);
const SECONDS = setting('SECONDS', 120);
const BACKLOG_ENTRIES = setting('BACKLOG', 300);
const profiles = process.env['PENSTOCK_BENCH_CPU_PROF'];
/** Until every cluster has a verdict, and the first full minute of budgets. */
const WARM_UP_MS = 60_000;
const DAY_S = 86_400;
const POLL_MS = 250;
/** Seen before the work was shared and batched, with one worker. */
const BEFORE = { coresPer1000: 0.83, budgetsMs: '50 to 105 s for 7,000' };

interface WorkerProcess extends Program {
  metricsUrl: string;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function startOwner(fleet: WorkerFleet): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(new URL('worker/owner.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const known = once(child, 'message');
  child.send({ agents: fleet.agents.map(({ clusterId, agentId, zone }) => ({ clusterId, agentId, zone })) });
  await known;
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

async function startWorkers(databaseUrl: string, ownerUrl: string): Promise<WorkerProcess[]> {
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  return Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const port = await freePort();
      const program = await startWorker(
        databaseUrl,
        {
          PENSTOCK_METADATA_ADMIN_URL: ownerUrl,
          PENSTOCK_ADMIN_KEYS: '1:a-key-of-the-benchmark-that-is-long-enough',
          PENSTOCK_WORKER_PORT: String(port),
          PENSTOCK_WORKER_HOST: '127.0.0.1',
          PENSTOCK_LOG_LEVEL: 'info',
        },
        profiling,
      );
      return { ...program, metricsUrl: `http://127.0.0.1:${port}/metrics` };
    }),
  );
}

/** Runs of a job that ended, and their seconds together. */
async function runsOf(workers: readonly WorkerProcess[], task: string): Promise<{ runs: number; seconds: number }> {
  const total = { runs: 0, seconds: 0 };
  for (const { metricsUrl } of workers) {
    const text = await (await fetch(metricsUrl)).text();
    const figure = (name: string): number =>
      Number(new RegExp(`^penstock_worker_job_seconds_${name}\\{task="${task}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    total.runs += figure('count');
    total.seconds += figure('sum');
  }
  return total;
}

async function cpuOf(workers: readonly Program[]): Promise<number> {
  let sum = 0;
  for (const { pid } of workers) {
    sum += await cpuSeconds(pid);
  }
  return sum;
}

async function unfolded(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM metadata_lease l LEFT JOIN metering_checkpoint p USING (cluster_id)
     WHERE EXISTS (SELECT 1 FROM metadata_journal j WHERE j.cluster_id = l.cluster_id AND j.seq > coalesce(p.seq, 0))`,
  );
  return rows[0]?.count ?? 0;
}

async function untilFolded(pool: Pool): Promise<number> {
  const startMs = performance.now();
  while ((await unfolded(pool)) > 0) {
    await sleep(POLL_MS);
  }
  return (performance.now() - startMs) / 1_000;
}

/** @throws when the ledger differs from the journal, or a cluster was not found well: fast and wrong is worthless */
async function requireExact(pool: Pool, fleet: WorkerFleet): Promise<void> {
  const { rows } = await pool.query<{ bytes: string; minutes: string; findings: number }>(
    `SELECT sum(uncompressed_bytes) AS bytes, sum(cluster_minutes) AS minutes,
       (SELECT count(*)::int FROM health_finding) AS findings
     FROM usage_hour WHERE first_seq > 0`,
  );
  const [row] = rows;
  const { uncompressedBytes, clusterMinutes } = fleet.journaled;
  if (row?.bytes !== String(uncompressedBytes) || row.minutes !== String(clusterMinutes)) {
    throw new Error(`the ledger has ${row?.bytes} bytes and ${row?.minutes} minutes, not what was journaled`);
  }
  if (row.findings > 0) {
    const { rows: found } = await pool.query('SELECT rule, count(*)::int, min(cause) FROM health_finding GROUP BY 1');
    say(`  findings: ${JSON.stringify(found)}`);
  }
}

say('Starting a PostgreSQL of its own with default durability ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 8 });
let workers: WorkerProcess[] = [];
let owner: { url: string; stop(): void } | undefined;
try {
  say(`${CLUSTERS} clusters with ${CLUSTERS * 3} agents, ${BUDGETS} budgets, ${WORKERS} workers ...`);
  const fleet = await WorkerFleet.make(pool, CLUSTERS, BUDGETS);
  owner = await startOwner(fleet);
  workers = await startWorkers(server.url, owner.url);
  fleet.start();
  await sleep(WARM_UP_MS);

  const sessions = new SessionMeter(pool);
  const postgresBefore = await sessions.read();
  const budgetsBefore = await runsOf(workers, 'check-budgets');
  const cpuBefore = await cpuOf(workers);
  const beganMs = performance.now();
  const watch = watchProgress(pool, sessions);
  await sleep(SECONDS * 1_000);
  await watch.stop();
  const seconds = (performance.now() - beganMs) / 1_000;
  const workerCores = ((await cpuOf(workers)) - cpuBefore) / seconds;
  const postgresCores = ((await sessions.read()) - postgresBefore) / seconds;
  const budgetsAfter = await runsOf(workers, 'check-budgets');
  const { progress } = watch;
  await fleet.stop();
  await untilFolded(pool);
  await requireExact(pool, fleet);

  say(`Stopping the workers, adding ${BACKLOG_ENTRIES} entries per cluster, starting them again ...`);
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  await fleet.addBacklog(BACKLOG_ENTRIES);
  workers = await startWorkers(server.url, owner.url);
  const backlogS = await untilFolded(pool);
  await requireExact(pool, fleet);
  const entriesPerS = (BACKLOG_ENTRIES * CLUSTERS) / backlogS;
  const dayS = (DAY_S * CLUSTERS) / entriesPerS;

  const perThousand = (cores: number): number => (cores / CLUSTERS) * 1_000;
  const runs = budgetsAfter.runs - budgetsBefore.runs;
  const budgetS = runs === 0 ? Number.NaN : (budgetsAfter.seconds - budgetsBefore.seconds) / runs;
  const lag = (readings: readonly number[]): string =>
    `${percentile(readings, 0.5).toFixed(1)} s in the middle, ${percentile(readings, 1).toFixed(1)} s at most`;
  say(`\n  worker cores per 1,000 clusters: ${perThousand(workerCores).toFixed(3)} (${BEFORE.coresPer1000} before)`);
  say(`  PostgreSQL cores per 1,000 clusters, for the workers: ${perThousand(postgresCores).toFixed(3)}`);
  say(`  oldest usage that is not folded: ${lag(progress.foldLagS)}`);
  say(`  oldest verdict: ${lag(progress.verdictAgeS)}`);
  say(`  oldest slot that is not rolled up, since it ended: ${lag(progress.rollUpLagS)}`);
  say(
    `  a run of ${BUDGETS} budgets: ${budgetS.toFixed(2)} s, at most ${progress.budgetRuns} at once (${BEFORE.budgetsMs} before)`,
  );
  say(
    `  backlog: ${BACKLOG_ENTRIES * CLUSTERS} entries in ${backlogS.toFixed(1)} s; arithmetic: a day of ${CLUSTERS} clusters in ${(dayS / 60).toFixed(0)} min`,
  );
  say(`  the load was late by ${fleet.longestDelayS.toFixed(1)} s at most\n`);
  const { stdout: commit } = await promisify(execFile)('git', ['rev-parse', '--short=8', 'HEAD']);
  await reportResult('worker', {
    commit: commit.trim(),
    clusters: CLUSTERS,
    agents: CLUSTERS * 3,
    budgets: BUDGETS,
    workers: WORKERS,
    seconds: rounded(seconds),
    worker_cores: rounded(workerCores, 3),
    worker_cores_per_1000: rounded(perThousand(workerCores), 3),
    postgres_cores_per_1000: rounded(perThousand(postgresCores), 3),
    fold_lag_p50_s: rounded(percentile(progress.foldLagS, 0.5), 1),
    fold_lag_max_s: rounded(percentile(progress.foldLagS, 1), 1),
    verdict_age_p50_s: rounded(percentile(progress.verdictAgeS, 0.5), 1),
    verdict_age_max_s: rounded(percentile(progress.verdictAgeS, 1), 1),
    roll_up_lag_max_s: rounded(percentile(progress.rollUpLagS, 1), 1),
    budget_run_s: rounded(budgetS, 2),
    budget_runs_at_once: progress.budgetRuns,
    backlog_entries: BACKLOG_ENTRIES * CLUSTERS,
    backlog_s: rounded(backlogS, 1),
    backlog_entries_per_s: rounded(entriesPerS),
    arithmetic_day_backlog_min: rounded(dayS / 60, 1),
    load_late_max_s: rounded(fleet.longestDelayS, 1),
    before: { worker_cores_per_1000: BEFORE.coresPer1000, budget_run_s: '50 to 105 for 7,000' },
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await Promise.all(workers.map((worker) => worker.stop()));
  owner?.stop();
  await pool.end();
  await server.stop();
}
