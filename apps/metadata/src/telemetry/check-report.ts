// Validates a telemetry report. An agent runs in somebody else's account, so implausible numbers are refused. Pure.
import type { LatencyHistogram, TelemetryCounters, TelemetryReport } from '@penstock/metadata-protocol';
import {
  BUCKET_COUNT,
  type CounterName,
  counterNames,
  errorKey,
  type Gauge,
  type GaugeName,
  gaugeNames,
  type LatencySeries,
  latencyKey,
  type Sample,
} from '@penstock/telemetry';
import { DAY_MS, HOUR_MS } from '@penstock/units';

/** The longest window that a report may cover. */
const MAX_WINDOW_MS = HOUR_MS;
/** Clocks tick in milliseconds, and the request is built a little before it is sent. */
const CLOCK_SLACK_MS = 1_000;
/** More than any machine handles in a second: a terabyte, a hundred million events. */
const MAX_BYTES_PER_S = 2 ** 40;
const MAX_EVENTS_PER_S = 100_000_000;
/** More than any machine has. */
const MAX_CORES = 4_096;
const MAX_CONNECTIONS = 16_777_216;
/** The longest interval after which an agent writes a data file, so the most that an early request can save. */
const MAX_FLUSH_INTERVAL_S = 60;
const US_PER_S = 1_000_000;
const MAX_MEMORY_BYTES = 2n ** 46n;
/** Kafka has some 90 APIs and 130 error codes. */
const MAX_API_KEY = 1_000;
const MAX_APIS = 200;
const MAX_ERRORS = 1_000;
const MAX_HISTOGRAMS = 100;
const MAX_STAGE = 100;
const STORE_NAME = /^[a-z0-9-]{0,16}$/;
const BYTES_PER_KIB = 1_024;

export type CheckedReport =
  | { isGood: true; sequence: number; startElapsedMs: number; durationMs: number; sample: Sample }
  | { isGood: false; sequence: bigint; kind: RefusalKind; reason: string };

/** The label under which refused reports are counted. */
export type RefusalKind = 'window' | 'counter' | 'gauge' | 'request' | 'histogram';

class Absurd extends Error {
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Turns a report into a sample, or returns why it is refused.
 * @param sentElapsedMs when it was sent, by the same clock as its window
 */
export function checkReport(report: TelemetryReport, sentElapsedMs: bigint): CheckedReport {
  try {
    const { durationMs } = report;
    checkWindow(report, sentElapsedMs);
    const sample: Sample = {
      windows: 1,
      durationMs,
      counters: readCounters(report.counters, durationMs),
      gauges: readGauges(report),
      requests: readRequests(report),
      errors: readErrors(report),
      latencies: readLatencies(report.latencies, durationMs),
    };
    return {
      isGood: true,
      sequence: Number(report.sequence),
      startElapsedMs: Number(report.startElapsedMs),
      durationMs,
      sample,
    };
  } catch (error) {
    if (!(error instanceof Absurd)) {
      throw error;
    }
    return { isGood: false, sequence: report.sequence, kind: error.kind, reason: error.message };
  }
}

function checkWindow({ sequence, startElapsedMs, durationMs }: TelemetryReport, sentElapsedMs: bigint): void {
  if (sequence < 1n || sequence > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Absurd('window', 'sequence numbers begin at 1');
  }
  if (durationMs < 1 || durationMs > MAX_WINDOW_MS) {
    throw new Absurd('window', `a window of ${durationMs} ms is not between 1 ms and an hour`);
  }
  if (startElapsedMs + BigInt(durationMs) > sentElapsedMs + BigInt(CLOCK_SLACK_MS)) {
    throw new Absurd('window', 'the window ends after the report was sent');
  }
}

function readCounters(counters: TelemetryCounters | undefined, durationMs: number): number[] {
  if (counters === undefined) {
    return [];
  }
  return counterNames.map((name) => {
    const { field, unit } = counterFields[name];
    const value = counters[field];
    const limit = maxPerSecond[unit] * Math.max(1, durationMs / 1_000);
    if (value > limit) {
      throw new Absurd('counter', `${name} of ${value} within ${durationMs} ms is beyond any machine`);
    }
    return Number(value);
  });
}

/** The most of each unit that a machine counts in a second. */
const maxPerSecond = {
  bytes: MAX_BYTES_PER_S,
  events: MAX_EVENTS_PER_S,
  cpuUs: MAX_CORES * US_PER_S,
  /** Time that connections wait, summed over them. */
  connectionUs: MAX_CONNECTIONS * US_PER_S,
  /** Time that requests save, summed over them. */
  savedUs: MAX_EVENTS_PER_S * MAX_FLUSH_INTERVAL_S * US_PER_S,
} as const;

function readGauges({ gauges }: TelemetryReport): (Gauge | undefined)[] {
  if (gauges === undefined) {
    return [];
  }
  const { openConnections, residentBytes, cacheBytes, inFlightBytes, filesInFlight, waitingReports } = gauges;
  const { clockOffsetMs, savedPuts, savedLandingPuts } = gauges;
  for (const [name, bytes] of Object.entries({ residentBytes, cacheBytes, inFlightBytes })) {
    if (bytes > MAX_MEMORY_BYTES) {
      throw new Absurd('gauge', `${name} of ${bytes} is more memory than any machine has`);
    }
  }
  for (const [name, count] of Object.entries({ openConnections, filesInFlight, waitingReports })) {
    if (count > MAX_CONNECTIONS) {
      throw new Absurd('gauge', `${name} of ${count} is more than any machine bears`);
    }
  }
  const offsetMs = clockOffsetMs === undefined ? undefined : Number(clockOffsetMs);
  if (offsetMs !== undefined && !(Math.abs(offsetMs) <= MAX_OFFSET_MS)) {
    throw new Absurd('gauge', `a clock offset of ${offsetMs} ms is more than a century`);
  }
  for (const [name, puts] of Object.entries({ savedPuts, savedLandingPuts })) {
    if (puts !== undefined && puts > MAX_SAVED_PUTS) {
      throw new Absurd('gauge', `${name} of ${puts} is more than an agent can save up`);
    }
  }
  const readings: Record<GaugeName, number | undefined> = {
    open_connections: Number(openConnections),
    resident_kib: toKib(residentBytes),
    cache_kib: toKib(cacheBytes),
    in_flight_kib: toKib(inFlightBytes),
    files_in_flight: Number(filesInFlight),
    waiting_reports: Number(waitingReports),
    clock_offset_ms: offsetMs,
    saved_puts: savedPuts === undefined ? undefined : Number(savedPuts),
    saved_landing_puts: savedLandingPuts === undefined ? undefined : Number(savedLandingPuts),
  };
  return gaugeNames.map((name) => gaugeAt(readings[name]));
}

/** Four days of the largest budget that an agent takes, 10 million an hour. */
const MAX_SAVED_PUTS = 1_000_000_000n;

const MAX_OFFSET_MS = 100 * 365.25 * DAY_MS;

function toKib(bytes: bigint): number {
  return Math.round(Number(bytes) / BYTES_PER_KIB);
}

function gaugeAt(value: number | undefined): Gauge | undefined {
  return value === undefined ? undefined : { sum: value, min: value, max: value, readings: 1 };
}

function readRequests({ requests, durationMs }: TelemetryReport): Map<number, number> {
  if (requests.length > MAX_APIS) {
    throw new Absurd('request', `${requests.length} Kafka APIs are more than there are`);
  }
  const counts = requests.map(({ apiKey, requests: count }) => {
    checkApi(apiKey);
    return [apiKey, checkedEvents('request', count, durationMs)] as const;
  });
  return uniqueCounts(counts);
}

function readErrors({ errors, durationMs }: TelemetryReport): Map<number, number> {
  if (errors.length > MAX_ERRORS) {
    throw new Absurd('request', `${errors.length} kinds of errors are more than there are`);
  }
  const counts = errors.map(({ apiKey, errorCode, errors: count }) => {
    checkApi(apiKey);
    if (errorCode < -32_768 || errorCode > 32_767) {
      throw new Absurd('request', `${errorCode} is no error code of Kafka`);
    }
    return [errorKey(apiKey, errorCode), checkedEvents('request', count, durationMs)] as const;
  });
  return uniqueCounts(counts);
}

function checkApi(apiKey: number): void {
  if (apiKey < 0 || apiKey > MAX_API_KEY) {
    throw new Absurd('request', `${apiKey} is no API of Kafka`);
  }
}

function checkedEvents(kind: RefusalKind, count: bigint, durationMs: number): number {
  if (count > MAX_EVENTS_PER_S * Math.max(1, durationMs / 1_000)) {
    throw new Absurd(kind, `${count} within ${durationMs} ms is beyond any machine`);
  }
  return Number(count);
}

function uniqueCounts(counts: (readonly [number, number])[]): Map<number, number> {
  const unique = new Map(counts.sort(([left], [right]) => left - right));
  if (unique.size !== counts.length) {
    throw new Absurd('request', 'something is counted twice');
  }
  return unique;
}

function readLatencies(histograms: readonly LatencyHistogram[], durationMs: number): LatencySeries[] {
  if (histograms.length > MAX_HISTOGRAMS) {
    throw new Absurd('histogram', `${histograms.length} histograms are too many`);
  }
  const series = histograms.map((histogram) => readHistogram(histogram, durationMs));
  const keys = new Set(series.map(latencyKey));
  if (keys.size !== series.length) {
    throw new Absurd('histogram', 'two histograms are of the same stage, class and store');
  }
  return series.sort((left, right) => (latencyKey(left) < latencyKey(right) ? -1 : 1));
}

function readHistogram(histogram: LatencyHistogram, durationMs: number): LatencySeries {
  const { stage, topicClass, store, bucketGap: gaps, bucketCount: counts } = histogram;
  if (stage < 1 || stage > MAX_STAGE) {
    throw new Absurd('histogram', `${stage} is no stage`);
  }
  if (topicClass < 0 || topicClass > MAX_STAGE) {
    throw new Absurd('histogram', `${topicClass} is no topic class`);
  }
  if (!STORE_NAME.test(store)) {
    throw new Absurd('histogram', 'a kind of store has a short name in small letters');
  }
  if (gaps.length !== counts.length || gaps.length > BUCKET_COUNT) {
    throw new Absurd('histogram', 'buckets and counts do not fit each other');
  }
  const buckets: number[] = [];
  let bucket = 0;
  let total = 0;
  for (const [index, gap] of gaps.entries()) {
    const count = counts[index] ?? 0;
    if (index > 0 && gap === 0) {
      throw new Absurd('histogram', 'a bucket occurs twice');
    }
    bucket += gap;
    total += count;
    if (bucket >= BUCKET_COUNT) {
      throw new Absurd('histogram', `there is no bucket ${bucket}`);
    }
    if (count === 0) {
      throw new Absurd('histogram', 'an empty bucket is not reported');
    }
    buckets.push(bucket);
  }
  checkedEvents('histogram', BigInt(total), durationMs);
  return { stage, topicClass, store, sketch: { buckets, counts } };
}

/** The message's field for each counter, and the unit that it counts. A missing counter is a compile error. */
const counterFields = {
  produced_bytes: { field: 'producedBytes', unit: 'bytes' },
  produced_uncompressed_bytes: { field: 'producedUncompressedBytes', unit: 'bytes' },
  produced_records: { field: 'producedRecords', unit: 'events' },
  fetched_bytes: { field: 'fetchedBytes', unit: 'bytes' },
  fetched_records: { field: 'fetchedRecords', unit: 'events' },
  object_puts: { field: 'objectPuts', unit: 'events' },
  object_put_bytes: { field: 'objectPutBytes', unit: 'bytes' },
  object_put_errors: { field: 'objectPutErrors', unit: 'events' },
  object_gets: { field: 'objectGets', unit: 'events' },
  object_get_bytes: { field: 'objectGetBytes', unit: 'bytes' },
  object_get_errors: { field: 'objectGetErrors', unit: 'events' },
  object_deletes: { field: 'objectDeletes', unit: 'events' },
  cache_hits: { field: 'cacheHits', unit: 'events' },
  cache_misses: { field: 'cacheMisses', unit: 'events' },
  cpu_us: { field: 'cpuUs', unit: 'cpuUs' },
  connections_opened: { field: 'connectionsOpened', unit: 'events' },
  connections_refused: { field: 'connectionsRefused', unit: 'events' },
  throttled_us: { field: 'throttledUs', unit: 'connectionUs' },
  refused_requests: { field: 'refusedRequests', unit: 'events' },
  metadata_errors: { field: 'metadataErrors', unit: 'events' },
  timestamps_ahead: { field: 'timestampsAhead', unit: 'events' },
  lost_reports: { field: 'lostReports', unit: 'events' },
  jobs_done: { field: 'jobsDone', unit: 'events' },
  jobs_failed: { field: 'jobsFailed', unit: 'events' },
  job_puts: { field: 'jobPuts', unit: 'events' },
  job_written_bytes: { field: 'jobWrittenBytes', unit: 'bytes' },
  job_gets: { field: 'jobGets', unit: 'events' },
  job_read_bytes: { field: 'jobReadBytes', unit: 'bytes' },
  job_cpu_us: { field: 'jobCpuUs', unit: 'cpuUs' },
  early_files: { field: 'earlyFiles', unit: 'events' },
  early_requests: { field: 'earlyRequests', unit: 'events' },
  early_saved_us: { field: 'earlySavedUs', unit: 'savedUs' },
  landing_puts: { field: 'landingPuts', unit: 'events' },
  landing_put_bytes: { field: 'landingPutBytes', unit: 'bytes' },
  landing_put_errors: { field: 'landingPutErrors', unit: 'events' },
  landing_gets: { field: 'landingGets', unit: 'events' },
  landing_misses: { field: 'landingMisses', unit: 'events' },
  landing_fallbacks: { field: 'landingFallbacks', unit: 'events' },
  landing_get_errors: { field: 'landingGetErrors', unit: 'events' },
} as const satisfies Record<
  CounterName,
  { field: Exclude<keyof TelemetryCounters, '$typeName' | '$unknown'>; unit: keyof typeof maxPerSecond }
>;
