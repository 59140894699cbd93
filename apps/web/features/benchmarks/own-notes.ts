// For a reader who did not run it: what each of our own benchmarks runs, and what its figures do not show.

export interface OwnNotes {
  readonly ran: string;
  readonly notShown: string;
}

const SHARED_MACHINE =
  'Clients, agent, metadata service and storage share one machine, so throughput is what that machine allows, and latency is higher than on machines of their own.';
const ONE_BROKER =
  'Kafka is one broker without replicas. Three replicas in three zones use more CPU, disk and network.';
const SERVICE_CPU =
  'CPU is that of the agent, and of Kafka’s broker with its controller. The metadata service and PostgreSQL have bars of their own.';
const BUSY_BROKER =
  'In the first workload, the broker took more than one of the two cores, so its p99 is that of a busy machine.';
const LOAD =
  '64 producers and 64 consumers on 288 partitions, unless a chart says otherwise; 1 KiB records that LZ4 compresses 2:1, 20 MiB/s, acks=all, idempotent, batch.size=100000, linger.ms=25. One agent, then one Apache Kafka broker. Both get 1 GiB to warm up, and Kafka gets one more minute of load. A workload lasts 20 seconds; at full speed, it lasts as long as 512 MiB take, or 256 MiB with round robin.';
const SAVINGS =
  'The agent has spent its savings of PUTs, as it has after hours of steady load. “With saved PUTs” is an agent that still has some and writes files early.';
const DRAWN =
  'No request went to S3. An S3 server on the same machine answers each request after a time drawn from latencies that we assume for S3, or later if it takes longer itself.';

const workload = (storage: string, notShown: string): OwnNotes => ({
  ran: `${LOAD} ${storage}`,
  notShown: `${SHARED_MACHINE} ${ONE_BROKER} ${BUSY_BROKER} ${SERVICE_CPU} The rate is 2 % of the published rate. ${notShown}`,
});

const jobs = (storage: string, notShown: string): OwnNotes => ({
  ran: `64 producers and 64 consumers on 288 partitions, 20 MiB/s, for three minutes, while a second agent merges the files. It has merged another load before, so its jobs use memory that it already has. Then Apache Kafka without jobs. The agent of the clients has spent its savings of PUTs. ${storage}`,
  notShown: `${SHARED_MACHINE} ${ONE_BROKER} Files are merged for the second time after two minutes, and after an hour in production. ${notShown}`,
});

const ON_DISK = 'Files are on a local disk.';
const ON_DISK_LIMIT = 'A local disk answers sooner than object storage.';
const ON_STANDARD = 'Files are on an S3 server with the latencies of S3 Standard, over TLS.';
const ON_EXPRESS =
  'Files are on an S3 server with the latencies of S3 Express One Zone, over TLS, at the flush interval of 250 ms.';
const ON_LANDING =
  'The cluster is in low-latency mode: each file goes to two of three landing buckets with the latencies of S3 Express One Zone, over TLS, at the flush interval of 25 ms.';
const LANDING_LIMIT = `${DRAWN} The buckets of other zones answer as fast as that of the agent’s own.`;

/** By the name of the benchmark. */
export const OWN_NOTES: Readonly<Record<string, OwnNotes>> = {
  agent: {
    ran: '64 producers at full speed and at 100 MiB/s, and 4 consumers at full speed; 1 KiB records that LZ4 compresses 2:1, 288 partitions. Files are on a local disk, and those of the figures that begin with “S3” on an S3 server. One Apache Kafka broker, then one agent that has savings of PUTs.',
    notShown: `${SHARED_MACHINE} ${ONE_BROKER} ${ON_DISK_LIMIT}`,
  },
  'single-producer': {
    ran: 'kafka-producer-perf-test with its defaults, which are acks=all and idempotent, and with larger batches and LZ4; and kafkajs, which sends one record at a time. 288 partitions, records of 1 KiB. The agent has the savings of an hour; “every file waits” is an agent that writes no file early.',
    notShown: `${SHARED_MACHINE} ${ONE_BROKER} ${DRAWN} At these rates, the savings of an hour last from less than a minute to less than an hour, and those of a day from a quarter of an hour to a day.`,
  },
  transactions: {
    ran: '16 Java producers that each commit one transaction of 100 records after the other, on 12 partitions. “Plain” is the same without transactions. The agent has savings of PUTs.',
    notShown: `${SHARED_MACHINE} ${ONE_BROKER} ${ON_DISK_LIMIT} Without savings, a commit waits for the flush interval.`,
  },
  scaling: {
    ran: '24 Java producers and 24 consumers of one group with the new consumer protocol, 48 partitions, 2,400 records of 1 KiB per second. Three of six agents stop one after the other, and three new ones start later. The first minute, in which nothing changes, is the baseline.',
    notShown: `${SHARED_MACHINE} ${ON_DISK_LIMIT} Agents are stopped gracefully. None is killed.`,
  },
  workloads: workload(`${ON_DISK} ${SAVINGS}`, ON_DISK_LIMIT),
  'workloads-standard': workload(`${ON_STANDARD} ${SAVINGS}`, DRAWN),
  'workloads-express': workload(`${ON_EXPRESS} ${SAVINGS}`, DRAWN),
  'workloads-low-latency': workload(`${ON_LANDING} ${SAVINGS}`, LANDING_LIMIT),
  'workloads-standard-java': {
    ran: `64 producers and 64 consumers of Apache Kafka’s own client on 288 partitions; 1 KiB records that LZ4 compresses 2:1, 20 MiB/s for 20 seconds, acks=all, idempotent, batch.size=100000, linger.ms=25. One agent, then one Apache Kafka broker. Both get 1 GiB to warm up, and Kafka gets one more minute of load. ${ON_STANDARD} ${SAVINGS}`,
    notShown: `${SHARED_MACHINE} The Java clients take most of the two cores. ${ONE_BROKER} CPU is that of the agent, and of Kafka’s broker with its controller; that of the metadata service and PostgreSQL is a figure of its own. The rate is 2 % of the published rate. ${DRAWN}`,
  },
  'workloads-jobs': jobs(ON_DISK, ON_DISK_LIMIT),
  'workloads-standard-jobs': jobs(ON_STANDARD, DRAWN),
  'workloads-express-jobs': jobs(ON_EXPRESS, DRAWN),
  'workloads-low-latency-jobs': jobs(ON_LANDING, LANDING_LIMIT),
};
