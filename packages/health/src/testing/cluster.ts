// A cluster for tests: a short notation for its state, checked every five seconds.
import {
  type AgentDiagnosis,
  type CounterName,
  counterNames,
  emptySample,
  type GaugeName,
  gaugeNames,
  type LatencyStageName,
  latencyStages,
  type Sample,
  sketchOf,
} from '@penstock/telemetry';
import { assess, newHistory } from '../assess.ts';
import type { ClusterMetricsInput } from '../exposition/cluster-metrics.ts';
import type {
  AgentFacts,
  AgentWindow,
  Assessment,
  GroupFacts,
  History,
  JobRefusal,
  MetadataMemory,
  MeteringRefusal,
  StateFault,
} from '../model.ts';

/** The time 2026-11-21T03:00:00Z in milliseconds. */
export const START_MS = 1_795_230_000_000;
export const CHECK_MS = 5_000;

export function agent(nodeId: number, change: Partial<AgentFacts> = {}): AgentFacts {
  return {
    agentId: `agent-${nodeId}`,
    nodeId,
    zone: 'a',
    version: '0.1.0',
    isAlive: true,
    isLost: false,
    address: '',
    ...change,
  };
}

export interface Measured {
  counters?: Partial<Record<CounterName, number>>;
  gauges?: Partial<Record<GaugeName, number>>;
  requests?: Record<number, number>;
  /** Error counts, keyed by `errorKey`. */
  errors?: Map<number, number>;
  /** For each stage, this many equal latencies in milliseconds. */
  latencies_ms?: Partial<Record<LatencyStageName, number>>;
}

export function sampleOf({
  counters = {},
  gauges = {},
  requests = {},
  errors,
  latencies_ms: latenciesMs = {},
}: Measured): Sample {
  return {
    ...emptySample,
    windows: 1,
    durationMs: 10_000,
    counters: counterNames.map((name) => counters[name] ?? 0),
    gauges: gaugeNames.map((name) => {
      const value = gauges[name];
      return value === undefined ? undefined : { sum: value, min: value, max: value, readings: 1 };
    }),
    requests: new Map(Object.entries(requests).map(([key, count]) => [Number(key), count])),
    errors: errors ?? new Map(),
    latencies: Object.entries(latenciesMs).map(([name, ms]) => ({
      stage: latencyStages[name as LatencyStageName],
      topicClass: 0,
      store: 's3',
      sketch: sketchOf(Array.from({ length: 20 }, () => ms * 1_000)),
    })),
  };
}

export interface Observation {
  /** Null if the metadata service does not answer. */
  agents?: AgentFacts[] | null;
  groups?: GroupFacts[];
  isStopped?: boolean;
  fault?: StateFault;
  isLowLatency?: boolean;
  heldHours?: number;
  /** A commit that was refused a second ago. */
  meteringRefusal?: Omit<MeteringRefusal, 'atMs'>;
  /** A completion of a job that was refused a second ago. */
  jobRefusal?: Omit<JobRefusal, 'atMs'>;
  memory?: MetadataMemory;
  /** The measurements of every live agent in the newest window; undefined if it reported nothing. */
  measured?: Measured | undefined;
  previous?: Measured;
  /** Overrides `measured` for single agents. */
  byAgent?: Readonly<Record<string, Measured>>;
  /** The diagnoses, keyed by agent. */
  diagnoses?: Readonly<Record<string, AgentDiagnosis>>;
}

/** Checks a cluster repeatedly; its clock advances by itself. */
export class Watch {
  nowMs = START_MS;
  history: History = newHistory(START_MS);
  last: Assessment | undefined;
  readonly notified: string[] = [];

  check(observation: Observation): Assessment {
    const agents = observation.agents === undefined ? [agent(1)] : observation.agents;
    const windows: AgentWindow[] = (agents ?? []).flatMap(({ agentId }) => {
      const newest = observation.byAgent?.[agentId] ?? ('measured' in observation ? observation.measured : {});
      if (newest === undefined) {
        return [];
      }
      return [
        {
          agentId,
          slotMs: this.nowMs - 15_000,
          sample: sampleOf(newest),
          diagnosis: observation.diagnoses?.[agentId] ?? null,
        },
        { agentId, slotMs: this.nowMs - 25_000, sample: sampleOf(observation.previous ?? {}), diagnosis: null },
      ];
    });
    const refusal = observation.meteringRefusal;
    const state =
      agents === null
        ? null
        : {
            agents,
            groups: observation.groups ?? [],
            ...(observation.memory === undefined ? {} : { memory: observation.memory }),
            ...(observation.jobRefusal === undefined
              ? {}
              : { jobRefusal: { ...observation.jobRefusal, atMs: this.nowMs - 1_000 } }),
            ...(refusal === undefined ? {} : { meteringRefusal: { ...refusal, atMs: this.nowMs - 1_000 } }),
          };
    // Round-trips through JSON, as the database does.
    const history = JSON.parse(JSON.stringify(this.history)) as History;
    const { isStopped = false, fault = null, isLowLatency = false, heldHours = 0 } = observation;
    const assessment = assess({ atMs: this.nowMs, state, isStopped, fault, isLowLatency, heldHours, windows }, history);
    this.notified.push(
      ...assessment.raised.map(({ key }) => `+${key}`),
      ...assessment.resolved.map(({ key }) => `-${key}`),
    );
    this.history = assessment.history;
    this.last = assessment;
    this.nowMs += CHECK_MS;
    return assessment;
  }

  /** Checks for this many seconds. Returns after how many seconds the first change was notified, NaN if never. */
  for(seconds: number, observation: Observation | ((second: number) => Observation)): number {
    let first = Number.NaN;
    for (let at = 0; at < seconds; at += CHECK_MS / 1_000) {
      const before = this.notified.length;
      this.check(typeof observation === 'function' ? observation(at) : observation);
      if (Number.isNaN(first) && this.notified.length > before) {
        first = at;
      }
    }
    return first;
  }
}

/** A cluster with all values known and a problem, so that every metric family has a sample. */
export function fullyMeasured(level: ClusterMetricsInput['level']): ClusterMetricsInput {
  return {
    clusterId: 'c',
    clusterName: 'c',
    level,
    openFindings: [{ rule: 'agents.none', severity: 'critical' }],
    state: {
      agents: [{ zone: 'a', isAlive: true }],
      topics: 1,
      partitions: 1,
      uncompressedBytesTotal: 1,
      groups: [{ groupId: 'g', members: 1, lagByTopic: new Map([['t', 1]]), lagSecondsByTopic: new Map([['t', 1]]) }],
    },
    measured: {
      span_ms: 60_000,
      sample: sampleOf({ requests: { 0: 1 }, errors: new Map([[32_768, 1]]), latencies_ms: { produce: 1 } }),
    },
  };
}
