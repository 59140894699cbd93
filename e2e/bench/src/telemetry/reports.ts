// Reports of a busy agent: forty data files in ten seconds, a thousand Produce and five hundred Fetch requests.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { LatencyStage, type TelemetryReportSchema } from '@penstock/metadata-protocol';
import { sketchOf } from '@penstock/telemetry';

export const WINDOW_MS = 10_000;
const FILES = 40;
const PRODUCE_REQUESTS = 1_000;
const FETCH_REQUESTS = 500;
const FLUSH_US = 250_000;

type Report = Extract<MessageInitShape<typeof TelemetryReportSchema>, { $typeName?: never }>;

/** A pseudorandom generator with a fixed seed: linear congruential, after Numerical Recipes. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform from 0 to 1, exclusive. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** Log-normal: half of the values below the median, one in six above median times e^spread. */
  logNormal(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.round(median * Math.exp(spread * normal));
  }
}

/** A report without its sequence number and time. */
export function makeReport(random: Random): Report {
  const put = (): number => random.logNormal(28_000, 0.35);
  const commit = (): number => random.logNormal(4_500, 0.4);
  const times = (count: number, latency: () => number): number[] => Array.from({ length: count }, latency);
  const cache = times(FETCH_REQUESTS, () => random.logNormal(900, 0.6));
  const located = times(FETCH_REQUESTS, () => random.logNormal(30, 0.5));
  const bytes = BigInt(Math.round(100_000_000 * (0.8 + 0.4 * random.next())));
  return {
    durationMs: WINDOW_MS,
    counters: {
      producedBytes: bytes,
      producedUncompressedBytes: bytes * 3n,
      producedRecords: bytes / 300n,
      fetchedBytes: bytes * 2n,
      fetchedRecords: bytes / 150n,
      objectPuts: BigInt(FILES),
      objectPutBytes: bytes,
      objectGets: 80n,
      objectGetBytes: bytes,
      objectDeletes: 40n,
      cacheHits: 140_000n,
      cacheMisses: 80n,
      cpuUs: 2_500_000n,
      connectionsOpened: 3n,
    },
    gauges: {
      openConnections: 120n,
      residentBytes: BigInt(random.logNormal(600_000_000, 0.1)),
      cacheBytes: 268_435_456n,
      inFlightBytes: BigInt(random.logNormal(8_000_000, 0.3)),
      filesInFlight: 1n,
      clockOffsetMs: 3n,
    },
    requests: [
      { apiKey: 0, requests: BigInt(PRODUCE_REQUESTS) },
      { apiKey: 1, requests: BigInt(FETCH_REQUESTS) },
      { apiKey: 3, requests: 24n },
      { apiKey: 8, requests: 60n },
      { apiKey: 12, requests: 120n },
      { apiKey: 18, requests: 3n },
    ],
    errors: random.next() < 0.1 ? [{ apiKey: 0, errorCode: 7, errors: 2n }] : [],
    latencies: [
      histogram(
        LatencyStage.PRODUCE,
        's3',
        times(PRODUCE_REQUESTS, () => Math.round(FLUSH_US * random.next()) + put() + commit()),
      ),
      histogram(
        LatencyStage.PRODUCE_BUFFER,
        '',
        times(FILES, () => FLUSH_US + random.logNormal(900, 0.5)),
      ),
      histogram(LatencyStage.PRODUCE_PUT, 's3', times(FILES, put)),
      histogram(LatencyStage.PRODUCE_COMMIT, '', times(FILES, commit)),
      histogram(
        LatencyStage.FETCH,
        's3',
        cache.map((us, index) => us + (located[index] ?? 0)),
      ),
      histogram(LatencyStage.FETCH_METADATA, '', located),
      histogram(LatencyStage.FETCH_CACHE, '', cache),
      histogram(
        LatencyStage.FETCH_GET,
        's3',
        times(80, () => random.logNormal(22_000, 0.4)),
      ),
      histogram(
        LatencyStage.END_TO_END,
        's3',
        times(FETCH_REQUESTS, () => random.logNormal(190_000, 0.35)),
      ),
    ],
  };
}

function histogram(stage: LatencyStage, store: string, latenciesUs: number[]) {
  const { buckets, counts } = sketchOf(latenciesUs);
  return {
    stage,
    store,
    bucketGap: buckets.map((bucket, index) => bucket - (buckets[index - 1] ?? 0)),
    bucketCount: [...counts],
  };
}
