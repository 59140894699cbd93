// The traffic of a cluster as a link to the calculator. Pure; a test holds the keys against the calculator's own.

export interface Traffic {
  /** Bytes per second over the measured time, by step; null where no agent reported. */
  readonly written: readonly (number | null)[];
  readonly stored: readonly (number | null)[];
  readonly fetched: readonly (number | null)[];
  readonly topics: readonly {
    readonly partitions: number;
    readonly storedBytes: number;
    readonly configs: readonly { readonly name: string; readonly value: string }[];
  }[];
}

export interface TrafficFigures {
  readonly writtenBytesPerSecond: number;
  readonly compressionRatio: number;
  readonly fanout: number;
  readonly partitions: number;
  readonly retentionDays: number;
  readonly peakToAverage: number;
}

const MIB = 1_048_576;
const KIB = 1_024;
const DAY_MS = 86_400_000;
/** Kafka's default of retention.ms. */
const DEFAULT_RETENTION_MS = 7 * DAY_MS;
/** Retention used for topics without a limit. */
const ENDLESS_RETENTION_MS = 365 * DAY_MS;

const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
};
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The calculator's inputs, from a cluster's traffic. Null without writes, because costs could not be compared. */
export function figuresOf({ written, stored, fetched, topics }: Traffic): TrafficFigures | null {
  const writtenBytesPerSecond = mean(written);
  const storedBytesPerSecond = mean(stored);
  if (writtenBytesPerSecond <= 0 || storedBytesPerSecond <= 0) {
    return null;
  }
  const highest = Math.max(...written.map((value) => value ?? 0));
  return {
    writtenBytesPerSecond,
    compressionRatio: clamp(writtenBytesPerSecond / storedBytesPerSecond, 1, 100),
    fanout: clamp(mean(fetched) / storedBytesPerSecond, 0, 1000),
    partitions: Math.max(
      1,
      topics.reduce((sum, topic) => sum + topic.partitions, 0),
    ),
    retentionDays: retentionMs(topics) / DAY_MS,
    peakToAverage: clamp(highest / writtenBytesPerSecond, 1, 100),
  };
}

/** The mean of the topics' retention, by what they store; by partitions while nothing is stored. */
function retentionMs(topics: Traffic['topics']): number {
  const isEmpty = topics.every((topic) => topic.storedBytes === 0);
  const weighed = topics.map((topic) => {
    const value = Number(topic.configs.find(({ name }) => name === 'retention.ms')?.value ?? DEFAULT_RETENTION_MS);
    return {
      weight: isEmpty ? topic.partitions : topic.storedBytes,
      ms: value < 0 || value > ENDLESS_RETENTION_MS ? ENDLESS_RETENTION_MS : value,
    };
  });
  const weight = weighed.reduce((sum, topic) => sum + topic.weight, 0);
  return weight === 0
    ? DEFAULT_RETENTION_MS
    : weighed.reduce((sum, topic) => sum + topic.ms * (topic.weight / weight), 0);
}

const text = (value: number) => String(Number(value.toPrecision(3)));

/** The query of the calculator for these figures, without `?`. */
export function queryOf(figures: TrafficFigures): string {
  const isLarge = figures.writtenBytesPerSecond >= MIB;
  return new URLSearchParams({
    throughput: text(figures.writtenBytesPerSecond / (isLarge ? MIB : KIB)),
    throughputUnit: isLarge ? 'MiB/s' : 'KiB/s',
    compressionRatio: text(figures.compressionRatio),
    fanout: text(figures.fanout),
    partitions: String(figures.partitions),
    retentionDays: text(figures.retentionDays),
    peakToAverage: text(figures.peakToAverage),
  }).toString();
}
