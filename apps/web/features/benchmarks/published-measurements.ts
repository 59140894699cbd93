// What others measured and published, as it stands in their documents.

export type MeasuredBar = {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly ours?: true;
};
export type Measurement = {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly setup: string;
  readonly bars: readonly MeasuredBar[];
  readonly note?: string;
};
export type MeasurementSource = {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  readonly measurements: readonly Measurement[];
};

const bar = (label: string, value: number, text: string): MeasuredBar => ({ label, value, text });

const ELASTIC_SETUP = 'One node with 8 vCPUs, 64 GiB of memory and 1,250 MB/s to EBS, Ubuntu 22.04, batches of 64 KiB.';

export const SOURCES_MEASURED: readonly MeasurementSource[] = [
  {
    id: 'warpstream-2024',
    title: 'WarpStream, “Public Benchmarks and TCO Analysis”',
    date: '2024-03-05',
    measurements: [
      {
        id: 'warpstream-2024-rates',
        title: 'S3 requests per second at 1 GiB/s',
        unit: 'requests/s',
        setup:
          '6 m6in.4xlarge, 288 partitions, 64 producers and consumers, lz4, 490 MiB/s compressed, OpenMessaging benchmark.',
        bars: [
          bar('GET, fan-out 1', 490, '490'),
          bar('GET, fan-out 3 (22% more)', 597.8, '598'),
          bar('PUT', 138, '138'),
        ],
        note: 'PUTs and GETs didn’t change with 256 producers, or with 1,152 and 4,608 partitions.',
      },
      {
        id: 'warpstream-2024-cpu',
        title: 'Busy cores per agent',
        unit: 'of 16 cores',
        setup: 'The same cluster.',
        bars: [bar('Fan-out 1', 5, 'about 5'), bar('Fan-out 3 (42% more)', 7.1, 'about 7.1')],
      },
      {
        id: 'warpstream-2024-nodes',
        title: 'Agents that carried 1 GiB/s in and out',
        unit: 'm6in.4xlarge',
        setup: 'Scaled while the workload was running.',
        bars: [bar('As benchmarked', 6, '6'), bar('Scaled in', 3, '3'), bar('While one was being replaced', 2, '2')],
        note: 'Latency rose with the higher load per agent. Produce p99 stayed below 1 s and end-to-end p99 below 2 s in almost every test.',
      },
    ],
  },
  {
    id: 'warpstream-2025',
    title: 'WarpStream, “S3 Express One Zone Benchmark”',
    date: '2025-04-18',
    measurements: [
      {
        id: 'warpstream-2025-latency',
        title: 'Produce latency on S3 Express One Zone',
        unit: 'ms',
        setup: '5 m7g.xlarge with 3 vCPUs for the agent, half busy; 268 MiB/s, 288 partitions, 4 to 1, linger 25 ms.',
        bars: [bar('p50', 105, '105'), bar('p99', 169, '169')],
      },
      {
        id: 'warpstream-2025-rates',
        title: 'S3 Express requests per second',
        unit: 'requests/s',
        setup: 'The same cluster; each PUT goes to two buckets.',
        bars: [bar('PUT', 150, 'just under 150'), bar('GET', 800, 'just under 800')],
      },
    ],
  },
  {
    id: 'bufstream',
    title: 'Buf, “Benchmarks and cost” of Bufstream',
    date: '2024',
    measurements: [
      {
        id: 'bufstream-latency',
        title: 'End-to-end latency',
        unit: 'ms',
        setup:
          '6 m6in.xlarge agents and 3 m6in.large with etcd over three zones; 1 GiB/s in and out, 288 partitions, 4 to 1.',
        bars: [bar('p50', 260, '260'), bar('p99', 500, '500')],
      },
      {
        id: 'bufstream-rates',
        title: 'S3 operations per second',
        unit: 'operations/s',
        setup: 'The same cluster.',
        bars: [bar('Reads', 125, '125'), bar('Writes', 75, '75')],
        note: 'Less than 1 of 4 vCPUs busy per agent, memory below 75%; etcd below 0.25 vCPU and 150 MiB, its database steady at 35 MiB.',
      },
    ],
  },
  {
    id: 'vanlightly',
    title: 'Jack Vanlightly, “Kafka vs Redpanda performance, part 1: 4 vs 50 producers”',
    date: '2023-05-15',
    measurements: [
      {
        id: 'vanlightly-latency',
        title: 'Redpanda, highest end-to-end latency shown, with and without TLS',
        unit: 'ms',
        setup:
          '3 i3en.6xlarge, 1 topic, 288 partitions, Redpanda 23.1.7 and Kafka 3.4.0, batch.size 131,072, linger 1 ms.',
        bars: [
          bar('500 MB/s, 50 producers, no TLS', 700, '700'),
          bar('500 MB/s, 50 producers, TLS', 24_000, '24,000'),
          bar('1,000 MB/s, 50 producers, no TLS', 24_000, '24,000'),
        ],
        note: 'With 4 producers, Redpanda performed well. Those figures, and Kafka’s, are shown only in pictures. MB means MiB here.',
      },
      {
        id: 'vanlightly-throughput',
        title: 'Throughput reached at a target of 1,000 MB/s, with TLS',
        unit: 'MB/s',
        setup: 'The same machines.',
        bars: [bar('Redpanda, 50 producers', 850, 'about 850'), bar('Apache Kafka', 1000, '1,000')],
        note: 'With 4 producers, Redpanda fell just short of 1,000. Redpanda’s own benchmark had claimed 3 of its brokers against 9 Kafka brokers.',
      },
      {
        id: 'vanlightly-cpu',
        title: 'Redpanda, CPU at 500 MB/s, no TLS',
        unit: '%',
        setup: 'The same machines, 72 vCPUs in all.',
        bars: [bar('4 producers', 25, 'about 25'), bar('50 producers', 76, '76')],
      },
    ],
  },
  {
    id: 'elastic-stream',
    title: 'AutoMQ, Elastic Stream: “Benchmark on Append operations”',
    date: 'undated',
    measurements: [
      {
        id: 'elastic-p99',
        title: 'Elastic Stream, append p99, end to end',
        unit: 'ms',
        setup: ELASTIC_SETUP,
        bars: [
          bar('500 MB/s, 1 stream', 2.075, '2.075'),
          bar('500 MB/s, 100 streams', 1.976, '1.976'),
          bar('500 MB/s, 2,000 streams', 1.927, '1.927'),
          bar('1,000 MB/s, 1 stream', 4.051, '4.051'),
          bar('1,000 MB/s, 100 streams', 3.949, '3.949'),
          bar('1,000 MB/s, 2,000 streams', 3.654, '3.654'),
        ],
      },
      {
        id: 'elastic-cpu',
        title: 'Elastic Stream, CPU',
        unit: '% of one core',
        setup: ELASTIC_SETUP,
        bars: [
          bar('500 MB/s, 1 stream', 185, '185'),
          bar('500 MB/s, 100 streams', 180, '180'),
          bar('500 MB/s, 2,000 streams', 182, '182'),
          bar('1,000 MB/s, 1 stream', 275, '275'),
          bar('1,000 MB/s, 100 streams', 286, '286'),
          bar('1,000 MB/s, 2,000 streams', 282, '282'),
        ],
      },
      {
        id: 'elastic-kafka-p99',
        title: 'Apache Kafka, one broker, append p99, end to end',
        unit: 'ms',
        setup: ELASTIC_SETUP,
        bars: [
          bar('384 MB/s, 1 partition', 19, '19'),
          bar('310 MB/s, 100 partitions', 27, '27'),
          bar('250 MB/s, 2,000 partitions', 16, '16'),
        ],
      },
      {
        id: 'elastic-nodes',
        title: 'Nodes for a p99 below 20 ms',
        unit: 'nodes',
        setup: 'is4gen.2xlarge for 500 MB/s, is4gen.4xlarge for 1,000 MB/s; Kafka without replication.',
        bars: [
          bar('500 MB/s: Elastic Stream', 1, '1'),
          bar('500 MB/s: Kafka', 2, '2'),
          bar('1,000 MB/s: Elastic Stream', 1, '1'),
          bar('1,000 MB/s, 1 or 100 partitions: Kafka', 3, '3'),
          bar('1,000 MB/s, 2,000 partitions: Kafka', 4, '4'),
        ],
        note: 'At the document’s own 310 MB/s per broker, 100 partitions at 1,000 MB/s require four nodes, and their 27 ms miss the target.',
      },
    ],
  },
];

/** The append tables, whole. */
export const APPEND_ROWS: readonly (readonly string[])[] = [
  ['500', '1', '185%', '1060', '0.874', '1.002', '2.075', '7.381', '189', '296', '399', '1803'],
  ['500', '100', '180%', '1062', '0.877', '1.006', '1.976', '7.152', '188', '297', '394', '1694'],
  ['500', '2000', '182%', '1069', '0.879', '1.011', '1.927', '7.176', '191', '299', '399', '1781'],
  ['1000', '1', '275%', '1055', '1.380', '1.798', '4.051', '7.537', '327', '534', '864', '3870'],
  ['1000', '100', '286%', '1099', '1.322', '1.675', '3.949', '7.799', '364', '592', '977', '4345'],
  ['1000', '2000', '282%', '1065', '1.316', '1.669', '3.654', '6.693', '359', '589', '1019', '3888'],
];
export const APPEND_KAFKA_ROWS: readonly (readonly string[])[] = [
  ['384', '1', '115%', '4.61', '15', '19', '37'],
  ['310', '100', '84%', '2.41', '11', '27', '78'],
  ['250', '2000', '73%', '1.63', '2', '16', '53'],
];
