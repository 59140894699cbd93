// What the rules look at: the snapshot with the history, and the newest windows of the agents that are alive, alone and together.
import {
  type AgentDiagnosis,
  type LatencyStageName,
  latencyOf,
  latencyStages,
  mergeSamples,
  quantileUs,
  type Sample,
  sketchCount,
} from '@penstock/telemetry';
import type { AgentFacts, AgentWindow, GroupFacts, GroupMemory, History, Snapshot } from './model.ts';
import { LEAST_LATENCIES, STALE_SLOT_MS } from './thresholds.ts';

export interface AgentMeasures {
  agentId: string;
  zone: string;
  newest: Sample;
  /** The window right before; undefined when there is none. */
  previous: Sample | undefined;
  /** Null when nothing in it is wrong. */
  diagnosis: AgentDiagnosis | null;
}

export interface Facts {
  nowMs: number;
  history: History;
  /** Null: the metadata service does not answer. */
  agents: readonly AgentFacts[] | null;
  groups: readonly GroupFacts[] | null;
  isStopped: boolean;
  groupMemories: Readonly<Record<string, GroupMemory>>;
  /** Agents with a window that says something about now. */
  measures: readonly AgentMeasures[];
  /** All newest windows as one; null when there is none. */
  together: Sample | null;
}

const US_PER_MS = 1_000;

export function factsOf(snapshot: Snapshot, history: History, groupMemories: Facts['groupMemories']): Facts {
  const agents = snapshot.state?.agents ?? null;
  const measures = measuresOf(snapshot.windows, agents, snapshot.atMs);
  return {
    nowMs: snapshot.atMs,
    history,
    agents,
    groups: snapshot.state?.groups ?? null,
    isStopped: snapshot.isStopped === true,
    groupMemories,
    measures,
    together: measures.length === 0 ? null : mergeSamples(measures.map(({ newest }) => newest)),
  };
}

/** What a dead agent last measured says nothing any more; when nobody knows who is alive, all are listened to. */
function measuresOf(
  windows: readonly AgentWindow[],
  agents: readonly AgentFacts[] | null,
  nowMs: number,
): AgentMeasures[] {
  const zones = new Map(agents?.flatMap((agent) => (agent.isAlive ? [[agent.agentId, agent.zone] as const] : [])));
  const byAgent = new Map<string, AgentWindow[]>();
  for (const window of windows) {
    if (agents !== null && !zones.has(window.agentId)) {
      continue;
    }
    byAgent.set(window.agentId, [...(byAgent.get(window.agentId) ?? []), window]);
  }
  return [...byAgent].flatMap(([agentId, own]) => {
    const [newest, previous] = own.toSorted((left, right) => right.slotMs - left.slotMs);
    if (newest === undefined || newest.slotMs < nowMs - STALE_SLOT_MS) {
      return [];
    }
    const { sample, diagnosis } = newest;
    return [{ agentId, zone: zones.get(agentId) ?? '', newest: sample, previous: previous?.sample, diagnosis }];
  });
}

/** The 95th percentile of a stage in milliseconds; null of too few. */
export function p95Of(sample: Sample | null, stage: LatencyStageName): number | null {
  if (sample === null) {
    return null;
  }
  const sketch = latencyOf(sample, latencyStages[stage]);
  if (sketchCount(sketch) < LEAST_LATENCIES) {
    return null;
  }
  return (quantileUs(sketch, 0.95) ?? 0) / US_PER_MS;
}
