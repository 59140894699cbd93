// The health and metrics endpoints. /healthz: the process is running. /readyz: it can serve. /metrics: OpenMetrics text.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { metricsRefusal, type SchemaWatch } from '@penstock/platform';
import { counter, gauge, OPENMETRICS_CONTENT_TYPE, renderOpenMetrics } from '@penstock/telemetry';
import type { ReportStore } from '@penstock/telemetry-store';
import type { Pool } from 'pg';
import type { AgentKeys } from './auth/agent-keys.ts';
import type { BytesInFlight } from './budgets/bytes-in-flight.ts';
import type { CallBudgets } from './budgets/call-budgets.ts';
import type { FairQueue } from './budgets/fair-queue.ts';
import type { MemoryGuard } from './memory/memory-guard.ts';
import type { StateBudget } from './memory/state-budget.ts';
import type { Balancer } from './owners/balance/balancer.ts';
import type { LeaseHolder } from './owners/lease-keeper.ts';
import type { Owners } from './owners/owners.ts';
import type { PatternThread } from './owners/patterns/pattern-thread.ts';
import { openedPools, type Pools } from './pools.ts';
import type { ReplicationWatch } from './replication-watch.ts';
import type { RpcMeter } from './rpc/rpc-meter.ts';
import type { StallMeter } from './stall-meter.ts';
import type { Traces } from './traces/traces.ts';

export interface HealthOptions {
  /** Whether load balancers shall send calls elsewhere. */
  isLeaving(): boolean;
  owners: Owners;
  balancer: Pick<Balancer, 'metrics'>;
  keys: AgentKeys;
  budgets: Pick<CallBudgets, 'refused'>;
  bytesInFlight: Pick<BytesInFlight, 'bytes' | 'refused'>;
  patterns: Pick<PatternThread, 'ended'>;
  stalls: Pick<StallMeter, 'metrics'>;
  calls: Pick<RpcMeter, 'families'>;
  turns: Pick<FairQueue, 'size'>;
  keeper: Pick<LeaseHolder, 'obstacle' | 'clockErrorMs'>;
  memory: Pick<MemoryGuard, 'limitBytes' | 'usedBytes' | 'refusals' | 'obstacle'>;
  stateBudget: Pick<StateBudget, 'heldBytes' | 'largestOrganizationBytes' | 'organizationLimitBytes' | 'refusals'>;
  pools: Pools;
  schema: Pick<SchemaWatch, 'obstacle'>;
  reports: ReportStore;
  replication: ReplicationWatch;
  /** The token that /metrics requires from callers on other machines. */
  metricsToken: string | undefined;
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
    case '/metrics': {
      const { remoteAddress } = request.socket;
      const refusal = metricsRefusal(remoteAddress, request.headers.authorization, options.metricsToken);
      if (refusal !== undefined) {
        answer(response, 401, `${refusal}\n`);
        return;
      }
      answer(response, 200, metricsText(options), OPENMETRICS_CONTENT_TYPE);
      return;
    }
    default:
      answer(response, 404, 'not found\n');
  }
}

async function readinessObstacle({ isLeaving, keeper, pools, schema }: HealthOptions): Promise<string | undefined> {
  if (isLeaving()) {
    return 'shutting down';
  }
  if (keeper.obstacle !== undefined) {
    return keeper.obstacle;
  }
  try {
    await pools.directory.query('SELECT 1');
    return await schema.obstacle();
  } catch {
    return 'the database cannot be reached';
  }
}

/** A process that opens no further clusters is still ready: it serves those that it has. */
function readyDetail({ memory }: HealthOptions): string {
  return memory.obstacle === undefined ? 'ready' : `ready, but ${memory.obstacle}`;
}

function metricsText({
  owners,
  balancer,
  keys,
  budgets,
  bytesInFlight,
  patterns,
  stalls,
  calls,
  turns,
  keeper,
  memory,
  stateBudget,
  pools,
  reports,
  replication,
  traces,
}: HealthOptions): string {
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
  const { mergeCounts } = owners;
  return renderOpenMetrics([
    gauge('penstock_metadata_clusters_owned', 'Virtual clusters that this process owns.', [{ value: clusters }]),
    gauge('penstock_metadata_watch_streams', 'Open Watch streams of agents.', [{ value: watches }]),
    gauge('penstock_metadata_journal_entries_appended', 'Journal entries appended by the owners that are open.', [
      { value: entries },
    ]),
    gauge(
      'penstock_metadata_database_connections',
      'Connections to PostgreSQL.',
      byPool(pools, (pool) => pool.totalCount),
    ),
    gauge(
      'penstock_metadata_database_waiting',
      'Statements that wait for a connection.',
      byPool(pools, (pool) => pool.waitingCount),
    ),
    gauge(
      'penstock_metadata_clock_error_seconds',
      "How far the clock of this host is ahead of the database's, at least; negative: behind. Beyond 5 s this process owns nothing.",
      [{ value: keeper.clockErrorMs / 1_000 }],
    ),
    replication.metrics(),
    gauge('penstock_metadata_memory_limit_bytes', 'Memory that this process may take (PENSTOCK_METADATA_MEMORY_MIB).', [
      { value: memory.limitBytes },
    ]),
    gauge(
      'penstock_metadata_memory_used_bytes',
      'Memory that this process takes, without what V8 keeps free. From 60 % of the limit on it opens no further clusters.',
      [{ value: memory.usedBytes }],
    ),
    gauge('penstock_metadata_heap_limit_bytes', 'What the heap of V8 may grow to.', [
      { value: getHeapStatistics().heap_size_limit },
    ]),
    counter(
      'penstock_metadata_clusters_refused_for_memory',
      'Openings of clusters that were refused because of the memory in use.',
      [{ value: memory.refusals }],
    ),
    gauge('penstock_metadata_state_bytes', 'What the open clusters hold in memory, all together.', [
      { value: stateBudget.heldBytes },
    ]),
    gauge('penstock_metadata_state_largest_organization_bytes', 'The same of the organization that holds most.', [
      { value: stateBudget.largestOrganizationBytes },
    ]),
    gauge(
      'penstock_metadata_state_organization_limit_bytes',
      'What the open clusters of one organization may hold (PENSTOCK_METADATA_ORGANIZATION_MEMORY_MIB).',
      [{ value: stateBudget.organizationLimitBytes }],
    ),
    counter(
      'penstock_metadata_state_refusals',
      'Calls that were refused because their organization holds as much memory here as it may.',
      [{ value: stateBudget.refusals }],
    ),
    counter(
      'penstock_metadata_quarantined_commands',
      'Commands that broke an invariant of the state machine. Each is refused from then on; the log has its cluster, position and hash.',
      [{ value: owners.quarantine.added }],
    ),
    counter(
      'penstock_metadata_merge_jobs',
      'Merge jobs handed out, lost (no sign of life), and swaps applied, stale (the index had changed) or invalid; by level, or compact.',
      [...mergeCounts.jobs].map(({ event, kind, count }) => ({ labels: { event, level: kind }, value: count })),
    ),
    gauge('penstock_metadata_merge_jobs_open', 'Merge jobs that agents have.', [{ value: openJobs }]),
    counter('penstock_metadata_merged_bytes', 'Bytes of runs in merged files that were swapped in.', [
      { value: mergeCounts.mergedBytes },
    ]),
    counter('penstock_metadata_merged_runs', 'Runs that merged ones took the place of.', [
      { value: mergeCounts.replacedRuns },
    ]),
    gauge(
      'penstock_metadata_compaction_waiting_partitions',
      'Partitions of compacted topics that are due to be cleaned and in no job yet.',
      [{ value: waitingPartitions }],
    ),
    counter('penstock_metadata_compacted_bytes', 'Bytes of runs that key compaction has rewritten.', [
      { value: mergeCounts.compactedBytes },
    ]),
    counter('penstock_metadata_compaction_removed_bytes', 'And how many fewer the new runs have.', [
      { value: mergeCounts.removedBytes },
    ]),
    gauge('process_resident_memory_bytes', 'Resident memory.', [{ value: process.memoryUsage.rss() }]),
    counter('process_cpu_seconds', 'CPU time, user and system.', [{ value: cpuSeconds() }]),
    counter('penstock_metadata_telemetry_reports', 'Telemetry reports stored.', [{ value: reports.storedReports }]),
    counter(
      'penstock_metadata_telemetry_refusals',
      'Telemetry reports refused, by what was wrong.',
      [...reports.refusedByReason].map(([reason, count]) => ({ labels: { reason }, value: count })),
    ),
    counter(
      'penstock_metadata_client_pushes_dropped',
      'Pushes of metrics of Kafka clients that were dropped, by agents or because their cluster had used up its hour.',
      [{ value: reports.droppedPushes }],
    ),
    counter('penstock_metadata_key_lookups', 'Agent keys looked up in the database.', [{ value: keys.counts.lookups }]),
    counter(
      'penstock_metadata_keys_throttled',
      'Calls refused before their agent key was looked up: too many unknown ones came from their network address.',
      [{ value: keys.counts.throttled }],
    ),
    counter(
      'penstock_metadata_keys_busy',
      'Calls refused because too many unknown agent keys waited to be looked up. They may be retried.',
      [{ value: keys.counts.busy }],
    ),
    gauge('penstock_metadata_keys_remembered', 'Agent keys whose last lookup is remembered; at most 110,000.', [
      { value: keys.counts.remembered },
    ]),
    counter(
      'penstock_metadata_calls_over_budget',
      'Calls refused because their virtual cluster or agent key was over a budget.',
      [{ value: budgets.refused }],
    ),
    gauge('penstock_metadata_calls_waiting', 'Calls that wait for their turn, so that clusters share the processor.', [
      { value: turns.size },
    ]),
    gauge('penstock_metadata_request_bytes', 'Bytes of requests that are being received, wait or are served.', [
      { value: bytesInFlight.bytes },
    ]),
    counter(
      'penstock_metadata_requests_without_room',
      'Requests refused because their organization, or all organizations without a payment method, held too many bytes of requests.',
      [{ value: bytesInFlight.refused }],
    ),
    counter(
      'penstock_metadata_pattern_threads_ended',
      'Regular expressions of topics that were given up because they took too long.',
      [{ value: patterns.ended }],
    ),
    ...balancer.metrics(),
    ...stalls.metrics(),
    ...calls.families(),
    ...owners.commitTimes.families(),
    counter('penstock_metadata_trace_spans_exported', 'Spans of traces that the collector took.', [
      { value: traces?.counts.exported ?? 0 },
    ]),
    counter(
      'penstock_metadata_trace_spans_dropped',
      'Spans of traces that were given up: more than the collector takes.',
      [{ value: traces?.counts.dropped ?? 0 }],
    ),
  ]);
}

function byPool(pools: Pools, countOf: (pool: Pool) => number): { labels: Record<string, string>; value: number }[] {
  return [...openedPools(pools)].map(({ name, cell, pool }) => ({
    labels: { pool: name, cell },
    value: countOf(pool),
  }));
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
