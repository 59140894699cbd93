// Results of our own agent benchmark. The only place where they enter the calculator: after a new run of `npm run bench:agent`, copy them
// from packages/bench/results/agent.json with the date, and regenerate the golden bills.

export const MEASURED_AGENT = {
  day: '2026-11-24',
  command: 'npm run bench:agent',
  setup: 'two shared cores, an S3 server without TLS, lz4, 288 partitions',
  /** Core-seconds per uncompressed GiB, at a steady 100 MiB/s. */
  writeCpuSecondsPerGib: '1.057',
  /** Core-seconds per uncompressed GiB, with four consumers reading a merged backlog. */
  readCpuSecondsPerGib: '0.288',
  /** Core-seconds and PUTs of both levels of merging, per GiB as stored. */
  mergeCpuSecondsPerStoredGib: '4.732',
  mergePutsPerStoredGib: '38.5',
  /** GETs for each file and zone, at most, with three readers in each zone: what e2e/clients/zones.test.ts holds. */
  getsPerFile: '1.1',
  /** Bytes that commit one run of a file: 5,115 bytes for 288 runs. */
  commitBytesPerRun: '17.8',
  /** Milliseconds at a batch interval of 250 ms; on local storage, so without S3's own latency. */
  produceP50Ms: '94.5',
  produceP99Ms: '173.1',
} as const;

/** Apache Kafka in the same run: one broker on a local disk, so without replication. Core-seconds per uncompressed GiB. */
export const MEASURED_KAFKA = {
  writeCpuSecondsPerGib: '3.569',
  readCpuSecondsPerGib: '0.238',
} as const;

/** The source of Kafka’s figures, as shown with a default. */
export const MEASURED_KAFKA_SOURCE = `measured: ${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}, two shared cores, the same load as our agent; one broker on a local disk`;

/** The source of the figures, as shown with a default. */
export const MEASURED_AGENT_SOURCE = `measured: ${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}, ${MEASURED_AGENT.setup}; not yet on EC2 with S3`;

/** Whether a figure's source is our own bench on two shared cores, so that it must be marked. */
export function isFromSmallBench(source: string): boolean {
  return source === MEASURED_AGENT_SOURCE || source === MEASURED_KAFKA_SOURCE;
}
