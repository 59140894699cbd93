// What agents count and gauge. The place in each list is the number under which it is stored: lists grow at their ends and nothing is
// ever taken out or moved.

/** Counted within a window. */
export const counterNames = [
  'produced_bytes',
  'produced_uncompressed_bytes',
  'produced_records',
  'fetched_bytes',
  'fetched_records',
  'object_puts',
  'object_put_bytes',
  'object_put_errors',
  'object_gets',
  'object_get_bytes',
  'object_get_errors',
  'object_deletes',
  'cache_hits',
  'cache_misses',
  'cpu_us',
  'connections_opened',
  'connections_refused',
  'throttled_us',
  'refused_requests',
  'metadata_errors',
  'timestamps_ahead',
  'lost_reports',
  'jobs_done',
  'jobs_failed',
  'job_puts',
  'job_written_bytes',
  'job_gets',
  'job_read_bytes',
  'job_cpu_us',
  'early_files',
  'early_requests',
  'early_saved_us',
  'landing_puts',
  'landing_put_bytes',
  'landing_put_errors',
  'landing_gets',
  'landing_misses',
  'landing_fallbacks',
  'landing_get_errors',
] as const;
export type CounterName = (typeof counterNames)[number];

/** Read at the end of a window. Bytes are kept in KiB, so that sums over many agents and windows stay exact. */
export const gaugeNames = [
  'open_connections',
  'resident_kib',
  'cache_kib',
  'in_flight_kib',
  'files_in_flight',
  'waiting_reports',
  'clock_offset_ms',
  'saved_puts',
  'saved_landing_puts',
] as const;
export type GaugeName = (typeof gaugeNames)[number];

/** Where latency is measured. The number is that of LatencyStage in the agents' RPC. */
export const latencyStages = {
  produce: 1,
  produce_buffer: 2,
  produce_put: 3,
  produce_commit: 4,
  fetch: 5,
  fetch_metadata: 6,
  fetch_cache: 7,
  fetch_get: 8,
  end_to_end: 9,
} as const;
export type LatencyStageName = keyof typeof latencyStages;

/** The number is that of TopicClass in the agents' RPC. */
export const topicClasses = ['standard', 'low-latency'] as const;
export type TopicClassName = (typeof topicClasses)[number];
