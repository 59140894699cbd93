import { describe, expect, test } from 'vitest';
import { chartInputOf, hasLandingTraffic, type MetricsAnswer } from './chart-input';
import { type ChartSpec, chartedMetrics, chartGroups, chartGroupsFor } from './charts';

const startMs = Date.UTC(2026, 10, 21, 10);
type Series = MetricsAnswer['series'][number];

function answer(...series: Series[]): MetricsAnswer {
  return { startMs, stepMs: 10_000, series };
}

function specOf(id: string): ChartSpec {
  const spec = chartGroups.flatMap(({ charts }) => charts).find((chart) => chart.id === id);
  if (spec === undefined) {
    throw new Error(`no chart ${id}`);
  }
  return spec;
}

function latency(metric: Series['metric'], groups: string[]): Series {
  const names = ['p50', 'p95', 'p99'];
  const lines = groups.flatMap((group) => names.map((name, index) => ({ group, name, values: [index] })));
  return { metric, unit: 'ms', lines, relativeError: 1 / 64 };
}

const together = { isGrouped: false, nameOf: (group: string) => group };
const byZone = { isGrouped: true, nameOf: (group: string) => `zone ${group}` };

function labels(spec: ChartSpec, data: MetricsAnswer, grouping: typeof together): string[] | undefined {
  return chartInputOf(spec, data, grouping, 'p99')?.lines.map(({ label }) => label);
}

test('a latency shows all its percentiles, or one for each zone', () => {
  const spec = specOf('produce-latency');
  expect(labels(spec, answer(latency('latency.produce', [''])), together)).toEqual(['p50', 'p95', 'p99']);
  expect(labels(spec, answer(latency('latency.produce', ['a', 'b'])), byZone)).toEqual(['zone a', 'zone b']);
});

test('stages are shown at one percentile', () => {
  const data = answer(
    latency('latency.produce_buffer', ['']),
    latency('latency.produce_put', ['']),
    latency('latency.produce_commit', ['']),
  );
  const input = chartInputOf(specOf('produce-stages'), data, together, 'p95');
  expect(input?.lines.map(({ label, values }) => [label, values])).toEqual([
    ['Wait in buffer', [1]],
    ['Object PUT', [1]],
    ['Commit', [1]],
  ]);
});

describe('requests', () => {
  const lines = [
    { group: 'a', name: 'api:0', values: [1, null, 3] },
    { group: 'a', name: 'api:1', values: [10, null, 0] },
    { group: 'b', name: 'api:0', values: [null, 5, 5] },
  ];
  const data = answer({ metric: 'requests', unit: '1/s', lines, relativeError: null });

  test('are grouped by API unless they are grouped by zone', () => {
    expect(labels(specOf('requests'), data, together)).toEqual(['Produce', 'Fetch', 'Produce']);
  });

  test('by zone sum all APIs, with a gap where none was measured', () => {
    const input = chartInputOf(specOf('requests'), data, byZone, 'p99');
    expect(input?.lines.map(({ label, values }) => [label, values])).toEqual([
      ['zone a', [11, null, 3]],
      ['zone b', [null, 5, 5]],
    ]);
  });
});

describe('landing buckets', () => {
  const rate = (metric: Series['metric'], value: number): Series => ({
    metric,
    unit: '1/s',
    lines: [{ group: '', name: 'value', values: [null, value] }],
    relativeError: null,
  });
  const data = answer(rate('rate.object_puts', 1), rate('rate.landing_puts', 80), rate('rate.landing_fallbacks', 2));
  const chart = (id: string, usesLanding: boolean) =>
    chartGroupsFor(usesLanding)
      .flatMap(({ charts }) => charts)
      .find((spec) => spec.id === id);

  test('have their own lines and a chart of files around them', () => {
    const requests = chart('object-requests', true);
    expect(requests && labels(requests, data, together)).toEqual(['PUT', 'PUT to landing buckets']);
    const fallbacks = chart('landing-fallbacks', true);
    expect(fallbacks && chartInputOf(fallbacks, data, together, 'p99')?.lines[0]?.values).toEqual([null, 2]);
  });

  test('are not mentioned in a cluster that uses none', () => {
    const requests = chart('object-requests', false);
    expect(requests && labels(requests, data, together)).toEqual(['PUT']);
    expect(chart('landing-fallbacks', false)).toBeUndefined();
  });

  test('are in use once anything went to them', () => {
    expect(hasLandingTraffic(data)).toBe(true);
    expect(hasLandingTraffic(answer(rate('rate.object_puts', 1), rate('rate.landing_puts', 0)))).toBe(false);
  });
});

test('line keys are unique within a chart', () => {
  const values = [1];
  const series = (metric: Series['metric']): Series => ({
    metric,
    unit: 'B/s',
    lines: ['a', 'b'].map((group) => ({ group, name: 'value', values })),
    relativeError: null,
  });
  const data = answer(series('rate.produced_bytes'), series('rate.fetched_bytes'));
  const keys = chartInputOf(specOf('throughput'), data, byZone, 'p99')?.lines.map(({ key }) => key);
  expect(new Set(keys).size).toBe(4);
});

test('every chart has its place and requests metrics once', () => {
  const ids = chartGroups.flatMap(({ charts }) => charts.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(chartedMetrics).size).toBe(chartedMetrics.length);
});
