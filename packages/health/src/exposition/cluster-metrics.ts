// A cluster's metrics for other monitoring tools. What agents measured covers the last complete minute. Rates and
// latencies are gauges, because agents come and go, and a sum of their counters would fall with each that leaves.
import {
  apiAndCodeOf,
  bucketMiddleUs,
  type CounterName,
  counter,
  counterOf,
  type Family,
  gauge,
  latencyOf,
  latencyStages,
  type MetricSample,
  quantileUs,
  type Sample,
  type Sketch,
  sketchCount,
} from '@penstock/telemetry';
import { apiName } from './api-names.ts';

export interface ClusterMetricsInput {
  clusterId: string;
  clusterName: string;
  level: 'unknown' | 'waiting' | 'healthy' | 'degraded' | 'critical';
  openFindings: readonly { rule: string; severity: string }[];
  /** Null if the metadata service does not answer; its metrics are then omitted. */
  state: {
    agents: readonly { zone: string; isAlive: boolean }[];
    topics: number;
    partitions: number;
    uncompressedBytesTotal: number;
    groups: readonly {
      groupId: string;
      members: number;
      lagByTopic: ReadonlyMap<string, number>;
      /** The greatest lag of the topic's partitions. A topic whose records have no timestamps is missing. */
      lagSecondsByTopic: ReadonlyMap<string, number>;
    }[];
  } | null;
  /** All agents together; null if nothing was measured. */
  measured: { sample: Sample; span_ms: number } | null;
}

/**
 * The maximum number of series of consumer lag (by group and topic) and of members (by group). The largest are listed;
 * the rest is summed and counted.
 */
export const MOST_LAG_SERIES = 200;
/** The maximum number of error series, by API and code. */
export const MOST_ERROR_SERIES = 50;

const levels = ['unknown', 'waiting', 'healthy', 'degraded', 'critical'] as const;
const quantiles = [0.5, 0.95, 0.99] as const;
/** Upper bounds in seconds: 1 ms to 32 s, the same as in the agents' own histograms. */
const boundsS = Array.from({ length: 16 }, (_, power) => 0.001 * 2 ** power);
const US_PER_S = 1_000_000;

export function clusterMetrics(input: ClusterMetricsInput): Family[] {
  const { clusterId, clusterName, level, openFindings, state, measured } = input;
  return [
    {
      name: 'penstock_cluster',
      type: 'info',
      help: 'The cluster that these metrics describe',
      samples: [{ suffix: '_info', labels: { cluster_id: clusterId, cluster: clusterName }, value: 1 }],
    },
    gauge(
      'penstock_cluster_health',
      'Cluster health: 1 for the current level, 0 for the others',
      levels.map((name) => ({ labels: { level: name }, value: name === level ? 1 : 0 })),
    ),
    gauge(
      'penstock_cluster_open_findings',
      'Open findings of the health rules',
      countsOf(openFindings.map(({ rule, severity }) => ({ rule, severity }))),
    ),
    ...(state === null ? [] : stateFamilies(state)),
    ...(measured === null ? [] : measuredFamilies(measured.sample, measured.span_ms / 1_000)),
  ];
}

function countsOf(
  labels: readonly Readonly<Record<string, string>>[],
): { labels: Record<string, string>; value: number }[] {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  for (const own of labels) {
    const key = JSON.stringify(own);
    const known = counts.get(key);
    if (known === undefined) {
      counts.set(key, { labels: { ...own }, value: 1 });
    } else {
      known.value += 1;
    }
  }
  return [...counts.values()];
}

function stateFamilies({
  agents,
  topics,
  partitions,
  uncompressedBytesTotal,
  groups,
}: NonNullable<ClusterMetricsInput['state']>): Family[] {
  const byLag = (lagOf: (group: (typeof groups)[number]) => ReadonlyMap<string, number>) =>
    groups
      .flatMap((group) =>
        [...lagOf(group)].map(([topic, value]) => ({ labels: { group: group.groupId, topic }, value })),
      )
      .toSorted((left, right) => right.value - left.value);
  const lags = byLag(({ lagByTopic }) => lagByTopic);
  const unlisted = lags.slice(MOST_LAG_SERIES);
  const members = groups
    .map(({ groupId, members: value }) => ({ labels: { group: groupId }, value }))
    .toSorted((left, right) => right.value - left.value);
  const zones = [...new Set(agents.map(({ zone }) => zone))].toSorted();
  return [
    gauge(
      'penstock_cluster_agents',
      'Live agents by zone',
      zones.map((zone) => ({
        labels: { zone },
        value: agents.filter((agent) => agent.isAlive && agent.zone === zone).length,
      })),
    ),
    gauge('penstock_cluster_topics', 'Topics', [{ value: topics }]),
    gauge('penstock_cluster_partitions', 'Partitions of all topics', [{ value: partitions }]),
    counter(
      'penstock_cluster_uncompressed_bytes',
      'Uncompressed bytes acknowledged since the cluster was created, which is what is billed',
      [{ value: uncompressedBytesTotal }],
      'bytes',
    ),
    gauge(
      'penstock_cluster_consumer_lag_records',
      `Records of a topic that a group has not read, for the ${MOST_LAG_SERIES} largest; the unlisted metrics cover the rest`,
      lags.slice(0, MOST_LAG_SERIES),
    ),
    gauge(
      'penstock_cluster_consumer_lag_seconds',
      `Age of the oldest record of a topic that a group has not read, by record timestamp and accurate to a flush interval, for the ${MOST_LAG_SERIES} largest`,
      byLag(({ lagSecondsByTopic }) => lagSecondsByTopic).slice(0, MOST_LAG_SERIES),
      'seconds',
    ),
    gauge('penstock_cluster_consumer_lag_unlisted_records', 'Total lag of groups and topics that are not listed', [
      { value: unlisted.reduce((sum, { value }) => sum + value, 0) },
    ]),
    gauge('penstock_cluster_consumer_lag_unlisted_series', 'Number of group and topic pairs that are not listed', [
      { value: unlisted.length },
    ]),
    gauge(
      'penstock_cluster_group_members',
      `Members of consumer groups, for the ${MOST_LAG_SERIES} largest groups`,
      members.slice(0, MOST_LAG_SERIES),
    ),
  ];
}

function measuredFamilies(sample: Sample, spanS: number): Family[] {
  const rate = (name: CounterName): number => counterOf(sample, name) / spanS;
  const rates = (metric: string, help: string, counted: CounterName): Family =>
    gauge(`penstock_cluster_${metric}_per_second`, `${help} per second, over the last minute`, [
      { value: rate(counted) },
    ]);
  return [
    rates('produced_bytes', 'Record batch bytes accepted, as sent,', 'produced_bytes'),
    rates('produced_records', 'Records accepted', 'produced_records'),
    rates('fetched_bytes', 'Record batch bytes sent to consumers', 'fetched_bytes'),
    rates('fetched_records', 'Records sent to consumers', 'fetched_records'),
    gauge(
      'penstock_cluster_requests_per_second',
      'Kafka requests per second by API, over the last minute',
      [...sample.requests].map(([key, count]) => ({ labels: { api: apiName(key) }, value: count / spanS })),
    ),
    gauge(
      'penstock_cluster_errors_per_second',
      `Errors in responses per second by API and code, over the last minute, for the ${MOST_ERROR_SERIES} most frequent`,
      [...sample.errors]
        .toSorted(([, left], [, right]) => right - left)
        .slice(0, MOST_ERROR_SERIES)
        .map(([key, count]) => {
          const { apiKey, errorCode } = apiAndCodeOf(key);
          return { labels: { api: apiName(apiKey), code: String(errorCode) }, value: count / spanS };
        }),
    ),
    gauge(
      'penstock_cluster_object_requests_per_second',
      'Requests to object storage per second, over the last minute',
      [
        { labels: { operation: 'put' }, value: rate('object_puts') },
        { labels: { operation: 'get' }, value: rate('object_gets') },
        { labels: { operation: 'delete' }, value: rate('object_deletes') },
      ],
    ),
    gauge(
      'penstock_cluster_object_errors_per_second',
      'Failed requests to object storage per second, over the last minute',
      [
        { labels: { operation: 'put' }, value: rate('object_put_errors') },
        { labels: { operation: 'get' }, value: rate('object_get_errors') },
      ],
    ),
    gauge(
      'penstock_cluster_landing_requests_per_second',
      'Requests to landing buckets per second, over the last minute',
      [
        { labels: { operation: 'put' }, value: rate('landing_puts') },
        { labels: { operation: 'get' }, value: rate('landing_gets') },
      ],
    ),
    rates(
      'landing_put_errors',
      'Writes to landing buckets that failed or were too late to count',
      'landing_put_errors',
    ),
    rates('landing_get_errors', 'Reads in landing buckets that failed', 'landing_get_errors'),
    rates(
      'landing_fallbacks',
      'Data files written to the standard bucket because no two landing buckets took them',
      'landing_fallbacks',
    ),
    ...latencyFamilies(sample),
  ];
}

function latencyFamilies(sample: Sample): Family[] {
  const stages = Object.entries(latencyStages)
    .map(([stage, number]) => ({ stage, sketch: latencyOf(sample, number) }))
    .filter(({ sketch }) => sketchCount(sketch) > 0);
  return [
    gauge(
      'penstock_cluster_latency_quantile_seconds',
      'Latencies of the last minute by stage, accurate to 1/64',
      stages.flatMap(({ stage, sketch }) =>
        quantiles.map((quantile) => ({
          labels: { stage, quantile: String(quantile) },
          value: (quantileUs(sketch, quantile) ?? 0) / US_PER_S,
        })),
      ),
      'seconds',
    ),
    {
      name: 'penstock_cluster_latency_seconds',
      type: 'gaugehistogram',
      unit: 'seconds',
      help: 'The same latencies as a histogram of that minute. Can be summed over clusters. Do not use with rate()',
      samples: stages.flatMap(({ stage, sketch }) => histogram({ stage }, sketch)),
    },
  ];
}

function histogram(labels: Readonly<Record<string, string>>, sketch: Sketch): MetricSample[] {
  const middlesS = sketch.buckets.map((bucket) => bucketMiddleUs(bucket) / US_PER_S);
  const counts = boundsS.map((boundS) =>
    sketch.counts.reduce((sum, count, index) => sum + ((middlesS[index] ?? 0) <= boundS ? count : 0), 0),
  );
  const count = sketchCount(sketch);
  const sum = sketch.counts.reduce((total, own, index) => total + own * (middlesS[index] ?? 0), 0);
  return [
    ...boundsS.map(
      (boundS, index): MetricSample => ({
        suffix: '_bucket',
        labels: { ...labels, le: boundText(boundS) },
        value: counts[index] ?? 0,
      }),
    ),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_gcount', labels, value: count },
    { suffix: '_gsum', labels, value: sum },
  ];
}

/** OpenMetrics writes integer bounds with a fraction: 1.0. */
function boundText(boundS: number): string {
  const rounded = Number(boundS.toPrecision(6));
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded);
}
