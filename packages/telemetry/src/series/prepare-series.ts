// From stored samples to the lines of a chart. Every line has a value or a gap at every step; what was not measured stays a gap.
import { mergeSamples, type Sample } from '../sample/sample.ts';
import { type Metric, percentiles, type Unit, unitOf, valuesOf } from './metrics.ts';

/** What one agent, zone or cluster did in one slot. */
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
  /** Of the first step. */
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
 * The lines of a metric over a range. Samples of one group and step are merged before anything is computed, so percentiles are never
 * averaged. Within a step that was measured, a count that did not occur is 0; a latency of which there was none is a gap.
 */
export function prepareSeries(slots: readonly SlotSample[], metric: Metric, range: SeriesRange): Series {
  const groups = new Map<string, Map<number, Sample[]>>();
  for (const { slotMs, group, sample } of slots) {
    const step = Math.floor((slotMs - range.startMs) / range.stepMs);
    if (step < 0 || step >= range.steps) continue;
    const steps = groups.get(group) ?? new Map<number, Sample[]>();
    groups.set(group, steps);
    const samples = steps.get(step);
    if (samples === undefined) steps.set(step, [sample]);
    else samples.push(sample);
  }
  const lines = [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([group, steps]) => linesOf(group, steps, metric, range));
  return { metric, unit: unitOf(metric), ...range, lines };
}

function linesOf(group: string, steps: Map<number, Sample[]>, metric: Metric, range: SeriesRange): SeriesLine[] {
  const measured = [...steps].map(
    ([step, samples]) => [step, valuesOf(mergeSamples(samples), metric, range.stepMs)] as const,
  );
  const names = new Set(measured.flatMap(([, values]) => [...values.keys()]));
  if (metric.startsWith('latency.')) for (const name of Object.keys(percentiles)) names.add(name);
  const isCount = metric === 'requests' || metric === 'errors';
  return [...names].sort(byNumbersWithin).map((name) => {
    const line: SeriesLine = { group, name, values: new Array<number | null>(range.steps).fill(null) };
    for (const [step, values] of measured) line.values[step] = values.get(name) ?? (isCount ? 0 : null);
    return line;
  });
}

/** `api:2` before `api:11`. */
function byNumbersWithin(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
