// The input of the rules: the snapshot with the history, and the newest windows of the live agents, one by one and
// merged.
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
import type {
  AgentFacts,
  AgentWindow,
  GroupFacts,
  GroupMemory,
  History,
  JobRefusal,
  MetadataMemory,
  MeteringRefusal,
  Snapshot,
  StateFault,
} from './model.ts';
import { LEAST_LATENCIES, STALE_SLOT_MS } from './thresholds.ts';

export interface AgentMeasures {
  agentId: string;
  zone: string;
  newest: Sample;
  /** The window before it; undefined if there is none. */
  previous: Sample | undefined;
  /** Null if it contains no problem. */
  diagnosis: AgentDiagnosis | null;
}

export interface Facts {
  nowMs: number;
  history: History;
  /** Null if the metadata service does not answer. */
  agents: readonly AgentFacts[] | null;
  groups: readonly GroupFacts[] | null;
  isStopped: boolean;
  fault: StateFault | null;
  isLowLatency: boolean;
  /** Hours whose usage is held for review. */
  heldHours: number;
  /** Null if there was none, or the metadata service does not answer. */
  meteringRefusal: MeteringRefusal | null;
  /** A refusal of jobs, like `meteringRefusal`. */
  jobRefusal: JobRefusal | null;
  /** Null if the metadata service does not answer, or does not say. */
  memory: MetadataMemory | null;
  groupMemories: ReadonlyMap<string, GroupMemory>;
  /** Agents with a recent window. */
  measures: readonly AgentMeasures[];
  /** All newest windows merged, with the latencies that rules judge alone; null if there are none. */
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
    fault: snapshot.fault ?? null,
    isLowLatency: snapshot.isLowLatency === true,
    heldHours: snapshot.heldHours ?? 0,
    meteringRefusal: snapshot.state?.meteringRefusal ?? null,
    jobRefusal: snapshot.state?.jobRefusal ?? null,
    memory: snapshot.state?.memory ?? null,
    groupMemories,
    measures,
    together: measures.length === 0 ? null : mergeSamples(measures.map(({ newest }) => withJudgedLatencies(newest))),
  };
}

/** Ignores dead agents' windows. If the metadata service does not say who is alive, uses all windows. */
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

/** The stages whose latencies rules judge. */
const judgedStages = ['produce_put', 'produce_commit'] as const satisfies readonly LatencyStageName[];
export type JudgedStage = (typeof judgedStages)[number];
const judged: ReadonlySet<number> = new Set(judgedStages.map((stage) => latencyStages[stage]));

/** Merging the latencies of all stages would take most of a check's time. */
function withJudgedLatencies(sample: Sample): Sample {
  return { ...sample, latencies: sample.latencies.filter(({ stage }) => judged.has(stage)) };
}

/** The 95th percentile of a stage in milliseconds; null if there are too few measurements. */
export function p95Of(sample: Sample | null, stage: JudgedStage): number | null {
  if (sample === null) {
    return null;
  }
  const sketch = latencyOf(sample, latencyStages[stage]);
  if (sketchCount(sketch) < LEAST_LATENCIES) {
    return null;
  }
  return (quantileUs(sketch, 0.95) ?? 0) / US_PER_MS;
}
