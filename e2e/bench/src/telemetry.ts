// `npm run bench -- telemetry`: what 1,000 agents that report every ten seconds cost the control plane in CPU and disk, and how fast and
// smooth the pages of a cluster with them and 4,608 partitions are.
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateAgentKey, newId } from '@penstock/platform';
import { type Level, levelFacts, levels, RELATIVE_ERROR } from '@penstock/telemetry';
import { ensurePartitions } from '@penstock/telemetry-store';
import { DAY_MS } from '@penstock/units';
import { Pool } from 'pg';
import { buildWeb } from '../../../infra/local/build.ts';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';
import { startFleet } from './telemetry/agents.ts';
import { measureHour } from './telemetry/hour.ts';
import { measurePages, summaryOf } from './telemetry/pages.ts';
import { startMetadata, startWorker } from './telemetry/programs.ts';
import { WINDOW_MS } from './telemetry/reports.ts';
import { type WriteResult, writeRowPerMetric, writeRowPerReport } from './telemetry/row-per-metric.ts';
import { sayPages } from './telemetry/say-pages.ts';

/** PENSTOCK_BENCH_AGENTS=50 tests the benchmark itself. */
const AGENTS = Number(process.env['PENSTOCK_BENCH_AGENTS'] ?? 1_000);
const BYTES_PER_MIB = 2 ** 20;
const BYTES_PER_GIB = 2 ** 30;
/** PENSTOCK_BENCH_SCALE=0.2 makes a quick run with few minutes. */
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const WARM_UP_MS = 25_000;
const measureMs = Math.max(60_000, Math.round(180_000 * scale));
/** PENSTOCK_BENCH_PARTITIONS=160 for a quick run. */
const PARTITIONS = Number(process.env['PENSTOCK_BENCH_PARTITIONS'] ?? 4_608);
const pageRounds = Math.max(2, Math.round(5 * scale));
/** Windows that the baseline writes again. */
const BASELINE_WINDOWS = 5;

interface Usage {
  metadata: number;
  postgres: number;
  worker: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function createCluster(pool: Pool): Promise<{ clusterId: string; key: string }> {
  const clusterId = randomUUID();
  const { plaintext, hash, display } = generateAgentKey();
  await pool.query(`INSERT INTO organization (id, name, slug) VALUES ('bench', 'Bench', 'bench')`);
  await pool.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'bench', 'bench', 'other', '', now())`,
    [clusterId],
  );
  await pool.query(
    `INSERT INTO agent_key (id, cluster_id, organization_id, name, display_prefix, display_last4, hash)
     VALUES ($1, $2, 'bench', 'bench', $3, $4, $5)`,
    [newId(), clusterId, display.prefix, display.last4, Buffer.from(hash)],
  );
  return { clusterId, key: plaintext };
}

/** Bytes on disk per row, including indexes and page headers. */
async function bytesPerRow(pool: Pool, kind: 'agent' | 'zone', level: Level): Promise<{ bytes: number; rows: number }> {
  const { rows } = await pool.query<{ bytes: string; rows: string }>(
    `SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'telemetry.${kind}_${level}'::regclass) AS bytes,
            (SELECT count(*) FROM telemetry.${kind}_${level}) AS rows`,
  );
  const count = Number(rows[0]?.rows);
  return { bytes: Number(rows[0]?.bytes) / count, rows: count };
}

const loadBefore = loadavg()[0] ?? 0;
say(`A whole system of its own, with ${AGENTS} agents and ${PARTITIONS} partitions, for its pages ...`);
await buildWeb();
const pages = await measurePages(AGENTS, PARTITIONS, pageRounds);
sayPages(pages);
say('Starting a PostgreSQL of its own with default durability, the metadata service and the worker ...');
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 4 });
const metadata = await startMetadata(server.url);
const worker = await startWorker(server.url);
try {
  const cluster = await createCluster(pool);
  await ensurePartitions(pool, Date.now());
  const usage = async (): Promise<Usage> => ({
    metadata: await cpuSeconds(metadata.pid),
    postgres: await cpuSecondsOfTree(server.pid),
    worker: await cpuSeconds(worker.pid),
  });
  await sleep(5_000);
  const idleBefore = await usage();
  await sleep(15_000);
  const idleAfter = await usage();
  const idleCores = (sumOf(idleAfter) - sumOf(idleBefore)) / 15;

  say(`${AGENTS} agents report every ${WINDOW_MS / 1_000} s for ${measureMs / 1_000} s ...`);
  const fleet = startFleet(metadata.rpcUrl, cluster, AGENTS);
  await sleep(WARM_UP_MS);
  const before = await usage();
  const reportsBefore = fleet.sent.reports;
  const bytesBefore = fleet.sent.bytes;
  const beganMs = performance.now();
  const { rows: walBefore } = await pool.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
  await sleep(measureMs);
  const after = await usage();
  const seconds = (performance.now() - beganMs) / 1_000;
  const reports = fleet.sent.reports - reportsBefore;
  const requestBytes = (fleet.sent.bytes - bytesBefore) / reports;
  const { rows: walAfter } = await pool.query<{ bytes: string }>('SELECT pg_current_wal_lsn() - $1::pg_lsn AS bytes', [
    walBefore[0]?.lsn,
  ]);
  await fleet.stop();
  if (reports < (0.95 * (AGENTS * seconds * 1_000)) / WINDOW_MS) {
    throw new Error(`only ${reports} reports were taken`);
  }
  // The newest windows are rolled up as well.
  await sleep(30_000);
  await worker.stop();

  const hour = await measureHour(pool, server.pid);
  const hourCores = (hour.rollUpCpuS + hour.postgresCpuS) / 3_600;
  const cores: Usage = {
    metadata: (after.metadata - before.metadata) / seconds,
    postgres: (after.postgres - before.postgres) / seconds,
    worker: (after.worker - before.worker) / seconds,
  };
  const totalCores = sumOf(cores) + hourCores;
  say('\nCPU, in cores:');
  for (const [name, value] of Object.entries({
    ...cores,
    'hourly roll-up': hourCores,
    'all together': totalCores,
    'idle before': idleCores,
  })) {
    say(`  ${name.padEnd(18)}${value.toFixed(3).padStart(8)}`);
  }

  say('\nDisk:');
  const perAgentDay: Record<string, number> = {};
  let keptPerAgent = 0;
  for (const level of levels) {
    const { bytes, rows } = await bytesPerRow(pool, 'agent', level);
    const { slotMs, retentionMs } = levelFacts[level];
    const perDay = bytes * (DAY_MS / slotMs);
    const kept = perDay * (retentionMs / DAY_MS);
    perAgentDay[level] = perDay;
    keptPerAgent += kept;
    say(
      `  ${level.padEnd(4)} ${bytes.toFixed(0).padStart(6)} B per row (${rows} rows)  ${(perDay / BYTES_PER_MIB).toFixed(2).padStart(7)} MiB per agent and day  ${(kept / BYTES_PER_MIB).toFixed(1).padStart(7)} MiB per agent in ${retentionMs / DAY_MS} days`,
    );
  }
  const keptGib = (keptPerAgent * AGENTS) / BYTES_PER_GIB;
  say(`  ${AGENTS} agents: ${keptGib.toFixed(1)} GiB when every level is full, and never more`);

  const ours = await withCores(() => writeRowPerReport(pool, BASELINE_WINDOWS));
  const baseline = await withCores(() => writeRowPerMetric(pool, BASELINE_WINDOWS));
  const diskRatio = baseline.bytesPerReport / ours.bytesPerReport;
  const cpuRatio = baseline.cores / ours.cores;
  say(
    '\nThe same windows written once more, and as one row per metric and agent (whose percentiles could not be merged):',
  );
  for (const [name, { cores: ofWriting, bytesPerReport, rowsPerReport }] of Object.entries({
    'one row per report': ours,
    'one row per metric': baseline,
  })) {
    say(
      `  ${name.padEnd(20)}${ofWriting.toFixed(3).padStart(7)} cores  ${bytesPerReport.toFixed(0).padStart(6)} B per report  ${rowsPerReport.toFixed(0).padStart(3)} rows`,
    );
  }
  say(`  ratio: ${cpuRatio.toFixed(1)} in CPU, ${diskRatio.toFixed(1)} in disk\n`);

  await reportResult('telemetry', {
    agents: AGENTS,
    reports_per_s: rounded(reports / seconds, 1),
    cores: rounded(totalCores, 3),
    metadata_cores: rounded(cores.metadata, 3),
    postgres_cores: rounded(cores.postgres, 3),
    worker_cores: rounded(cores.worker, 3),
    hourly_roll_up_cores: rounded(hourCores, 4),
    idle_cores: rounded(idleCores, 3),
    request_bytes: rounded(requestBytes),
    wal_bytes_per_report: rounded(Number(walAfter[0]?.bytes) / reports),
    bytes_per_agent_day_10s: rounded(perAgentDay['10s'] ?? Number.NaN),
    bytes_per_agent_day_1m: rounded(perAgentDay['1m'] ?? Number.NaN),
    bytes_per_agent_day_1h: rounded(perAgentDay['1h'] ?? Number.NaN),
    kept_bytes_per_agent: rounded(keptPerAgent),
    kept_gib_1000_agents: rounded(keptGib, 1),
    relative_error: RELATIVE_ERROR,
    write_cores: rounded(ours.cores, 4),
    write_bytes_per_report: rounded(ours.bytesPerReport),
    baseline_write_cores: rounded(baseline.cores, 4),
    baseline_bytes_per_report: rounded(baseline.bytesPerReport),
    baseline_rows_per_report: rounded(baseline.rowsPerReport),
    cpu_ratio: rounded(cpuRatio, 1),
    ratio: rounded(diskRatio, 1),
    pages: summaryOf(pages),
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await Promise.all([metadata.stop(), worker.stop()]);
  await pool.end();
  await server.stop();
}

/** With the cores that the writes take when all agents report: here and in PostgreSQL. */
async function withCores(write: () => Promise<WriteResult>): Promise<WriteResult & { cores: number }> {
  const postgresBefore = await cpuSecondsOfTree(server.pid);
  const ownBefore = process.cpuUsage();
  const result = await write();
  const { user, system } = process.cpuUsage(ownBefore);
  const cpuS = (await cpuSecondsOfTree(server.pid)) - postgresBefore + (user + system) / 1_000_000;
  return { ...result, cores: ((cpuS / result.reports) * AGENTS * 1_000) / WINDOW_MS };
}

function sumOf({ metadata: ofMetadata, postgres, worker: ofWorker }: Usage): number {
  return ofMetadata + postgres + ofWorker;
}
