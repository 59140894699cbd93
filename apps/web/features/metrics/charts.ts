// The charts of the metrics pages and the metrics behind their lines. Pure.
import type { Metric } from '@penstock/charts';

export interface ChartedMetric {
  metric: Metric;
  label: string;
  /** About landing buckets, so left out where none are used. */
  isLanding?: boolean;
}

export interface ChartSpec {
  id: string;
  title: string;
  /** Replaces it when lines are grouped by zone or agent. */
  groupedTitle?: string;
  note: string;
  /** The metrics of the chart; several make one line each. */
  metrics: readonly ChartedMetric[];
  /** Percentiles of one latency, shown together unless lines are grouped by zone or agent. */
  isPercentiles?: boolean;
  /** Lines by API are summed when lines are grouped by zone or agent. */
  isByApi?: boolean;
}

export interface ChartGroup {
  title: string;
  charts: readonly ChartSpec[];
}

export const chartGroups: readonly ChartGroup[] = [
  {
    title: 'Traffic',
    charts: [
      {
        id: 'throughput',
        title: 'Throughput',
        note: 'Bytes acknowledged to producers and fetched by consumers, as stored.',
        metrics: [
          { metric: 'rate.produced_bytes', label: 'In (produced)' },
          { metric: 'rate.fetched_bytes', label: 'Out (fetched)' },
        ],
      },
      {
        id: 'records',
        title: 'Records',
        note: 'Records acknowledged to producers and fetched by consumers.',
        metrics: [
          { metric: 'rate.produced_records', label: 'In (produced)' },
          { metric: 'rate.fetched_records', label: 'Out (fetched)' },
        ],
      },
    ],
  },
  {
    title: 'Latency',
    charts: [
      {
        id: 'produce-latency',
        title: 'Produce latency',
        note: 'From receiving a request to sending the response.',
        metrics: [{ metric: 'latency.produce', label: '' }],
        isPercentiles: true,
      },
      {
        id: 'produce-stages',
        title: 'Produce latency by stage',
        note: 'Time spent waiting in the buffer, writing the file and committing it.',
        metrics: [
          { metric: 'latency.produce_buffer', label: 'Wait in buffer' },
          { metric: 'latency.produce_put', label: 'Object PUT' },
          { metric: 'latency.produce_commit', label: 'Commit' },
        ],
      },
      {
        id: 'fetch-latency',
        title: 'Fetch latency',
        note: 'Excludes the time that a consumer at the tail waits for new records.',
        metrics: [{ metric: 'latency.fetch', label: '' }],
        isPercentiles: true,
      },
      {
        id: 'fetch-stages',
        title: 'Fetch latency by stage',
        note: 'Time spent locating the records and reading them from the cache or object storage.',
        metrics: [
          { metric: 'latency.fetch_metadata', label: 'Metadata' },
          { metric: 'latency.fetch_cache', label: 'Cache' },
          { metric: 'latency.fetch_get', label: 'Object GET' },
        ],
      },
      {
        id: 'end-to-end',
        title: 'End-to-end latency',
        note: 'From a record’s timestamp to its first fetch. Depends on the producers’ clocks.',
        metrics: [{ metric: 'latency.end_to_end', label: '' }],
        isPercentiles: true,
      },
    ],
  },
  {
    title: 'Requests',
    charts: [
      {
        id: 'requests',
        title: 'Requests by API',
        groupedTitle: 'Requests',
        note: 'All responses, including errors.',
        metrics: [{ metric: 'requests', label: '' }],
        isByApi: true,
      },
      {
        id: 'errors',
        title: 'Errors by API and code',
        groupedTitle: 'Errors',
        note: 'Kafka error codes that agents returned.',
        metrics: [{ metric: 'errors', label: '' }],
        isByApi: true,
      },
    ],
  },
  {
    title: 'Object storage',
    charts: [
      {
        id: 'object-requests',
        title: 'Object storage requests',
        note: 'Requests that your cloud provider bills.',
        metrics: [
          { metric: 'rate.object_puts', label: 'PUT' },
          { metric: 'rate.object_gets', label: 'GET' },
          { metric: 'rate.object_deletes', label: 'DELETE' },
          { metric: 'rate.landing_puts', label: 'PUT to landing buckets', isLanding: true },
          { metric: 'rate.landing_gets', label: 'GET from landing buckets', isLanding: true },
        ],
      },
      {
        id: 'landing-fallbacks',
        title: 'Files written around landing buckets',
        note: 'Data files written to the standard bucket because no two landing buckets accepted them.',
        metrics: [{ metric: 'rate.landing_fallbacks', label: '', isLanding: true }],
      },
      {
        id: 'early-files',
        title: 'Data files written early',
        note: 'Files that did not wait for the flush interval, because no client that waited could send more.',
        metrics: [{ metric: 'rate.early_files', label: '' }],
      },
      {
        id: 'early-saved',
        title: 'Wait avoided by writing early',
        note: 'Mean time by which Produce requests in these files were faster.',
        metrics: [{ metric: 'early_saved_ms', label: '' }],
      },
      {
        id: 'saved-puts',
        title: 'PUT budget left',
        note: 'PUTs that agents have saved up for writing early. Without any, files wait for the flush interval.',
        metrics: [
          { metric: 'gauge.saved_puts', label: 'Standard bucket' },
          { metric: 'gauge.saved_landing_puts', label: 'Landing buckets', isLanding: true },
        ],
      },
      {
        id: 'object-errors',
        title: 'Object storage errors',
        note: 'Requests that were denied, failed or timed out. Agents retry them.',
        metrics: [
          { metric: 'rate.object_put_errors', label: 'PUT' },
          { metric: 'rate.object_get_errors', label: 'GET' },
          { metric: 'rate.landing_put_errors', label: 'PUT to landing buckets', isLanding: true },
          { metric: 'rate.landing_get_errors', label: 'GET from landing buckets', isLanding: true },
        ],
      },
      {
        id: 'object-bytes',
        title: 'Object storage throughput',
        note: 'Bytes written to and read from object storage.',
        metrics: [
          { metric: 'rate.object_put_bytes', label: 'PUT' },
          { metric: 'rate.object_get_bytes', label: 'GET' },
          { metric: 'rate.landing_put_bytes', label: 'PUT to landing buckets', isLanding: true },
        ],
      },
      {
        id: 'cache-hits',
        title: 'Cache hit ratio',
        note: 'Share of reads served without a request to object storage.',
        metrics: [{ metric: 'cache_hit_ratio', label: '' }],
      },
    ],
  },
  {
    title: 'Merging and compaction',
    charts: [
      {
        id: 'job-bytes',
        title: 'Job throughput',
        note: 'Bytes read from files being merged or compacted, and bytes written to the files that replace them.',
        metrics: [
          { metric: 'rate.job_read_bytes', label: 'Read' },
          { metric: 'rate.job_written_bytes', label: 'Written' },
        ],
      },
      {
        id: 'job-requests',
        title: 'Job requests',
        note: 'Object storage requests made by jobs.',
        metrics: [
          { metric: 'rate.job_puts', label: 'PUT' },
          { metric: 'rate.job_gets', label: 'GET' },
        ],
      },
      {
        id: 'job-cpu',
        title: 'Job CPU',
        note: 'Cores used by jobs, excluding network traffic.',
        metrics: [{ metric: 'job_cpu_cores', label: '' }],
      },
      {
        id: 'jobs',
        title: 'Jobs',
        note: 'Failed jobs are retried. No data is lost.',
        metrics: [
          { metric: 'rate.jobs_done', label: 'Completed' },
          { metric: 'rate.jobs_failed', label: 'Failed' },
        ],
      },
    ],
  },
  {
    title: 'Agents',
    charts: [
      { id: 'cpu', title: 'CPU', note: 'Cores in use.', metrics: [{ metric: 'cpu_cores', label: '' }] },
      {
        id: 'memory',
        title: 'Memory',
        note: 'Resident memory, and how much of it is used by caches and data in flight.',
        metrics: [
          { metric: 'gauge.resident_kib', label: 'Resident' },
          { metric: 'gauge.cache_kib', label: 'Cache' },
          { metric: 'gauge.in_flight_kib', label: 'In flight' },
        ],
      },
      {
        id: 'throttling',
        title: 'Throttling',
        note: 'Time that connections spent waiting for memory per second, summed over all connections.',
        metrics: [{ metric: 'throttled_share', label: '' }],
      },
      {
        id: 'connections',
        title: 'Connections',
        note: 'Open connections.',
        metrics: [{ metric: 'gauge.open_connections', label: '' }],
      },
    ],
  },
];

const groupsWithoutLanding: readonly ChartGroup[] = chartGroups.map(({ title, charts }) => ({
  title,
  charts: charts.flatMap((spec) => {
    const metrics = spec.metrics.filter(({ isLanding }) => isLanding !== true);
    return metrics.length === 0 ? [] : [{ ...spec, metrics }];
  }),
}));

/** The charts of a cluster that uses landing buckets, or of one that does not. */
export function chartGroupsFor(usesLanding: boolean): readonly ChartGroup[] {
  return usesLanding ? chartGroups : groupsWithoutLanding;
}

export const landingMetrics: readonly Metric[] = chartGroups.flatMap(({ charts }) =>
  charts.flatMap(({ metrics }) => metrics.flatMap(({ metric, isLanding }) => (isLanding === true ? [metric] : []))),
);

/** All metrics that the charts query. */
export const chartedMetrics: readonly Metric[] = chartGroups.flatMap(({ charts }) =>
  charts.flatMap(({ metrics }) => metrics.map(({ metric }) => metric)),
);
