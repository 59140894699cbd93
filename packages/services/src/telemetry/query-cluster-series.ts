// The lines of charts: metrics of a cluster over time, for all agents together, by zone or by agent.
import { AppError } from '@penstock/platform';
import {
  decodeSample,
  LATEST_REPORT_MS,
  type Level,
  levelFacts,
  levelFor,
  type Metric,
  RELATIVE_ERROR,
  type SeriesLine,
  type SlotSample,
  type SteppedSamples,
  seriesOf,
  stepMsFor,
  stepSamples,
  type Unit,
} from '@penstock/telemetry';
import type { Scope } from '../access/scope.ts';
import { findCluster } from '../cluster/cluster.ts';
import { readAgentSlots, readZoneSlots, type SlotRange } from './read-slots.ts';

/** Which part of what was measured is asked about. */
export interface ClusterRangeInput {
  clusterId: string;
  fromMs: number;
  toMs: number;
  by: 'none' | 'zone' | 'agent';
  /** These agents alone, when lines are by agent. */
  agentIds?: readonly string[] | undefined;
  /** At most so many steps; 360 by default. */
  maxPoints?: number | undefined;
}

export interface ClusterSeriesInput extends ClusterRangeInput {
  metric: Metric;
}

export interface ClusterMetricsInput extends ClusterRangeInput {
  metrics: readonly Metric[];
}

/** What the lines of one answer have in common. */
interface AnsweredRange {
  by: 'none' | 'zone' | 'agent';
  /** The level that the values were made from. */
  level: Level;
  /** Of the first step, milliseconds since the Unix epoch; later ones follow every `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
  /** Agents that are not among the lines, because there are more than fit: ask for some by their ids. */
  omittedAgents: number;
}

export interface MetricLines {
  metric: Metric;
  unit: Unit;
  /** `group` is empty, a zone or an agent's id. Each line has `steps` values, null where nothing was measured. */
  lines: SeriesLine[];
  /** How far a percentile can lie from that of the raw latencies, relative to it; null for other metrics, which are exact. */
  relativeError: number | null;
}

export interface ClusterSeries extends AnsweredRange, MetricLines {}

export interface ClusterMetrics extends AnsweredRange {
  /** In the order in which they were asked for. */
  series: MetricLines[];
}

export const defaultMaxPoints = 360;
export const greatestMaxPoints = 1_000;
/** Lines by agent. */
export const maxAgents = 50;
/** What one question may read by agent: samples of about a kilobyte. By zone it is as many slots as a step may have, for each zone. */
const maxSamples = 20_000;
const maxZoneSamples = 60_000;
/** A step may be made of several slots of a finer level, so that percentiles of a day need not be those of whole hours. */
const slotsPerPoint = 6;
/** The newest slot is left out until its reports can be expected to be here. */
const settling_ms = 12_000;

/**
 * Steps that have not ended are left out: they would read as a drop.
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
 * The lines of all charts of a page: what was measured is read, decoded and merged once for all of them.
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
  const range = chooseRange(input, scope.now.getTime());
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
  const shown = new Set([...new Set(wanted.map(({ agentId }) => agentId))].slice(0, maxAgents));
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
  const rows = await readZoneSlots(scope.tx, range, maxZoneSamples + 1);
  if (rows.length > maxZoneSamples) throw tooWide();
  const slots = rows.map(({ slotMs, owner, bytes }) => ({
    slotMs,
    group: by === 'zone' ? owner : '',
    sample: decodeSample(bytes),
  }));
  return { slots, omittedAgents: 0 };
}

function tooWide(): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: 'range_invalid',
    field: 'fromMs',
    message: 'The range holds more than one chart can be made of.',
    remedy: 'Choose a shorter range, or fewer points.',
  });
}

/** Aligned to whole steps, and ended where reports are still on their way. */
function chooseRange(
  { fromMs, toMs, maxPoints = defaultMaxPoints, by, agentIds }: ClusterRangeInput,
  nowMs: number,
): { level: Level; startMs: number; stepMs: number; steps: number } {
  if (!(fromMs < toMs)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'range_invalid',
      field: 'fromMs',
      message: 'The range ends before it begins.',
      remedy: 'Choose a beginning before the end.',
    });
  }
  // Many lines share what one question may read.
  const lines = by === 'agent' ? Math.max(1, Math.min(maxAgents, agentIds?.length ?? maxAgents)) : 1;
  const maxSlots = Math.min(maxPoints * slotsPerPoint, Math.floor(maxSamples / lines));
  const points = Math.min(maxPoints, greatestMaxPoints, maxSlots);
  const level = levelFor(fromMs, toMs, nowMs, maxSlots);
  const stepMs = stepMsFor(level, fromMs, toMs, points);
  const startMs =
    Math.floor(Math.max(fromMs, nowMs - levelFacts['1h'].retentionMs - LATEST_REPORT_MS) / stepMs) * stepMs;
  const endMs = Math.min(toMs, nowMs - settling_ms);
  return { level, startMs, stepMs, steps: Math.max(0, Math.floor((endMs - startMs) / stepMs)) };
}

interface AgentWithin {
  agentNo: bigint;
  agentId: string;
}

/** Incarnations of which something may lie within a range, newest first. */
async function agentsWithin(
  { tx, organizationId }: Scope,
  clusterId: string,
  startMs: number,
  endMs: number,
): Promise<AgentWithin[]> {
  const rows = await tx.$queryRaw<{ agent_no: bigint; agent_id: string }[]>`
    SELECT agent_no, agent_id FROM telemetry.agent
    WHERE cluster_id = ${clusterId}::uuid AND organization_id = ${organizationId}
      AND last_slot >= ${new Date(startMs - lastSlotLag_ms)} AND origin < ${new Date(endMs)}
    ORDER BY last_slot DESC, agent_no DESC`;
  return rows.map(({ agent_no: agentNo, agent_id: agentId }) => ({ agentNo, agentId }));
}

/** The row of an agent is told of its reports every five minutes. */
const lastSlotLag_ms = 6 * 60_000;
