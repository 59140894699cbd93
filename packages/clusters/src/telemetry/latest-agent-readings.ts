// The latest figures of each agent of a cluster, for the list of agents, the zone map and the health rules.
import {
  counterOf,
  decodeSample,
  type GaugeName,
  gaugeOf,
  type LatencyStageName,
  latencyOf,
  latencyStages,
  mergeSamples,
  mergeSketches,
  type Percentile,
  percentiles,
  quantileUs,
  type Sample,
  sketchCount,
} from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';

/** Percentiles of a latency, and the number of measurements. */
export interface LatencyReading extends Record<`${Percentile}_ms`, number> {
  count: number;
}

export interface AgentReading {
  agentId: string;
  zone: string;
  version: string;
  /** End of the newest known window, milliseconds since the Unix epoch. */
  reportedAtMs: number;
  /** The time that the readings cover. */
  span_ms: number;
  producedBytesPerS: number;
  fetchedBytesPerS: number;
  producedRecordsPerS: number;
  requestsPerS: number;
  errorsPerS: number;
  objectPutsPerS: number;
  landingPutsPerS: number;
  /** Files written to the standard bucket because no two landing buckets took them. */
  landingFallbacksPerS: number;
  objectGetsPerS: number;
  objectErrorsPerS: number;
  cpuCores: number;
  /** Null if nothing was read. */
  cacheHitRatio: number | null;
  /** Share of the connections' time spent waiting for memory. May exceed 1, since it is summed over connections. */
  throttledShare: number;
  openConnections: number | null;
  residentBytes: number | null;
  cacheBytes: number | null;
  inFlightBytes: number | null;
  filesInFlight: number | null;
  waitingReports: number | null;
  /** The agent's wall clock minus ours. */
  clockOffset_ms: number | null;
  /** By stage; a stage without measurements is missing. */
  latencies: Partial<Record<LatencyStageName, LatencyReading>>;
  /** Since the agent started. */
  refusedReports: number;
  lastRefusal: string | null;
}

/** Two windows, the transmission time, and half a slot. */
const LOOK_BACK_MS = 40_000;
/** Windows read per agent: the newest, and the one before for steadier percentiles. */
const WINDOWS_READ = 2;

interface Row {
  agent_id: string;
  zone: string;
  version: string;
  refused_reports: bigint;
  last_refusal: string | null;
  slot: Date;
  sample: Uint8Array;
}

export interface AgentReadingsInput {
  clusterId: string;
  /** Only latencies of these stages; all by default. Most of the work for a thousand agents is in their latencies. */
  stages?: readonly LatencyStageName[] | undefined;
}

/**
 * Agents that reported within the last 40 seconds, by id.
 * @throws AppError `cluster_not_found`
 */
export async function latestAgentReadings(scope: Scope, input: AgentReadingsInput): Promise<AgentReading[]> {
  const cluster = await findCluster(scope, input.clusterId);
  const stages = input.stages ?? (Object.keys(latencyStages) as LatencyStageName[]);
  const { now, tx, organizationId } = scope;
  const [from, to] = [new Date(now.getTime() - LOOK_BACK_MS), new Date(now.getTime() + LOOK_BACK_MS)];
  // Finds the newest reports in the index alone: sorting whole samples would exceed the sort memory.
  const rows = await tx.$queryRaw<Row[]>`
    WITH newest AS (
      SELECT agent_no, slot, seq, row_number() OVER (PARTITION BY agent_no ORDER BY slot DESC, seq DESC) AS age
      FROM telemetry.agent_10s
      WHERE cluster_id = ${cluster.id}::uuid AND slot >= ${from} AND slot <= ${to}
    )
    SELECT agent_id, zone, version, refused_reports, last_refusal, slot, sample
    FROM newest
      JOIN telemetry.agent_10s AS report USING (agent_no, slot, seq)
      JOIN telemetry.agent USING (agent_no)
    WHERE age <= ${WINDOWS_READ} AND organization_id = ${organizationId}
      AND report.cluster_id = ${cluster.id}::uuid AND report.slot >= ${from} AND report.slot <= ${to}`;
  const byAgent = Map.groupBy(rows, ({ agent_id: agentId }) => agentId);
  return [...byAgent]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, reports]) => {
      // A restarted agent may have reports of two incarnations.
      const newest = reports.sort((left, right) => right.slot.getTime() - left.slot.getTime()).slice(0, WINDOWS_READ);
      return readingOf(newest, stages) ?? [];
    });
}

/** @param reports of one agent, newest first */
function readingOf(reports: readonly Row[], stages: readonly LatencyStageName[]): AgentReading | undefined {
  const [newest] = reports;
  const samples = reports.map(({ sample }) => decodeSample(sample));
  const [last] = samples;
  if (newest === undefined || last === undefined) {
    return undefined;
  }
  // Latencies are merged below, only for the requested stages.
  const all = mergeSamples(samples.map((sample) => ({ ...sample, latencies: [] })));
  const perS = (count: number): number => count / (all.durationMs / 1_000);
  const sum = (counts: ReadonlyMap<number, number>): number =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  const hits = counterOf(all, 'cache_hits');
  const reads = hits + counterOf(all, 'cache_misses');
  return {
    agentId: newest.agent_id,
    zone: newest.zone,
    version: newest.version,
    reportedAtMs: newest.slot.getTime() + last.durationMs,
    span_ms: all.durationMs,
    producedBytesPerS: perS(counterOf(all, 'produced_bytes')),
    fetchedBytesPerS: perS(counterOf(all, 'fetched_bytes')),
    producedRecordsPerS: perS(counterOf(all, 'produced_records')),
    requestsPerS: perS(sum(all.requests)),
    errorsPerS: perS(sum(all.errors)),
    objectPutsPerS: perS(counterOf(all, 'object_puts')),
    landingPutsPerS: perS(counterOf(all, 'landing_puts')),
    landingFallbacksPerS: perS(counterOf(all, 'landing_fallbacks')),
    objectGetsPerS: perS(counterOf(all, 'object_gets')),
    objectErrorsPerS: perS(
      counterOf(all, 'object_put_errors') + counterOf(all, 'object_get_errors') + counterOf(all, 'landing_get_errors'),
    ),
    cpuCores: perS(counterOf(all, 'cpu_us')) / 1_000_000,
    cacheHitRatio: reads === 0 ? null : hits / reads,
    throttledShare: counterOf(all, 'throttled_us') / 1_000 / all.durationMs,
    openConnections: gaugeAtEnd(last, 'open_connections'),
    residentBytes: bytes(gaugeAtEnd(last, 'resident_kib')),
    cacheBytes: bytes(gaugeAtEnd(last, 'cache_kib')),
    inFlightBytes: bytes(gaugeAtEnd(last, 'in_flight_kib')),
    filesInFlight: gaugeAtEnd(last, 'files_in_flight'),
    waitingReports: gaugeAtEnd(last, 'waiting_reports'),
    clockOffset_ms: gaugeAtEnd(last, 'clock_offset_ms'),
    latencies: latenciesOf(samples, stages),
    refusedReports: Number(newest.refused_reports),
    lastRefusal: newest.last_refusal,
  };
}

function gaugeAtEnd(sample: Sample, name: GaugeName): number | null {
  return gaugeOf(sample, name)?.max ?? null;
}

const BYTES_PER_KIB = 1_024;

function bytes(kib: number | null): number | null {
  return kib === null ? null : kib * BYTES_PER_KIB;
}

function latenciesOf(
  samples: readonly Sample[],
  stages: readonly LatencyStageName[],
): Partial<Record<LatencyStageName, LatencyReading>> {
  return Object.fromEntries(
    stages.flatMap((name) => {
      const sketch = mergeSketches(samples.map((sample) => latencyOf(sample, latencyStages[name])));
      const count = sketchCount(sketch);
      const ms = (percentile: Percentile): number => (quantileUs(sketch, percentiles[percentile]) ?? 0) / 1_000;
      return count === 0 ? [] : [[name, { p50_ms: ms('p50'), p95_ms: ms('p95'), p99_ms: ms('p99'), count }]];
    }),
  );
}
