// Which of our own figures are charted together, and their labels. Figures in no chart are listed.

export interface OwnBarSpec {
  readonly label: string;
  readonly key: string;
  readonly ours: boolean;
}
export interface OwnChartSpec {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly OwnBarSpec[];
}

const ours = (label: string, key: string): OwnBarSpec => ({ label, key, ours: true });
const other = (label: string, key: string): OwnBarSpec => ({ label, key, ours: false });
/** A bar without a figure is left out, so only a result that was also measured on an agent with saved PUTs has that bar. */
const beside = (title: string, unit: string, key: string): OwnChartSpec => ({
  title,
  unit,
  bars: [
    ours('Penstock', key),
    ours('Penstock, with saved PUTs', `saved_${key}`),
    other('Apache Kafka, one broker', `kafka_${key}`),
  ],
});

/** Titles by benchmark name, in page order: first the questions that a buyer asks. */
export const OWN_TITLES: Readonly<Record<string, string>> = {
  'workloads-standard': 'Published workloads at 2 % of their rate, latencies of S3 Standard',
  'workloads-low-latency': 'Published workloads at 2 % of their rate, low-latency mode with three landing buckets',
  'workloads-express': 'Published workloads at 2 % of their rate, latencies of S3 Express One Zone',
  workloads: 'Published workloads at 2 % of their rate, files on a local disk',
  'workloads-standard-jobs': 'Published workload at 2 % of its rate beside merge jobs, latencies of S3 Standard',
  'workloads-low-latency-jobs': 'Published workload at 2 % of its rate beside merge jobs, low-latency mode',
  'workloads-express-jobs': 'Published workload at 2 % of its rate beside merge jobs, latencies of S3 Express One Zone',
  'workloads-jobs': 'Published workload at 2 % of its rate beside merge jobs, files on a local disk',
  'workloads-standard-java': 'Published workload at 2 % of its rate with Java clients, latencies of S3 Standard',
  'workloads-low-latency-java': 'Published workload at 2 % of its rate with Java clients, low-latency mode',
  'workloads-express-java': 'Published workload at 2 % of its rate with Java clients, latencies of S3 Express One Zone',
  'workloads-java': 'Published workload at 2 % of its rate with Java clients, files on a local disk',
  'single-producer': 'One producer that nobody tuned, against Apache Kafka',
  agent: 'Agent against Apache Kafka',
  'agent-secured': 'What TLS and ACLs cost an agent',
  transactions: 'Transactions of 100 records against Apache Kafka',
  scaling: 'From six agents to three and back under load',
  'rolling-restart': 'Rolling restart of consumer groups against Apache Kafka',
  backlog: 'Reading a backlog before and after merging',
  connections: 'A client beside 10,000 idle TLS connections',
  metadata: 'Metadata service',
  longevity: '30 days of a busy cluster',
  metering: 'Metering',
  telemetry: 'Telemetry of a thousand agents',
  health: 'Health checks of a thousand clusters',
  worker: 'A thousand active clusters on two workers',
  'greedy-tenant': 'Commits beside a tenant that floods the service',
  'key-flood': 'Commits during a flood of rejected keys',
  api: 'Public API',
  pricing: 'Pricing page',
  charts: 'Twenty charts of a metrics page',
};

/** In the order of {@link OWN_TITLES}; what has no title comes last. */
export function inOrderOfPage<T extends { readonly name: string }>(results: readonly T[]): T[] {
  const names = Object.keys(OWN_TITLES);
  const placeOf = ({ name }: T): number => (name in OWN_TITLES ? names.indexOf(name) : names.length);
  return results.toSorted((one, other) => placeOf(one) - placeOf(other));
}

const single = (title: string, unit: string, key: string): OwnChartSpec => ({
  title,
  unit,
  bars: [
    ours('Penstock, local disk', `local_${key}`),
    ours('Penstock, local disk, every file waits', `local_fixed_${key}`),
    ours('Penstock, latencies of S3 Express', `express_${key}`),
    ours('Penstock, latencies of S3 Standard', `standard_${key}`),
    other('Apache Kafka, one broker', `kafka_${key}`),
  ],
});

const CPU = 'CPU per GiB written and read';

/** With what the agent's metadata costs. A broker of Kafka keeps its own. */
const cpuBeside = (title: string, workload: string): OwnChartSpec => ({
  title: `${CPU}: ${title}`,
  unit: 'core-seconds',
  bars: [
    ours('Penstock, agent', `${workload}_cpu_s_per_gib`),
    ours('Penstock, agent with saved PUTs', `saved_${workload}_cpu_s_per_gib`),
    ours('Metadata service and PostgreSQL', `${workload}_service_cpu_s_per_gib`),
    other('Apache Kafka, one broker', `kafka_${workload}_cpu_s_per_gib`),
  ],
});

const otherWorkloads = [
  ['producers_256', '256 producers'],
  ['partitions_4608', '4,608 partitions'],
  ['fan_out_3', 'every record read three times'],
  ['round_robin', 'round robin'],
].flatMap(([key = '', title = '']) => [
  cpuBeside(title, key),
  beside(`End-to-end latency p99: ${title}`, 'ms', `${key}_end_to_end_p99_ms`),
]);

/** Each published workload, compared with Apache Kafka's result in the same run. */
const workloadCharts = [
  cpuBeside('64 producers and consumers, 288 partitions', 'standard'),
  beside('Publish latency p50: 64 producers', 'ms', 'standard_p50_ms'),
  beside('Publish latency p99: 64 producers', 'ms', 'standard_p99_ms'),
  beside('End-to-end latency p99: 64 producers and consumers', 'ms', 'standard_end_to_end_p99_ms'),
  ...otherWorkloads,
  beside('Throughput at full speed', 'MiB/s', 'full_speed_mib_per_s'),
  beside('Throughput at full speed: round robin', 'MiB/s', 'full_speed_round_robin_mib_per_s'),
  beside('Throughput of 4 producers that have 20 MiB/s to send', 'MiB/s', 'producers_4_mib_per_s'),
  beside('Publish latency p50: 100 streams with one batch in flight each, 2 MiB/s in all', 'ms', 'streams_100_p50_ms'),
];

/** The first workload, compared with itself while merge jobs run. */
const jobsCharts = (requests: readonly (readonly [string, string])[]): readonly OwnChartSpec[] => [
  {
    title: CPU,
    unit: 'core-seconds',
    bars: [
      ours('Penstock, agent of the clients', 'standard_cpu_s_per_gib'),
      ours('Penstock, agent with the jobs', 'standard_jobs_cpu_s_per_gib'),
      ours('Metadata service and PostgreSQL', 'standard_service_cpu_s_per_gib'),
      other('Apache Kafka, one broker', 'kafka_standard_cpu_s_per_gib'),
    ],
  },
  {
    title: 'Requests to object storage per GiB',
    unit: 'requests',
    bars: requests.map(([label, key]) => ours(label, key)),
  },
  beside('Publish latency p99', 'ms', 'standard_p99_ms'),
];

const ofMerging = [
  ['PUTs of merging', 'standard_jobs_puts_per_gib'],
  ['GETs of merging', 'standard_jobs_gets_per_gib'],
] as const;
const jobsBesideLoad = jobsCharts([['PUTs for the clients', 'standard_puts_per_gib'], ...ofMerging]);
const jobsBesideLanding = jobsCharts([
  ['PUTs to landing buckets', 'standard_landing_puts_per_gib'],
  ['GETs of merging from landing buckets', 'standard_jobs_landing_gets_per_gib'],
  ...ofMerging,
]);

const scalingBars = (figure: string): readonly OwnBarSpec[] => [
  ours('Six agents', `six_${figure}`),
  ours('Three of them stop', `to_three_${figure}`),
  ours('Three agents', `three_${figure}`),
  ours('Three start', `to_six_${figure}`),
  ours('Six agents again', `six_again_${figure}`),
];

/** By the name of the benchmark. */
export const OWN_CHARTS: Readonly<Record<string, readonly OwnChartSpec[]>> = {
  agent: [
    beside('Write throughput at full speed', 'MiB/s', 'write_mib_per_s'),
    beside('Read throughput, backlog', 'MiB/s', 'read_mib_per_s'),
    beside('CPU per GiB written at full speed', 'core-seconds', 'write_cpu_s_per_gib'),
    beside('CPU per GiB written at 100 MiB/s', 'core-seconds', 'steady_write_cpu_s_per_gib'),
    beside('CPU per GiB read', 'core-seconds', 'read_cpu_s_per_gib'),
    beside('Produce latency p50 at 100 MiB/s', 'ms', 'produce_p50_ms'),
    beside('Produce latency p99 at 100 MiB/s', 'ms', 'produce_p99_ms'),
    beside('Peak memory', 'MiB', 'peak_rss_mib'),
    {
      title: 'PUTs per GiB at 100 MiB/s',
      unit: 'PUTs',
      bars: [
        ours('288 partitions', 'steady_puts_per_gib_by_partitions.288'),
        ours('1,152 partitions', 'steady_puts_per_gib_by_partitions.1152'),
        ours('4,608 partitions', 'steady_puts_per_gib_by_partitions.4608'),
      ],
    },
  ],
  metadata: [
    {
      title: 'Durable commits of 288 runs',
      unit: 'per second',
      bars: [
        ours('Owner, in process', 'commits_per_s'),
        ours('Owner, through RPC', 'rpc_commits_per_s'),
        other('One SQL statement per commit', 'baseline_commits_per_s'),
      ],
    },
    {
      title: 'Commit latency p99',
      unit: 'ms',
      bars: [
        ours('Owner, in process', 'p99_ms'),
        ours('Owner, through RPC', 'rpc_p99_ms'),
        other('One SQL statement per commit', 'baseline_p99_ms'),
      ],
    },
    {
      title: 'Owner recovery time',
      unit: 'ms',
      bars: [ours('From the journal', 'recovery_ms'), ours('From a snapshot', 'recovery_from_snapshot_ms')],
    },
  ],
  charts: [
    {
      title: 'CPU for a move of the pointer',
      unit: 'ms',
      bars: [ours('Our SVG', 'pointer_move_cpu_ms'), other('Recharts', 'recharts_pointer_move_cpu_ms')],
    },
    {
      title: 'CPU for a new step in every chart',
      unit: 'ms',
      bars: [ours('Our SVG', 'new_step_cpu_ms'), other('Recharts', 'recharts_new_step_cpu_ms')],
    },
    {
      title: 'Compressed script of the page',
      unit: 'KiB',
      bars: [ours('Our SVG', 'compressed_script_kib'), other('Recharts', 'recharts_compressed_script_kib')],
    },
  ],
  'single-producer': [
    single('Throughput with the default settings', 'MiB/s', 'untuned_mib_per_s'),
    single('Throughput with batch.size=100000 and LZ4', 'MiB/s', 'lz4_mib_per_s'),
    single('Latency p50 of one record at a time', 'ms', 'one_by_one_p50_ms'),
  ],
  workloads: workloadCharts,
  'workloads-express': workloadCharts,
  'workloads-low-latency': workloadCharts,
  'workloads-standard': workloadCharts,
  'workloads-jobs': jobsBesideLoad,
  'workloads-express-jobs': jobsBesideLoad,
  'workloads-low-latency-jobs': jobsBesideLanding,
  'workloads-standard-jobs': jobsBesideLoad,
  scaling: [
    {
      title: 'Longest time of one producer without an acknowledgement',
      unit: 'ms',
      bars: scalingBars('one_producer_no_acknowledgement_ms'),
    },
    {
      title: 'Longest time of one consumer without a record',
      unit: 'ms',
      bars: scalingBars('one_consumer_no_record_ms'),
    },
    { title: 'Publish latency p99', unit: 'ms', bars: scalingBars('publish_p99_ms') },
  ],
  pricing: [
    {
      title: 'Estimate for all systems',
      unit: 'ms',
      bars: [ours('p50', 'estimate_p50_ms'), ours('p99', 'estimate_p99_ms')],
    },
    {
      title: 'Largest contentful paint of the pricing page',
      unit: 'ms',
      bars: [ours('Median', 'largest_paint_ms'), ours('Worst', 'largest_paint_worst_ms')],
    },
  ],
};
