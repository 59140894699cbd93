// What one or many agents did in one or many windows. One merge serves both directions, agents to zones and seconds to hours: it adds, and
// so neither the order nor the grouping matters.
import type { Sketch } from '../sketch/sketch.ts';
import { mergeSketches } from '../sketch/sketch.ts';
import { type CounterName, counterNames, type GaugeName, gaugeNames } from './names.ts';

/** The readings of a gauge, one per window. */
export interface Gauge {
  /** The sum of all readings. */
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** How many there were. */
  readonly readings: number;
}

export interface LatencySeries {
  /** Number of the stage: `latencyStages`. */
  readonly stage: number;
  /** Number of the topic class: place in `topicClasses`. */
  readonly topicClass: number;
  /** Kind of object storage: s3, gs, az, file …; empty where none is touched. */
  readonly store: string;
  readonly sketch: Sketch;
}

export interface Sample {
  /** Windows of agents that are in it. */
  readonly windows: number;
  /** Their lengths, summed: agent-milliseconds. */
  readonly durationMs: number;
  /** By place in `counterNames`; what is missing at the end is 0. */
  readonly counters: readonly number[];
  /** By place in `gaugeNames`; undefined where nothing was read. */
  readonly gauges: readonly (Gauge | undefined)[];
  /** Requests by number of the Kafka API. */
  readonly requests: ReadonlyMap<number, number>;
  /** The errors, by `errorKey`. */
  readonly errors: ReadonlyMap<number, number>;
  readonly latencies: readonly LatencySeries[];
}

export const emptySample: Sample = {
  windows: 0,
  durationMs: 0,
  counters: [],
  gauges: [],
  requests: new Map(),
  errors: new Map(),
  latencies: [],
};

/** Kafka's error codes fit 16 bits, negative ones included. */
const CODE_RANGE = 65_536;
const CODE_OFFSET = 32_768;

/** One number for a Kafka API and an error code. */
export function errorKey(apiKey: number, errorCode: number): number {
  return apiKey * CODE_RANGE + errorCode + CODE_OFFSET;
}

/** The API and the code of an `errorKey`. */
export function apiAndCodeOf(key: number): { apiKey: number; errorCode: number } {
  return { apiKey: Math.floor(key / CODE_RANGE), errorCode: (key % CODE_RANGE) - CODE_OFFSET };
}

/** The count recorded under a name. */
export function counterOf(sample: Sample, name: CounterName): number {
  return sample.counters[counterNames.indexOf(name)] ?? 0;
}

/** The readings of a gauge; undefined if there were none. */
export function gaugeOf(sample: Sample, name: GaugeName): Gauge | undefined {
  return sample.gauges[gaugeNames.indexOf(name)];
}

/** All latencies of a stage, over topic classes and stores. */
export function latencyOf(sample: Sample, stage: number): Sketch {
  return mergeSketches(sample.latencies.filter((series) => series.stage === stage).map(({ sketch }) => sketch));
}

/** Everything of these together. */
export function mergeSamples(samples: readonly Sample[]): Sample {
  const [only] = samples;
  if (only !== undefined && samples.length === 1) {
    return only;
  }
  let windows = 0;
  let durationMs = 0;
  const counters: number[] = [];
  const gauges: (Gauge | undefined)[] = [];
  const requests = new Map<number, number>();
  const errors = new Map<number, number>();
  const latencies = new Map<string, { series: LatencySeries; sketches: Sketch[] }>();
  for (const sample of samples) {
    windows += sample.windows;
    durationMs += sample.durationMs;
    for (let index = 0; index < sample.counters.length; index += 1) {
      counters[index] = (counters[index] ?? 0) + (sample.counters[index] ?? 0);
    }
    for (let index = 0; index < sample.gauges.length; index += 1) {
      gauges[index] = mergeGauges(gauges[index], sample.gauges[index]);
    }
    addCounts(requests, sample.requests);
    addCounts(errors, sample.errors);
    for (const series of sample.latencies) {
      const key = latencyKey(series);
      const known = latencies.get(key);
      if (known === undefined) {
        latencies.set(key, { series, sketches: [series.sketch] });
      } else {
        known.sketches.push(series.sketch);
      }
    }
  }
  return {
    windows,
    durationMs,
    counters,
    gauges,
    requests: sorted(requests),
    errors: sorted(errors),
    latencies: [...latencies]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { series, sketches }]) => ({ ...series, sketch: mergeSketches(sketches) })),
  };
}

/** Orders the series of one sample: no two of them share it. */
export function latencyKey({ stage, topicClass, store }: Omit<LatencySeries, 'sketch'>): string {
  return `${String(stage).padStart(3, '0')} ${String(topicClass).padStart(3, '0')} ${store}`;
}

function mergeGauges(left: Gauge | undefined, right: Gauge | undefined): Gauge | undefined {
  if (left === undefined) {
    return right;
  }
  if (right === undefined) {
    return left;
  }
  return {
    sum: left.sum + right.sum,
    min: Math.min(left.min, right.min),
    max: Math.max(left.max, right.max),
    readings: left.readings + right.readings,
  };
}

function addCounts(into: Map<number, number>, from: ReadonlyMap<number, number>): void {
  for (const [key, count] of from) {
    into.set(key, (into.get(key) ?? 0) + count);
  }
}

function sorted(counts: Map<number, number>): Map<number, number> {
  return new Map([...counts].sort(([left], [right]) => left - right));
}
