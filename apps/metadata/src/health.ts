// /healthz: the process runs. /readyz: it can serve. /metrics: OpenMetrics text.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReportStore } from '@penstock/telemetry-store';
import type { Pool } from 'pg';
import type { LeaseHolder } from './owners/lease-keeper.ts';
import type { Owners } from './owners/owners.ts';
import type { Pools } from './pools.ts';
import type { Traces } from './traces/traces.ts';

export interface HealthOptions {
  owners: Owners;
  keeper: Pick<LeaseHolder, 'obstacle' | 'clockErrorMs'>;
  pools: Pools;
  reports: ReportStore;
  /** Undefined where they are off. */
  traces: Traces | undefined;
}

export async function answerHealth(
  options: HealthOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (request.url?.split('?')[0]) {
    case '/healthz':
      answer(response, 200, 'ok\n');
      return;
    case '/readyz': {
      const obstacle = await readinessObstacle(options);
      answer(response, obstacle === undefined ? 200 : 503, `${obstacle ?? 'ready'}\n`);
      return;
    }
    case '/metrics':
      answer(response, 200, metricsText(options), 'application/openmetrics-text; version=1.0.0; charset=utf-8');
      return;
    default:
      answer(response, 404, 'not found\n');
  }
}

async function readinessObstacle({ owners, keeper, pools }: HealthOptions): Promise<string | undefined> {
  if (owners.isShuttingDown) return 'shutting down';
  if (keeper.obstacle !== undefined) return keeper.obstacle;
  try {
    await pools.directory.query('SELECT 1');
    return undefined;
  } catch {
    return 'the database cannot be reached';
  }
}

function metricsText({ owners, keeper, pools, reports, traces }: HealthOptions): string {
  let clusters = 0;
  let entries = 0;
  let watches = 0;
  for (const owner of owners.openOwners) {
    clusters += 1;
    entries += owner.entriesAppended;
    watches += owner.openWatches;
  }
  return [
    gauge('penstock_metadata_clusters_owned', 'Virtual clusters that this process owns.', clusters),
    gauge('penstock_metadata_watch_streams', 'Open Watch streams of agents.', watches),
    gauge(
      'penstock_metadata_journal_entries_appended',
      'Journal entries appended by the owners that are open.',
      entries,
    ),
    byPool(pools, 'penstock_metadata_database_connections', 'Connections to PostgreSQL.', (pool) => pool.totalCount),
    byPool(
      pools,
      'penstock_metadata_database_waiting',
      'Statements that wait for a connection.',
      (pool) => pool.waitingCount,
    ),
    gauge(
      'penstock_metadata_clock_error_seconds',
      "How far the clock of this host is ahead of the database's, at least; negative: behind. Beyond 5 s this process owns nothing.",
      keeper.clockErrorMs / 1_000,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    counter('process_cpu_seconds', 'CPU time, user and system.', cpuSeconds()),
    counter('penstock_metadata_telemetry_reports', 'Telemetry reports stored.', reports.storedReports),
    refusals(reports),
    counter(
      'penstock_metadata_trace_spans_exported',
      'Spans of traces that the collector took.',
      traces?.counts.exported ?? 0,
    ),
    counter(
      'penstock_metadata_trace_spans_dropped',
      'Spans of traces that were given up: more than the collector takes.',
      traces?.counts.dropped ?? 0,
    ),
    '# EOF\n',
  ].join('');
}

function gauge(name: string, help: string, value: number): string {
  return `# TYPE ${name} gauge\n# HELP ${name} ${help}\n${name} ${value}\n`;
}

function byPool(pools: Pools, name: string, help: string, value: (pool: Pool) => number): string {
  const lines = Object.entries(pools).map(([label, pool]) => `${name}{pool="${label}"} ${value(pool)}\n`);
  return `# TYPE ${name} gauge\n# HELP ${name} ${help}\n${lines.join('')}`;
}

function counter(name: string, help: string, value: number): string {
  return `# TYPE ${name} counter\n# HELP ${name} ${help}\n${name}_total ${value}\n`;
}

function refusals({ refusedByReason }: ReportStore): string {
  const name = 'penstock_metadata_telemetry_refusals';
  const lines = [...refusedByReason].map(([reason, count]) => `${name}_total{reason="${reason}"} ${count}\n`);
  return `# TYPE ${name} counter\n# HELP ${name} Telemetry reports refused, by what was wrong.\n${lines.join('')}`;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}
