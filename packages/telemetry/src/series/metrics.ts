// What can be asked about: every metric with its unit, and how its value follows from a sample.
import {
  type CounterName,
  counterNames,
  type GaugeName,
  gaugeNames,
  type LatencyStageName,
  latencyStages,
} from '../sample/names.ts';
import { apiAndCodeOf, counterOf, gaugeOf, latencyOf, type Sample } from '../sample/sample.ts';
import { quantileUs, sketchCount } from '../sketch/sketch.ts';

/** Units, as axes name them. */
export type Unit = 'ms' | 'B/s' | '1/s' | 'KiB' | 'count' | 'cores' | 'ratio' | 's/s';

/** The percentiles shown for every latency. */
export const percentiles = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
export type Percentile = keyof typeof percentiles;

export type LatencyMetric = `latency.${LatencyStageName}`;
export type RateMetric = `rate.${CounterName}`;
export type GaugeMetric = `gauge.${GaugeName}`;
export type OtherMetric =
  | 'requests'
  | 'errors'
  | 'cache_hit_ratio'
  | 'cpu_cores'
  | 'job_cpu_cores'
  | 'throttled_share'
  | 'early_saved_ms';
export type Metric = LatencyMetric | RateMetric | GaugeMetric | OtherMetric;

export const metrics: readonly Metric[] = [
  ...keysOf(latencyStages).map((stage): Metric => `latency.${stage}`),
  ...counterNames.map((name): Metric => `rate.${name}`),
  ...gaugeNames.map((name): Metric => `gauge.${name}`),
  'requests',
  'errors',
  'cache_hit_ratio',
  'cpu_cores',
  'job_cpu_cores',
  'throttled_share',
  'early_saved_ms',
];

/** The unit of a metric's values. */
export function unitOf(metric: Metric): Unit {
  if (metric.startsWith('latency.')) {
    return 'ms';
  }
  if (metric.startsWith('rate.')) {
    return metric.endsWith('_bytes') ? 'B/s' : metric.endsWith('_us') ? 's/s' : '1/s';
  }
  if (metric.startsWith('gauge.')) {
    return metric.endsWith('_kib') ? 'KiB' : metric.endsWith('_ms') ? 'ms' : 'count';
  }
  switch (metric) {
    case 'requests':
    case 'errors':
      return '1/s';
    case 'cpu_cores':
    case 'job_cpu_cores':
      return 'cores';
    case 'early_saved_ms':
      return 'ms';
    default:
      return 'ratio';
  }
}

const US_PER_MS = 1_000;
const US_PER_S = 1_000_000;

/**
 * The values of a metric in a sample, by the name of their line: `p50`, `p95` and `p99` of a latency, `api:<key>` of requests,
 * `api:<key>:<code>` of errors, `value` of the rest. A line that is missing has no value there, which is not the same as zero.
 * @param spanMs the time that the sample is about, for rates and for what agents have together
 */
export function valuesOf(sample: Sample, metric: Metric, spanMs: number): Map<string, number> {
  const seconds = spanMs / 1_000;
  if (isLatency(metric)) {
    return latencyValues(sample, latencyStages[metric.slice('latency.'.length) as LatencyStageName]);
  }
  if (isRate(metric)) {
    const name = metric.slice('rate.'.length) as CounterName;
    const count = counterOf(sample, name);
    return new Map([['value', (name.endsWith('_us') ? count / US_PER_S : count) / seconds]]);
  }
  if (isGauge(metric)) {
    return gaugeValues(sample, metric.slice('gauge.'.length) as GaugeName, spanMs);
  }
  switch (metric) {
    case 'requests':
      return new Map([...sample.requests].map(([apiKey, count]) => [`api:${apiKey}`, count / seconds]));
    case 'errors':
      return new Map(
        [...sample.errors].map(([key, count]) => {
          const { apiKey, errorCode } = apiAndCodeOf(key);
          return [`api:${apiKey}:${errorCode}`, count / seconds];
        }),
      );
    case 'cache_hit_ratio': {
      const hits = counterOf(sample, 'cache_hits');
      return ratio(hits, hits + counterOf(sample, 'cache_misses'));
    }
    case 'cpu_cores':
      return new Map([['value', counterOf(sample, 'cpu_us') / US_PER_S / seconds]]);
    case 'job_cpu_cores':
      return new Map([['value', counterOf(sample, 'job_cpu_us') / US_PER_S / seconds]]);
    case 'throttled_share':
      return ratio(counterOf(sample, 'throttled_us'), sample.durationMs * US_PER_MS);
    case 'early_saved_ms':
      return ratio(counterOf(sample, 'early_saved_us') / US_PER_MS, counterOf(sample, 'early_requests'));
  }
}

function latencyValues(sample: Sample, stage: number): Map<string, number> {
  const sketch = latencyOf(sample, stage);
  const values = new Map<string, number>();
  if (sketchCount(sketch) === 0) {
    return values;
  }
  for (const name of keysOf(percentiles)) {
    const us = quantileUs(sketch, percentiles[name]);
    if (us !== undefined) {
      values.set(name, us / US_PER_MS);
    }
  }
  return values;
}

/**
 * The total of all agents: the mean of each one's readings over time, summed. A clock offset is not summed: the reading
 * furthest from zero is used.
 */
function gaugeValues(sample: Sample, name: GaugeName, spanMs: number): Map<string, number> {
  const gauge = gaugeOf(sample, name);
  if (gauge === undefined) {
    return new Map();
  }
  if (name === 'clock_offset_ms') {
    return new Map([['value', Math.abs(gauge.min) > Math.abs(gauge.max) ? gauge.min : gauge.max]]);
  }
  const agents = Math.max(1, Math.round(sample.durationMs / spanMs));
  return new Map([['value', (gauge.sum / gauge.readings) * agents]]);
}

function ratio(part: number, whole: number): Map<string, number> {
  return whole === 0 ? new Map() : new Map([['value', part / whole]]);
}

function isLatency(metric: Metric): metric is LatencyMetric {
  return metric.startsWith('latency.');
}

function isRate(metric: Metric): metric is RateMetric {
  return metric.startsWith('rate.');
}

function isGauge(metric: Metric): metric is GaugeMetric {
  return metric.startsWith('gauge.');
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}
