// Joins the registered agents of a cluster with their last measurements, as its pages list them. Pure.
import { formatCountOf } from '@penstock/units';
import type { LiveAgent } from '../../lib/live';
import type { RouterOutputs } from '../../lib/trpc';

export type AgentFigures = RouterOutputs['telemetry']['agentFigures'][number];

export interface AgentRow {
  agent: LiveAgent;
  /** Undefined before its first report, and when it has not reported for 40 s. */
  reading: AgentFigures | undefined;
  /** Undefined until it is known. */
  cpuCores: number | undefined;
  residentBytes: number | undefined;
}

export function agentRows(
  agents: readonly LiveAgent[],
  readings: readonly AgentFigures[],
  coresByAgent: ReadonlyMap<string, number>,
): AgentRow[] {
  const byId = new Map(readings.map((reading) => [reading.agentId, reading]));
  return agents.map((agent) => {
    const reading = agent.alive ? byId.get(agent.agentId) : undefined;
    return {
      agent,
      reading,
      // A heartbeat carries both before the first report arrives.
      cpuCores: agent.alive ? (reading?.cpuCores ?? coresByAgent.get(agent.agentId)) : undefined,
      residentBytes: agent.alive ? (reading?.residentBytes ?? agent.residentBytes ?? undefined) : undefined,
    };
  });
}

/** Live agents first; within each group by node. */
export function inOrder(rows: readonly AgentRow[]): AgentRow[] {
  return rows.toSorted(
    (left, right) => Number(right.agent.alive) - Number(left.agent.alive) || left.agent.nodeId - right.agent.nodeId,
  );
}

/** Where Kafka clients connect. An agent that only merges files accepts none and advertises port 0. */
export function kafkaAddress({ advertisedHost, advertisedPort }: AgentRow['agent']): string {
  return advertisedPort === 0 ? 'None (jobs only)' : `${advertisedHost}:${advertisedPort}`;
}

/** Whether any of the agents has landing buckets. Only clusters in low-latency mode need them. */
export function haveLandingBuckets(rows: readonly AgentRow[]): boolean {
  return rows.some(({ agent }) => (agent.landingZones ?? []).length > 0);
}

/** The zones of an agent’s landing buckets, once it has reported them. */
export function landingText({ landingZones }: AgentRow['agent']): string {
  if (landingZones === null) {
    return 'Not reported';
  }
  return landingZones.length === 0 ? 'None' : landingZones.toSorted().join(', ');
}

/** Agents are named up to so many. */
const NAMED_NODES = 3;

/**
 * Which live agents have landing buckets in which zones. They should all have the same, so those that differ are named.
 * Null if none has any.
 */
export function landingSummary(rows: readonly AgentRow[]): string | null {
  const alive = inOrder(rows).filter(({ agent }) => agent.alive);
  if (!haveLandingBuckets(alive)) {
    return null;
  }
  const groups = [...Map.groupBy(alive, ({ agent }) => landingText(agent)).values()].toSorted(
    (left, right) => right.length - left.length,
  );
  const parts = groups.map((members) => {
    const zones = members[0]?.agent.landingZones;
    const who = members.length > 1 && members.length === alive.length ? 'all agents' : namesOf(members);
    if (zones === undefined || zones === null) {
      return `not reported by ${who}`;
    }
    return `${zones.length === 0 ? 'none' : zones.toSorted().join(', ')} on ${who}`;
  });
  return parts.join('; ');
}

function namesOf(rows: readonly AgentRow[]): string {
  if (rows.length > NAMED_NODES) {
    return formatCountOf(rows.length, 'agent');
  }
  return `${rows.length === 1 ? 'node' : 'nodes'} ${rows.map(({ agent }) => agent.nodeId).join(', ')}`;
}

export type AgentState = 'ok' | 'errors' | 'gone';

export function stateOf({ agent, reading }: AgentRow): AgentState {
  if (!agent.alive) {
    return 'gone';
  }
  return reading !== undefined && reading.errorsPerS > 0 ? 'errors' : 'ok';
}

export interface ZoneSummary {
  zone: string;
  /** The rows, ordered by node. */
  rows: AgentRow[];
  alive: number;
  withErrors: number;
  producedBytesPerS: number;
  fetchedBytesPerS: number;
  cpuCores: number;
  /** The highest of all agents' p99; percentiles of several agents cannot be averaged. Null when none produced. */
  worstP99Ms: number | null;
  /** The versions, in ascending order. */
  versions: string[];
}

/** Summarizes zones, ordered by name. */
export function zoneSummaries(rows: readonly AgentRow[]): ZoneSummary[] {
  const byZone = Map.groupBy(inOrder(rows), ({ agent }) => agent.zone);
  return [...byZone]
    .map(([zone, members]): ZoneSummary => {
      const alive = members.filter(({ agent }) => agent.alive);
      const sum = (figure: (row: AgentRow) => number): number => alive.reduce((total, row) => total + figure(row), 0);
      const p99s = alive.flatMap(({ reading }) => reading?.produceP99Ms ?? []);
      return {
        zone,
        rows: members,
        alive: alive.length,
        withErrors: alive.filter((row) => stateOf(row) === 'errors').length,
        producedBytesPerS: sum(({ reading }) => reading?.producedBytesPerS ?? 0),
        fetchedBytesPerS: sum(({ reading }) => reading?.fetchedBytesPerS ?? 0),
        cpuCores: sum(({ cpuCores }) => cpuCores ?? 0),
        worstP99Ms: p99s.length === 0 ? null : Math.max(...p99s),
        versions: [...new Set(alive.map(({ agent }) => agent.version))].sort(),
      };
    })
    .sort((left, right) => (left.zone < right.zone ? -1 : 1));
}
