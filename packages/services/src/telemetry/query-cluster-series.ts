// The lines of a chart: one metric of a cluster over time, for all agents together, by zone or by agent.
import { AppError } from '@penstock/platform';
import {
  decodeSample,
  LATEST_REPORT_MS,
  type Level,
  levelFacts,
  levelFor,
  type Metric,
  prepareSeries,
  RELATIVE_ERROR,
  type SeriesLine,
  type SlotSample,
  stepMsFor,
  type Unit,
} from '@penstock/telemetry';
import type { Scope } from '../access/scope.ts';
import { findCluster } from '../cluster/cluster.ts';
import { readAgentSlots, readZoneSlots } from './read-slots.ts';

export interface ClusterSeriesInput {
  clusterId: string;
  fromMs: number;
  toMs: number;
  metric: Metric;
  by: 'none' | 'zone' | 'agent';
  /** These agents alone, when lines are by agent. */
  agentIds?: readonly string[] | undefined;
  /** At most so many steps; 360 by default. */
  maxPoints?: number | undefined;
}

export interface ClusterSeries {
  metric: Metric;
  unit: Unit;
  by: 'none' | 'zone' | 'agent';
  /** The level that the values were made from. */
  level: Level;
  /** Of the first step, milliseconds since the Unix epoch; later ones follow every `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
  /** `group` is empty, a zone or an agent's id. Each line has `steps` values, null where nothing was measured. */
  lines: SeriesLine[];
  /** How far a percentile can lie from that of the raw latencies, relative to it; null for other metrics, which are exact. */
  relativeError: number | null;
  /** Agents that are not among the lines, because there are more than fit: ask for some by their ids. */
  omittedAgents: number;
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
export async function queryClusterSeries(scope: Scope, input: ClusterSeriesInput): Promise<ClusterSeries> {
  const { clusterId, metric, by } = input;
  const cluster = await findCluster(scope, clusterId);
  const nowMs = scope.now.getTime();
  const range = chooseRange(input, nowMs);
  const { level, startMs, stepMs, steps } = range;
  const endMs = startMs + steps * stepMs;
  let slots: SlotSample[] = [];
  let omittedAgents = 0;
  if (by === 'agent') {
    const agents = await agentsWithin(scope, cluster.id, startMs, endMs);
    const wanted =
      input.agentIds === undefined ? agents : agents.filter(({ agentId }) => input.agentIds?.includes(agentId));
    const shown = new Set([...new Set(wanted.map(({ agentId }) => agentId))].slice(0, maxAgents));
    omittedAgents = new Set(agents.map(({ agentId }) => agentId)).size - shown.size;
    const rows = await readAgentSlots(
      scope.tx,
      { clusterId: cluster.id, level, startMs, endMs },
      wanted.filter(({ agentId }) => shown.has(agentId)),
    );
    slots = rows.map(({ slotMs, owner, bytes }) => ({ slotMs, group: owner, sample: decodeSample(bytes) }));
  } else {
    const rows = await readZoneSlots(scope.tx, { clusterId: cluster.id, level, startMs, endMs }, maxZoneSamples + 1);
    if (rows.length > maxZoneSamples) throw tooWide();
    slots = rows.map(({ slotMs, owner, bytes }) => ({
      slotMs,
      group: by === 'zone' ? owner : '',
      sample: decodeSample(bytes),
    }));
  }
  const { unit, lines } = prepareSeries(slots, metric, range);
  const relativeError = metric.startsWith('latency.') ? RELATIVE_ERROR : null;
  return { metric, unit, by, level, startMs, stepMs, steps, lines, relativeError, omittedAgents };
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
  { fromMs, toMs, maxPoints = defaultMaxPoints, by, agentIds }: ClusterSeriesInput,
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
