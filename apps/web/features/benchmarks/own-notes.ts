// For a reader who did not run it: what each of our own benchmarks runs, and what its figures do not show.

export interface OwnNotes {
  readonly ran: string;
  readonly notShown: string;
}

const SHARED_CORES =
  'Clients, agent, metadata service and storage share two cores, so throughput is what this machine allows, and latency is higher than on machines of their own.';
const ONE_BROKER =
  'Kafka is one broker without replicas. Three replicas in three zones use more CPU, disk and network.';
const LOAD =
  '64 producers and 64 consumers unless a chart says otherwise; records of 1 KiB that LZ4 halves, 20 MiB/s, acks=all, idempotent, batch.size=100000, linger.ms=25. One agent, then one Apache Kafka broker, 20 seconds each.';
const SAVINGS =
  'The agent has spent its savings of PUTs, as it has after hours of steady load. “With saved PUTs” is an agent that still has some and writes files early.';
const DRAWN =
  'No request went to S3. An S3 server on this machine answers each one after a time that is drawn from measured latencies of S3, or later when it needs longer itself.';

const workload = (storage: string, notShown: string): OwnNotes => ({
  ran: `${LOAD} ${SAVINGS} ${storage}`,
  notShown: `${SHARED_CORES} ${ONE_BROKER} The rate is 2 % of the published runs. ${notShown}`.trim(),
});

const jobs = (storage: string, notShown: string): OwnNotes => ({
  ran: `The first workload for three minutes, while a second agent merges the files. ${SAVINGS} ${storage}`,
  notShown:
    `${SHARED_CORES} Files are merged after two minutes here, and after an hour in production. ${notShown}`.trim(),
});

const ON_DISK = 'Files are on a local disk.';
const ON_DISK_LIMIT = 'A local disk answers sooner than object storage.';
const ON_STANDARD = 'Files are on an S3 server with the latencies of S3 Standard, over TLS.';
const ON_EXPRESS =
  'Files are on an S3 server with the latencies of S3 Express One Zone, over TLS, at the flush interval of 250 ms.';
const ON_LANDING =
  'The cluster is in low-latency mode: each file goes to two of three landing buckets with the latencies of S3 Express One Zone, over TLS.';

/** By the name of the benchmark. */
export const OWN_NOTES: Readonly<Record<string, OwnNotes>> = {
  agent: {
    ran: 'Clients that only write or only read records of 1 KiB that LZ4 halves, at full speed and at 100 MiB/s, on 288 partitions. Files are on a local disk. One agent, then one Apache Kafka broker.',
    notShown: `${SHARED_CORES} ${ONE_BROKER} ${ON_DISK_LIMIT}`,
  },
  'single-producer': {
    ran: 'kafka-producer-perf-test with its defaults, with larger batches and LZ4, and a client that sends one record at a time. 288 partitions, records of 1 KiB, acks=all, idempotent. The agent has savings of PUTs; “every file waits” is an agent without.',
    notShown: `${SHARED_CORES} ${ONE_BROKER} ${DRAWN} Savings last for hours or days, not for ever: at this rate an agent spends more PUTs than it gains.`,
  },
  transactions: {
    ran: '16 Java producers that each commit one transaction of 100 records after the other, on 12 partitions. “Plain” is the same without transactions. The agent has savings of PUTs.',
    notShown: `${SHARED_CORES} ${ONE_BROKER} ${ON_DISK_LIMIT} Without savings, a commit waits for the flush interval.`,
  },
  scaling: {
    ran: '24 Java producers and 24 consumers with the defaults of Kafka, 48 partitions, 2,400 records of 1 KiB per second. Three of six agents stop one after the other, and start again later. The first minute, in which nothing changes, is the baseline.',
    notShown: `${SHARED_CORES} ${ON_DISK_LIMIT} Agents are stopped in the orderly way. Killed ones are not part of it.`,
  },
  workloads: workload(ON_DISK, ON_DISK_LIMIT),
  'workloads-standard': workload(ON_STANDARD, DRAWN),
  'workloads-express': workload(ON_EXPRESS, DRAWN),
  'workloads-low-latency': workload(ON_LANDING, DRAWN),
  'workloads-jobs': jobs(ON_DISK, ON_DISK_LIMIT),
  'workloads-standard-jobs': jobs(ON_STANDARD, DRAWN),
  'workloads-express-jobs': jobs(ON_EXPRESS, DRAWN),
  'workloads-low-latency-jobs': jobs(ON_LANDING, DRAWN),
};
