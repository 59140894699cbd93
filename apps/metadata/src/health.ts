// The health and metrics endpoints. /healthz: the process is running. /readyz: it can serve. /metrics: OpenMetrics text.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import type { ReportStore } from '@penstock/telemetry-store';
import type { Pool } from 'pg';
import type { AgentKeys } from './auth/agent-keys.ts';
import type { MemoryGuard } from './memory/memory-guard.ts';
import type { LeaseHolder } from './owners/lease-keeper.ts';
import type { Owners } from './owners/owners.ts';
import { openedPools, type Pools } from './pools.ts';
import type { ReplicationWatch } from './replication-watch.ts';
import type { Traces } from './traces/traces.ts';

export interface HealthOptions {
  owners: Owners;
  keys: AgentKeys;
  keeper: Pick<LeaseHolder, 'obstacle' | 'clockErrorMs'>;
  memory: Pick<MemoryGuard, 'limitBytes' | 'usedBytes' | 'refusals' | 'obstacle'>;
  pools: Pools;
  reports: ReportStore;
  replication: ReplicationWatch;
  /** Undefined when tracing is disabled. */
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
      const detail = `${obstacle ?? readyDetail(options)}\n${options.replication.describe()}\n`;
      answer(response, obstacle === undefined ? 200 : 503, detail);
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
  if (owners.isShuttingDown) {
    return 'shutting down';
  }
  if (keeper.obstacle !== undefined) {
    return keeper.obstacle;
  }
  try {
    await pools.directory.query('SELECT 1');
    return undefined;
  } catch {
    return 'the database cannot be reached';
  }
}

/** A process that opens no further clusters is still ready: it serves those that it has. */
function readyDetail({ memory }: HealthOptions): string {
  return memory.obstacle === undefined ? 'ready' : `ready, but ${memory.obstacle}`;
}

function metricsText({ owners, keys, keeper, memory, pools, reports, replication, traces }: HealthOptions): string {
  let clusters = 0;
  let entries = 0;
  let watches = 0;
  let openJobs = 0;
  let waitingPartitions = 0;
  for (const owner of owners.openOwners) {
    clusters += 1;
    entries += owner.entriesAppended;
    watches += owner.openWatches;
    openJobs += owner.openJobs;
    waitingPartitions += owner.waitingPartitions;
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
    replication.metrics(),
    gauge(
      'penstock_metadata_memory_limit_bytes',
      'Memory that this process may take (PENSTOCK_METADATA_MEMORY_MIB).',
      memory.limitBytes,
    ),
    gauge(
      'penstock_metadata_memory_used_bytes',
      'Memory that this process takes, without what V8 keeps free. From 60 % of the limit on it opens no further clusters.',
      memory.usedBytes,
    ),
    gauge(
      'penstock_metadata_heap_limit_bytes',
      'What the heap of V8 may grow to.',
      getHeapStatistics().heap_size_limit,
    ),
    counter(
      'penstock_metadata_clusters_refused_for_memory',
      'Openings of clusters that were refused because of the memory in use.',
      memory.refusals,
    ),
    mergeJobs(owners),
    gauge('penstock_metadata_merge_jobs_open', 'Merge jobs that agents have.', openJobs),
    counter(
      'penstock_metadata_merged_bytes',
      'Bytes of runs in merged files that were swapped in.',
      owners.mergeCounts.mergedBytes,
    ),
    counter(
      'penstock_metadata_merged_runs',
      'Runs that merged ones took the place of.',
      owners.mergeCounts.replacedRuns,
    ),
    gauge(
      'penstock_metadata_compaction_waiting_partitions',
      'Partitions of compacted topics that are due to be cleaned and in no job yet.',
      waitingPartitions,
    ),
    counter(
      'penstock_metadata_compacted_bytes',
      'Bytes of runs that key compaction has rewritten.',
      owners.mergeCounts.compactedBytes,
    ),
    counter(
      'penstock_metadata_compaction_removed_bytes',
      'And how many fewer the new runs have.',
      owners.mergeCounts.removedBytes,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    counter('process_cpu_seconds', 'CPU time, user and system.', cpuSeconds()),
    counter('penstock_metadata_telemetry_reports', 'Telemetry reports stored.', reports.storedReports),
    refusals(reports),
    counter('penstock_metadata_key_lookups', 'Agent keys looked up in the database.', keys.counts.lookups),
    counter(
      'penstock_metadata_keys_throttled',
      'Calls refused at the door: too many unknown agent keys came from their network address.',
      keys.counts.throttled,
    ),
    counter(
      'penstock_metadata_keys_busy',
      'Calls told to come again: too many unknown agent keys waited to be looked up.',
      keys.counts.busy,
    ),
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
  const lines = [...openedPools(pools)].map(
    ({ name: purpose, cell, pool }) => `${name}{pool="${purpose}",cell="${cell}"} ${value(pool)}\n`,
  );
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

function mergeJobs({ mergeCounts }: Owners): string {
  const name = 'penstock_metadata_merge_jobs';
  const lines = [...mergeCounts.jobs].map(
    ({ event, kind, count }) => `${name}_total{event="${event}",level="${kind}"} ${count}\n`,
  );
  const help =
    'Merge jobs handed out, lost (no sign of life), and swaps applied, stale (the index had changed) or invalid; by level, or compact.';
  return `# TYPE ${name} counter\n# HELP ${name} ${help}\n${lines.join('')}`;
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
