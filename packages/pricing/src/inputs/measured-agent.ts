// Results of our own agent benchmark. The only place where they enter the calculator: after a new run of `npm run bench -- agent`, copy them
// from e2e/bench/results/agent.json with the date, and regenerate the golden bills.

export const MEASURED_AGENT = {
  day: '2026-11-24',
  command: 'npm run bench -- agent',
  setup: 'two shared cores, an S3 server over TLS with assumed latencies of S3 Standard, lz4, 288 partitions',
  /** Core-seconds per uncompressed GiB, at a steady 100 MiB/s. */
  writeCpuSecondsPerGib: '0.660',
  /** Core-seconds per uncompressed GiB, with four consumers reading a merged backlog. */
  readCpuSecondsPerGib: '0.418',
  /** Core-seconds and PUTs of both levels of merging, per GiB as stored. */
  mergeCpuSecondsPerStoredGib: '2.160',
  mergePutsPerStoredGib: '38.6',
  /** GETs for each file and zone, at most, with three readers in each zone: what e2e/clients/zones.test.ts holds. */
  getsPerFile: '1.1',
  /** Bytes that commit one run of a file: 5,115 bytes for 288 runs. */
  commitBytesPerRun: '17.8',
  /** Milliseconds at a batch interval of 250 ms; on local storage, so without S3's own latency. */
  produceP50Ms: '89.1',
  produceP99Ms: '160.8',
} as const;

/**
 * Apache Kafka: one broker on a local disk, so without replication. Core-seconds per uncompressed GiB. Of two runs of this day the lower
 * figures, because runs differ: in the run of our own figures, writing took 5.07.
 */
export const MEASURED_KAFKA = {
  writeCpuSecondsPerGib: '3.569',
  readCpuSecondsPerGib: '0.198',
} as const;

/** The source of Kafka’s figures, as shown with a default. */
export const MEASURED_KAFKA_SOURCE = `measured: ${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}, two shared cores, the same load as our agent; one broker on a local disk`;

/** The source of the figures, as shown with a default. */
export const MEASURED_AGENT_SOURCE = `measured: ${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}, ${MEASURED_AGENT.setup}; not yet on EC2 with S3`;

/** Whether a figure's source is our own bench on two shared cores, so that it must be marked. */
export function isFromSmallBench(source: string): boolean {
  return source === MEASURED_AGENT_SOURCE || source === MEASURED_KAFKA_SOURCE;
}
