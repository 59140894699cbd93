// What the clients that share a client id pushed in one or many windows. Merging adds readings and unites sets; sets are bounded by keeping
// what sorts first, so neither order nor grouping matters to them.
import { MIB_BYTES } from '@penstock/units';
import type { SeriesRange } from '../series/prepare-series.ts';
import { type ClientMetricName, clientMetricOf, clientMetrics } from './client-metrics.ts';

/** The values of one metric, one per push. */
export interface ClientReadings {
  /** How many there were. */
  readonly readings: number;
  readonly sum: number;
  readonly max: number;
}

export interface ClientSample {
  /** Name and version; a client may not say them. */
  readonly software: readonly (readonly [name: string, version: string])[];
  /** Ids as Kafka's tools show them, sorted. */
  readonly instances: readonly string[];
  readonly metrics: ReadonlyMap<ClientMetricName, ClientReadings>;
}

/**
 * Maximum size of a cluster's ten-second values stored per hour: 400 MiB in their two days, regardless of the number of
 * agents. Enough for about a hundred client IDs that push every 30 seconds, or a thousand at the default of five
 * minutes.
 */
export const CLIENT_BYTES_PER_HOUR = 8 * MIB_BYTES;
/** Kinds of software that are kept per client id. */
export const MAX_CLIENT_SOFTWARE = 8;
/** Instances that are kept per client id. */
export const MAX_CLIENT_INSTANCES = 200;

/** Everything of these together. */
export function mergeClientSamples(samples: readonly ClientSample[]): ClientSample {
  const software = new Map<string, readonly [string, string]>();
  const instances = new Set<string>();
  const metrics = new Map<ClientMetricName, ClientReadings>();
  for (const sample of samples) {
    for (const said of sample.software) {
      software.set(said.join('\u0000'), said);
    }
    for (const instance of sample.instances) {
      instances.add(instance);
    }
    for (const [name, added] of sample.metrics) {
      metrics.set(name, mergeReadings(metrics.get(name), added));
    }
  }
  return {
    software: [...software]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .slice(0, MAX_CLIENT_SOFTWARE)
      .map(([, said]) => said),
    instances: [...instances].sort().slice(0, MAX_CLIENT_INSTANCES),
    metrics,
  };
}

function mergeReadings(before: ClientReadings | undefined, added: ClientReadings): ClientReadings {
  return before === undefined
    ? added
    : {
        readings: before.readings + added.readings,
        sum: before.sum + added.sum,
        max: Math.max(before.max, added.max),
      };
}

/** As it is stored, in JSON: metrics by their numbers, each with its readings, sum and maximum. */
export interface StoredClientSample {
  software: (readonly [string, string])[];
  instances: string[];
  metrics: Record<string, [readings: number, sum: number, max: number]>;
}

export function toStoredClientSample({ software, instances, metrics }: ClientSample): StoredClientSample {
  return {
    software: [...software],
    instances: [...instances],
    metrics: Object.fromEntries(
      [...metrics].map(([name, { readings, sum, max }]) => [clientMetrics[name].number, [readings, sum, max]]),
    ),
  };
}

/** Leaves out metrics that a later version stored. */
export function fromStoredClientSample({ software, instances, metrics }: StoredClientSample): ClientSample {
  return {
    software,
    instances,
    metrics: new Map(
      Object.entries(metrics).flatMap(([number, [readings, sum, max]]) => {
        const name = clientMetricOf(Number(number));
        return name === undefined ? [] : [[name, { readings, sum, max }] as const];
      }),
    ),
  };
}

/** One metric over time: the mean of all readings in each step, and the highest one; null where there was none. */
export interface ClientMetricLine {
  metric: ClientMetricName;
  mean: (number | null)[];
  max: (number | null)[];
}

/** The lines of every metric that was read within the range, in the order of their numbers. */
export function clientLinesOf(
  slots: readonly { slotMs: number; sample: ClientSample }[],
  { startMs, stepMs, steps }: SeriesRange,
): ClientMetricLine[] {
  const lines = new Map<ClientMetricName, (ClientReadings | undefined)[]>();
  for (const { slotMs, sample } of slots) {
    const step = Math.floor((slotMs - startMs) / stepMs);
    if (step < 0 || step >= steps) {
      continue;
    }
    for (const [name, added] of sample.metrics) {
      const line = lines.get(name) ?? new Array<ClientReadings | undefined>(steps).fill(undefined);
      line[step] = mergeReadings(line[step], added);
      lines.set(name, line);
    }
  }
  return [...lines]
    .sort(([left], [right]) => clientMetrics[left].number - clientMetrics[right].number)
    .map(([metric, values]) => ({
      metric,
      mean: values.map((value) => (value === undefined ? null : value.sum / value.readings)),
      max: values.map((value) => value?.max ?? null),
    }));
}
