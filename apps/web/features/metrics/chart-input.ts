// Converts a metrics response into the labelled lines of a chart. Pure.
import { lineNameText, type TimeSeriesInput, type TimeSeriesLine } from '@penstock/charts';
import type { RouterOutputs } from '../../lib/trpc';
import { type ChartSpec, landingMetrics } from './charts.ts';

export type MetricsAnswer = Pick<RouterOutputs['telemetry']['metrics'], 'startMs' | 'stepMs' | 'series'>;
type SeriesLine = MetricsAnswer['series'][number]['lines'][number];

export type Percentile = 'p50' | 'p95' | 'p99';

export interface Grouping {
  /** Whether lines are grouped by zone or agent. */
  isGrouped: boolean;
  /** The label of a group: a zone's name or an agent's node id. */
  nameOf: (group: string) => string;
}

/** The lines of one chart, or null when the response lacks its metrics. */
export function chartInputOf(
  spec: ChartSpec,
  answer: MetricsAnswer,
  { isGrouped, nameOf }: Grouping,
  percentile: Percentile,
): TimeSeriesInput | null {
  const parts = spec.metrics.flatMap(({ metric, label }) => {
    const series = answer.series.find((candidate) => candidate.metric === metric);
    return series === undefined ? [] : [{ series, label }];
  });
  const [first] = parts;
  if (first === undefined) {
    return null;
  }
  const showsAllPercentiles = spec.isPercentiles === true && !isGrouped;
  const lines = parts.flatMap(({ series, label }): TimeSeriesLine[] => {
    const isLatency = series.metric.startsWith('latency.');
    const wanted =
      isLatency && !showsAllPercentiles ? series.lines.filter(({ name }) => name === percentile) : series.lines;
    const summed = spec.isByApi === true && isGrouped ? sumByGroup(wanted) : wanted;
    return summed.map(({ group, name, values }) => {
      const words = [
        label,
        isLatency && !showsAllPercentiles ? '' : lineNameText(name),
        isGrouped ? nameOf(group) : '',
      ].filter((word) => word !== '');
      return { key: `${series.metric} ${group} ${name}`, label: words.join(', ') || spec.title, values };
    });
  });
  return { unit: first.series.unit, startMs: answer.startMs, stepMs: answer.stepMs, lines };
}

/** Whether anything went to landing buckets or around them, as in a cluster that has left low-latency mode since. */
export function hasLandingTraffic({ series }: MetricsAnswer): boolean {
  return series.some(
    ({ metric, lines }) =>
      landingMetrics.includes(metric) && lines.some(({ values }) => values.some((value) => (value ?? 0) > 0)),
  );
}

/** The sum of all APIs per group. A step without any measurement is a gap. */
function sumByGroup(lines: readonly SeriesLine[]): SeriesLine[] {
  const sums = new Map<string, SeriesLine>();
  for (const { group, values } of lines) {
    const before = sums.get(group)?.values ?? [];
    sums.set(group, {
      group,
      name: 'value',
      values: values.map((value, step) => (value === null ? (before[step] ?? null) : value + (before[step] ?? 0))),
    });
  }
  return [...sums.values()];
}
