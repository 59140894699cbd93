// From stored samples to the lines of a chart. Every line has a value or a gap at every step; what was not measured stays a gap.
import { mergeSamples, type Sample } from '../sample/sample.ts';
import { type Metric, percentiles, type Unit, unitOf, valuesOf } from './metrics.ts';

/** The sample of one agent, zone or cluster in one slot. */
export interface SlotSample {
  slotMs: number;
  /** Whose line it belongs to: an agent's id, a zone, or empty for all together. */
  group: string;
  sample: Sample;
}

export interface SeriesLine {
  group: string;
  /** `p50`, `p95`, `p99`, `value`, or `api:<key>` and `api:<key>:<code>`. */
  name: string;
  /** One per step, oldest first; null where nothing was measured. */
  values: (number | null)[];
}

export interface Series {
  metric: Metric;
  unit: Unit;
  /** Start of the first step. */
  startMs: number;
  stepMs: number;
  steps: number;
  lines: SeriesLine[];
}

export interface SeriesRange {
  /** A multiple of `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
}

/**
 * The samples of each group in each step of a range. They are the same for every metric, so they are computed once for
 * all.
 */
export interface SteppedSamples {
  range: SeriesRange;
  /** By group, then by number of the step; a step of which nothing is known is missing. */
  groups: ReadonlyMap<string, ReadonlyMap<number, Sample>>;
}

/** Merges the samples of each group and step. What lies outside the range is left out. */
export function stepSamples(slots: readonly SlotSample[], range: SeriesRange): SteppedSamples {
  const groups = new Map<string, Map<number, Sample[]>>();
  for (const { slotMs, group, sample } of slots) {
    const step = Math.floor((slotMs - range.startMs) / range.stepMs);
    if (step < 0 || step >= range.steps) {
      continue;
    }
    const steps = groups.get(group) ?? new Map<number, Sample[]>();
    groups.set(group, steps);
    const samples = steps.get(step);
    if (samples === undefined) {
      steps.set(step, [sample]);
    } else {
      samples.push(sample);
    }
  }
  const merged = [...groups].map(
    ([group, steps]) => [group, new Map([...steps].map(([step, samples]) => [step, mergeSamples(samples)]))] as const,
  );
  return { range, groups: new Map(merged.sort(([left], [right]) => (left < right ? -1 : 1))) };
}

/**
 * The lines of a metric. Values come from merged samples, so percentiles are never averaged. Within a step that was measured, a count that
 * did not occur is 0; a latency of which there was none is a gap.
 */
export function seriesOf({ groups, range }: SteppedSamples, metric: Metric): Series {
  const lines = [...groups].flatMap(([group, steps]) => linesOf(group, steps, metric, range));
  return { metric, unit: unitOf(metric), ...range, lines };
}

/** The lines of one metric over a range, see `seriesOf`. */
export function prepareSeries(slots: readonly SlotSample[], metric: Metric, range: SeriesRange): Series {
  return seriesOf(stepSamples(slots, range), metric);
}

function linesOf(group: string, steps: ReadonlyMap<number, Sample>, metric: Metric, range: SeriesRange): SeriesLine[] {
  const measured = [...steps].map(([step, sample]) => [step, valuesOf(sample, metric, range.stepMs)] as const);
  const names = new Set(measured.flatMap(([, values]) => [...values.keys()]));
  if (metric.startsWith('latency.')) {
    for (const name of Object.keys(percentiles)) {
      names.add(name);
    }
  }
  const isCount = metric === 'requests' || metric === 'errors';
  return [...names].sort(byNumbersWithin).map((name) => {
    const line: SeriesLine = { group, name, values: new Array<number | null>(range.steps).fill(null) };
    for (const [step, values] of measured) {
      line.values[step] = values.get(name) ?? (isCount ? 0 : null);
    }
    return line;
  });
}

/** Orders `api:2` before `api:11`. */
function byNumbersWithin(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
