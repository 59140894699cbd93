// Chart series: metrics of a cluster over time, for all agents together, by zone or by agent.
import {
  decodeSample,
  type Level,
  type Metric,
  RELATIVE_ERROR,
  type SeriesLine,
  type SlotSample,
  type SteppedSamples,
  seriesOf,
  stepSamples,
  type Unit,
} from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { MINUTE_MS } from '@penstock/units';
import { findCluster } from '../cluster/cluster.ts';
import { chooseRange, rangeTooWide } from './choose-range.ts';
import { readAgentSlots, readZoneSlots, type SlotRange } from './read-slots.ts';

/** The range and the grouping of a query. */
export interface ClusterRangeInput {
  clusterId: string;
  fromMs: number;
  toMs: number;
  by: 'none' | 'zone' | 'agent';
  /** Only these agents, if lines are by agent. */
  agentIds?: readonly string[] | undefined;
  /** The maximum number of steps; 360 by default. */
  maxPoints?: number | undefined;
}

export interface ClusterSeriesInput extends ClusterRangeInput {
  metric: Metric;
}

export interface ClusterMetricsInput extends ClusterRangeInput {
  metrics: readonly Metric[];
}

/** The range shared by all lines of a response. */
interface AnsweredRange {
  by: 'none' | 'zone' | 'agent';
  /** The roll-up level of the values. */
  level: Level;
  /** Start of the first step, milliseconds since the Unix epoch; later ones follow every `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
  /** Agents left out because there are more than fit. Request them by their ids. */
  omittedAgents: number;
}

export interface MetricLines {
  metric: Metric;
  unit: Unit;
  /** `group` is empty, a zone or an agent's id. Each line has `steps` values, null where nothing was measured. */
  lines: SeriesLine[];
  /** The largest relative error of a percentile against the raw latencies; null for other metrics, which are exact. */
  relativeError: number | null;
}

export interface ClusterSeries extends AnsweredRange, MetricLines {}

export interface ClusterMetrics extends AnsweredRange {
  /** In the requested order. */
  series: MetricLines[];
}

/** The maximum number of lines by agent. */
export const MAX_AGENTS = 50;
const MAX_ZONE_SAMPLES = 60_000;

/**
 * Leaves out steps that have not ended, because they would look like a drop.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function queryClusterSeries(
  scope: Scope,
  { metric, ...range }: ClusterSeriesInput,
): Promise<ClusterSeries> {
  const { answered, stepped } = await readRange(scope, range);
  return { ...answered, ...linesOf(stepped, metric) };
}

/**
 * The lines of all charts of a page. Samples are read, decoded and merged once for all of them.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function queryClusterMetrics(
  scope: Scope,
  { metrics, ...range }: ClusterMetricsInput,
): Promise<ClusterMetrics> {
  const { answered, stepped } = await readRange(scope, range);
  return { ...answered, series: metrics.map((metric) => linesOf(stepped, metric)) };
}

function linesOf(stepped: SteppedSamples, metric: Metric): MetricLines {
  const { unit, lines } = seriesOf(stepped, metric);
  return { metric, unit, lines, relativeError: metric.startsWith('latency.') ? RELATIVE_ERROR : null };
}

async function readRange(
  scope: Scope,
  input: ClusterRangeInput,
): Promise<{ answered: AnsweredRange; stepped: SteppedSamples }> {
  const { by } = input;
  const cluster = await findCluster(scope, input.clusterId);
  // All lines together share the limit of one query.
  const lines = by === 'agent' ? Math.max(1, Math.min(MAX_AGENTS, input.agentIds?.length ?? MAX_AGENTS)) : 1;
  const range = chooseRange({ ...input, lines }, scope.now.getTime());
  const { level, startMs, stepMs, steps } = range;
  const slotRange = { clusterId: cluster.id, level, startMs, endMs: startMs + steps * stepMs };
  const { slots, omittedAgents } =
    by === 'agent' ? await byAgent(scope, slotRange, input.agentIds) : await byZone(scope, slotRange, by);
  return { answered: { by, level, startMs, stepMs, steps, omittedAgents }, stepped: stepSamples(slots, range) };
}

interface ReadSlots {
  slots: SlotSample[];
  omittedAgents: number;
}

async function byAgent(scope: Scope, range: SlotRange, agentIds: readonly string[] | undefined): Promise<ReadSlots> {
  const agents = await agentsWithin(scope, range.clusterId, range.startMs, range.endMs);
  const wanted = agentIds === undefined ? agents : agents.filter(({ agentId }) => agentIds.includes(agentId));
  const shown = new Set([...new Set(wanted.map(({ agentId }) => agentId))].slice(0, MAX_AGENTS));
  const rows = await readAgentSlots(
    scope.tx,
    range,
    wanted.filter(({ agentId }) => shown.has(agentId)),
  );
  return {
    slots: rows.map(({ slotMs, owner, bytes }) => ({ slotMs, group: owner, sample: decodeSample(bytes) })),
    omittedAgents: new Set(agents.map(({ agentId }) => agentId)).size - shown.size,
  };
}

async function byZone(scope: Scope, range: SlotRange, by: 'none' | 'zone'): Promise<ReadSlots> {
  const rows = await readZoneSlots(scope.tx, range, MAX_ZONE_SAMPLES + 1);
  if (rows.length > MAX_ZONE_SAMPLES) {
    throw rangeTooWide();
  }
  const slots = rows.map(({ slotMs, owner, bytes }) => ({
    slotMs,
    group: by === 'zone' ? owner : '',
    sample: decodeSample(bytes),
  }));
  return { slots, omittedAgents: 0 };
}

interface AgentWithin {
  agentNo: bigint;
  agentId: string;
}

/** Agent incarnations that may have samples within a range, newest first. */
async function agentsWithin(
  { tx, organizationId }: Scope,
  clusterId: string,
  startMs: number,
  endMs: number,
): Promise<AgentWithin[]> {
  const rows = await tx.$queryRaw<{ agent_no: bigint; agent_id: string }[]>`
    SELECT agent_no, agent_id FROM telemetry.agent
    WHERE cluster_id = ${clusterId}::uuid AND organization_id = ${organizationId}
      AND last_slot >= ${new Date(startMs - LAST_SLOT_LAG_MS)} AND origin < ${new Date(endMs)}
    ORDER BY last_slot DESC, agent_no DESC`;
  return rows.map(({ agent_no: agentNo, agent_id: agentId }) => ({ agentNo, agentId }));
}

/** An agent's row is updated with its last report only every five minutes. */
const LAST_SLOT_LAG_MS = 6 * MINUTE_MS;
