import { errorKey, renderOpenMetrics } from '@penstock/telemetry';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../testing/cluster.ts';
import { type ClusterMetricsInput, clusterMetrics, MOST_LAG_SERIES } from './cluster-metrics.ts';

const input: ClusterMetricsInput = {
  clusterId: 'c-1',
  clusterName: 'prod "eu"\nback\\slash',
  level: 'degraded',
  openFindings: [
    { rule: 'zone.without-agent', severity: 'warning' },
    { rule: 'zone.without-agent', severity: 'warning' },
  ],
  state: {
    agents: [
      { zone: 'a', isAlive: true },
      { zone: 'b', isAlive: false },
    ],
    topics: 2,
    partitions: 24,
    uncompressedBytesTotal: 123_456_789_012,
    groups: [{ groupId: 'g', members: 2, lagByTopic: new Map([['t', 7]]), lagSecondsByTopic: new Map([['t', 2.5]]) }],
  },
  measured: {
    span_ms: 60_000,
    sample: sampleOf({
      counters: {
        produced_bytes: 6_000,
        object_puts: 120,
        object_put_errors: 6,
        landing_puts: 2_400,
        landing_fallbacks: 3,
        landing_get_errors: 6,
      },
      requests: { 0: 600, 999: 60 },
      errors: new Map([[errorKey(0, -1), 30]]),
      latencies_ms: { produce: 250 },
    }),
  },
};

/** Samples keyed by name and labels. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1).replace('+Inf', 'Infinity'))];
    }),
  );
}

describe('the exposition', () => {
  const text = renderOpenMetrics(clusterMetrics(input));
  const samples = parse(text);

  // Metadata before samples, names with units and suffixes, escaped labels, one # EOF at the end.
  test('follows OpenMetrics', () => {
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text.match(/# EOF/g)).toHaveLength(1);
    let family = '';
    const seen = new Set<string>();
    const suffixes: Record<string, string[]> = {
      gauge: [''],
      counter: ['_total'],
      info: ['_info'],
      gaugehistogram: ['_bucket', '_gcount', '_gsum'],
    };
    let type = '';
    for (const line of text.trimEnd().split('\n').slice(0, -1)) {
      const metadata = /^# (TYPE|UNIT|HELP) (\S+) (.+)$/.exec(line);
      if (metadata !== null) {
        const [, kind, name = '', rest = ''] = metadata;
        if (kind === 'TYPE') {
          expect(seen.has(name), `${name} comes once`).toBe(false);
          seen.add(name);
          [family, type] = [name, rest];
        }
        expect(name).toBe(family);
        if (kind === 'UNIT') {
          expect(name.endsWith(`_${rest}`)).toBe(true);
        }
        continue;
      }
      const sample = /^([a-z_]+)(\{([a-z_]+="([^"\\\n]|\\[\\"n])*"(,(?!\})|(?=\})))+\})? \S+$/.exec(line);
      expect(sample, line).not.toBeNull();
      expect(suffixes[type]?.map((suffix) => family + suffix)).toContain(sample?.[1]);
    }
    expect(text).toContain('penstock_cluster_info{cluster_id="c-1",cluster="prod \\"eu\\"\\nback\\\\slash"} 1');
  });

  test.each([
    ['penstock_cluster_health{level="degraded"}', 1],
    ['penstock_cluster_health{level="healthy"}', 0],
    ['penstock_cluster_open_findings{rule="zone.without-agent",severity="warning"}', 2],
    ['penstock_cluster_agents{zone="a"}', 1],
    ['penstock_cluster_agents{zone="b"}', 0],
    ['penstock_cluster_uncompressed_bytes_total', 123_456_789_012],
    ['penstock_cluster_consumer_lag_records{group="g",topic="t"}', 7],
    ['penstock_cluster_consumer_lag_unlisted_series', 0],
    ['penstock_cluster_produced_bytes_per_second', 100],
    ['penstock_cluster_requests_per_second{api="Produce"}', 10],
    ['penstock_cluster_requests_per_second{api="api_999"}', 1],
    ['penstock_cluster_errors_per_second{api="Produce",code="-1"}', 0.5],
    ['penstock_cluster_object_errors_per_second{operation="put"}', 0.1],
    ['penstock_cluster_landing_requests_per_second{operation="put"}', 40],
    ['penstock_cluster_landing_fallbacks_per_second', 0.05],
    ['penstock_cluster_landing_get_errors_per_second', 0.1],
    ['penstock_cluster_latency_seconds_bucket{stage="produce",le="0.128"}', 0],
    ['penstock_cluster_latency_seconds_bucket{stage="produce",le="0.256"}', 20],
    ['penstock_cluster_latency_seconds_bucket{stage="produce",le="+Inf"}', 20],
    ['penstock_cluster_consumer_lag_seconds{group="g",topic="t"}', 2.5],
    ['penstock_cluster_latency_seconds_gcount{stage="produce"}', 20],
  ])('exposes %s', (name, value) => {
    expect(samples.get(name)).toBe(value);
  });

  test('gives quantiles in seconds', () => {
    const medianS = samples.get('penstock_cluster_latency_quantile_seconds{stage="produce",quantile="0.5"}') ?? 0;
    expect(Math.abs(medianS - 0.25)).toBeLessThan(0.25 / 64);
  });
});

test('lists the largest lag series and sums the rest', () => {
  const groups = Array.from({ length: 1_000 }, (_, index) => ({
    groupId: `g${index}`,
    members: 1,
    lagByTopic: new Map([['t', index]]),
    lagSecondsByTopic: new Map([['t', index]]),
  }));
  const samples = parse(
    renderOpenMetrics(clusterMetrics({ ...input, state: input.state && { ...input.state, groups } })),
  );
  const listed = [...samples].filter(([name]) => name.startsWith('penstock_cluster_consumer_lag_records{'));
  expect(listed).toHaveLength(MOST_LAG_SERIES);
  expect([...samples].filter(([name]) => name.startsWith('penstock_cluster_consumer_lag_seconds{'))).toHaveLength(
    MOST_LAG_SERIES,
  );
  expect(samples.get('penstock_cluster_consumer_lag_unlisted_series')).toBe(800);
  const sum = listed.reduce((total, [, value]) => total + value, 0);
  expect(sum + (samples.get('penstock_cluster_consumer_lag_unlisted_records') ?? 0)).toBe((999 * 1_000) / 2);
});

test('unknown values are omitted, not reported as zero', () => {
  const text = renderOpenMetrics(clusterMetrics({ ...input, state: null, measured: null }));
  expect(text).not.toContain('penstock_cluster_agents');
  expect(text).not.toContain('per_second');
  expect(text).toContain('penstock_cluster_health{level="degraded"} 1');
});
