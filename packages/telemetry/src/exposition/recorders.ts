// Values that a program counts as it runs, for expositions that are rendered when somebody reads them. Callers bound the
// number of label values.
import type { Family, MetricSample } from './openmetrics.ts';

type Labels = Readonly<Record<string, string>>;

interface Series<Value> {
  labels: Labels;
  value: Value;
}

/** One series for each combination of label values. */
class SeriesMap<Value> {
  readonly #names: readonly string[];
  readonly #create: () => Value;
  readonly #byValues = new Map<string, Series<Value>>();

  constructor(names: readonly string[], create: () => Value) {
    this.#names = names;
    this.#create = create;
  }

  at(values: readonly string[]): Series<Value> {
    const key = values.join('\0');
    let series = this.#byValues.get(key);
    if (series === undefined) {
      const labels = Object.fromEntries(this.#names.map((name, index) => [name, values[index] ?? '']));
      series = { labels, value: this.#create() };
      this.#byValues.set(key, series);
    }
    return series;
  }

  all(): Series<Value>[] {
    return [...this.#byValues.values()];
  }
}

/** A counter with labels. */
export class Counts<Names extends readonly string[]> {
  readonly #series: SeriesMap<number>;

  constructor(labelNames: Names) {
    this.#series = new SeriesMap(labelNames, () => 0);
  }

  add(...values: { readonly [Index in keyof Names]: string }): void {
    this.#series.at(values).value += 1;
  }

  family(name: string, help: string): Family {
    const samples = this.#series.all().map(({ labels, value }) => ({ suffix: '_total' as const, labels, value }));
    return { name, type: 'counter', help, samples };
  }
}

interface Distribution {
  /** By bucket, those of lower buckets not included; the last one has no bound. */
  counts: number[];
  sum: number;
}

/** A histogram of seconds with labels. */
export class Durations<Names extends readonly string[]> {
  readonly #bounds: readonly number[];
  readonly #series: SeriesMap<Distribution>;

  /** @param boundsSeconds upper bounds of the buckets, ascending */
  constructor(labelNames: Names, boundsSeconds: readonly number[]) {
    this.#bounds = boundsSeconds;
    this.#series = new SeriesMap(labelNames, () => ({
      counts: Array.from({ length: boundsSeconds.length + 1 }, () => 0),
      sum: 0,
    }));
  }

  record(seconds: number, ...values: { readonly [Index in keyof Names]: string }): void {
    const { value } = this.#series.at(values);
    const found = this.#bounds.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? this.#bounds.length : found;
    value.counts[bucket] = (value.counts[bucket] ?? 0) + 1;
    value.sum += seconds;
  }

  /** @param name ends with `_seconds` */
  family(name: string, help: string): Family {
    const samples = this.#series.all().flatMap(({ labels, value }): MetricSample[] => {
      let total = 0;
      const buckets = value.counts.map((count, index): MetricSample => {
        total += count;
        const bound = this.#bounds[index];
        return {
          suffix: '_bucket',
          labels: { ...labels, le: bound === undefined ? '+Inf' : boundText(bound) },
          value: total,
        };
      });
      return [...buckets, { suffix: '_count', labels, value: total }, { suffix: '_sum', labels, value: value.sum }];
    });
    return { name, type: 'histogram', help, unit: 'seconds', samples };
  }
}

/** OpenMetrics writes bounds as floats: Prometheus would take `1` and `1.0` for two buckets. */
function boundText(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}
