// Results of our own agent benchmark. The only place where they enter the calculator: after a new run of `npm run bench:agent`, copy them
// from packages/bench/results/agent.json with the date, and regenerate the golden bills.

export const MEASURED_AGENT = {
  day: '2026-11-23',
  command: 'npm run bench:agent',
  setup: 'two shared cores, local storage (merging: an S3 server without TLS), lz4, 288 partitions',
  /** Core-seconds per uncompressed GiB, at a steady 100 MiB/s. */
  writeCpuSecondsPerGib: '1.106',
  /** Core-seconds per uncompressed GiB, with four consumers reading a backlog. */
  readCpuSecondsPerGib: '0.33',
  /** Core-seconds and requests of both levels of merging, per GiB as stored. */
  mergeCpuSecondsPerStoredGib: '3.274',
  mergePutsPerStoredGib: '138.8',
  mergeGetsPerStoredGib: '1178.3',
  /** Milliseconds at a batch interval of 250 ms; on local storage, so without S3's own latency. */
  produceP50Ms: '166.6',
  produceP99Ms: '294.2',
} as const;

/** The source of the figures, as shown with a default. */
export const MEASURED_AGENT_SOURCE = `measured: ${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}, ${MEASURED_AGENT.setup}; not yet on EC2 with S3`;
