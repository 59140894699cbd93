// Chart values end to end, from agents' reports through the roll-ups to the lines, compared with the known raw
// latencies.
import { newId } from '@penstock/platform';
import {
  emptySample,
  errorKey,
  latencyStages,
  levelFacts,
  RELATIVE_ERROR,
  type Sample,
  sketchOf,
} from '@penstock/telemetry';
import { ReportStore, rollUpTelemetry } from '@penstock/telemetry-store';
import { MINUTE_MS, SECOND_MS } from '@penstock/units';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Cluster } from '../cluster/cluster.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { latestAgentReadings } from './latest-agent-readings.ts';
import {
  type ClusterSeries,
  type ClusterSeriesInput,
  queryClusterMetrics,
  queryClusterSeries,
} from './query-cluster-series.ts';
import { queryOrganizationThroughput } from './query-organization-throughput.ts';
import { sharedAgentReadings } from './shared-agent-readings.ts';

const startMs = Date.parse('2026-11-21T10:00:00Z');

const plane = setUpControlPlane();
let pool: Pool;
let store: ReportStore;
let nowMs = startMs;
let tenant: TestOrganization;
let cluster: Cluster;

beforeAll(() => {
  pool = new Pool({ connectionString: plane.databaseUrl, max: 4 });
  // Dropping the database ends connections that are still closing.
  pool.on('error', () => undefined);
  store = new ReportStore({ pool, nowMs: () => nowMs, gatheringMs: 1, onNotRecorded: () => undefined });
});
afterAll(() => pool.end());
beforeEach(async () => {
  nowMs = startMs;
  tenant = await plane.newTenant();
  cluster = await plane.newCluster(tenant);
});

interface Agent {
  agentId: string;
  zone: string;
  incarnationId: string;
}

function newAgent(zone: string): Agent {
  return { agentId: newId(), zone, incarnationId: newId() };
}

/** Irregular latencies in microseconds, different for each agent and window. */
function latenciesOf(seed: number): number[] {
  return Array.from({ length: 200 }, (_, index) => 500 + ((seed * 7_919 + index * index * 1_299_709) % 2_000_000));
}

/** A ten-second window that began this many windows after the start. */
async function report(agent: Agent, window: number, change: Partial<Sample> = {}): Promise<void> {
  const endMs = (window + 1) * 10 * SECOND_MS;
  nowMs = Math.max(nowMs, startMs + endMs);
  const sample: Sample = {
    ...emptySample,
    windows: 1,
    durationMs: 10 * SECOND_MS,
    counters: [10_240],
    gauges: [{ sum: 7, min: 7, max: 7, readings: 1 }],
    ...change,
  };
  const reporter = { ...agent, clusterId: cluster.id, organizationId: tenant.organizationId, version: '0.1.0' };
  const windowReport = {
    sequence: window + 1,
    startElapsedMs: window * 10 * SECOND_MS,
    durationMs: 10 * SECOND_MS,
    sample,
  };
  await store.store(reporter, nowMs - startMs, [windowReport]);
}

function latencySample(seed: number): Partial<Sample> {
  const sketch = sketchOf(latenciesOf(seed));
  return { latencies: [{ stage: latencyStages.produce, topicClass: 0, store: 's3', sketch }] };
}

async function rollUpAll(): Promise<void> {
  while ((await rollUpTelemetry(pool, nowMs + 2 * 3_600_000)) > 0) {}
}

function query(input: Partial<ClusterSeriesInput>, atMs = startMs + 10 * MINUTE_MS): Promise<ClusterSeries> {
  const whole = {
    clusterId: cluster.id,
    fromMs: startMs,
    toMs: startMs + 5 * MINUTE_MS,
    metric: 'latency.produce',
    by: 'none',
  } as const;
  return tenant.run((scope) => queryClusterSeries(scope, { ...whole, ...input }), new Date(atMs));
}

function valuesOf(series: ClusterSeries, name: string, group = ''): (number | null)[] | undefined {
  return series.lines.find((line) => line.name === name && line.group === group)?.values;
}

/** In milliseconds, from the raw latencies. */
function exactMs(latenciesUs: number[], share: number): number {
  const sorted = latenciesUs.toSorted((left, right) => left - right);
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / 1_000;
}

function expectClose(told: number | null | undefined, exact: number): void {
  expect(Math.abs((told ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR);
}

const shares = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
] as const;

describe('percentiles of the page', () => {
  test.each([
    ['each ten seconds', 360, '10s', 1],
    ['two minutes of ten seconds each', 3, '1m', 12],
    ['each minute', 5, '10s', 6],
  ] as const)('%s match raw latencies within the stated error', async (_what, maxPoints, level, windowsPerStep) => {
    const agents = [newAgent('a'), newAgent('a'), newAgent('b')];
    for (let window = 0; window < 12; window += 1) {
      await Promise.all(agents.map((agent, index) => report(agent, window, latencySample(window * 10 + index))));
    }
    await rollUpAll();
    const series = await query({ maxPoints });
    expect(series).toMatchObject({ level, unit: 'ms', startMs, relativeError: RELATIVE_ERROR });
    for (const [name, share] of shares) {
      const told = valuesOf(series, name) ?? [];
      for (let step = 0; step < 12 / windowsPerStep; step += 1) {
        const windows = Array.from({ length: windowsPerStep }, (_, index) => step * windowsPerStep + index);
        const raw = windows.flatMap((window) => agents.flatMap((_agent, index) => latenciesOf(window * 10 + index)));
        expectClose(told[step], exactMs(raw, share));
      }
    }
  });

  test('by zone and agent stay within the error at any level', async () => {
    const agents = [newAgent('a'), newAgent('b')];
    for (let window = 0; window < 12; window += 1) {
      await Promise.all(agents.map((agent, index) => report(agent, window, latencySample(window * 10 + index))));
    }
    await rollUpAll();
    const raw = (index: number, windows: number[]) => windows.flatMap((window) => latenciesOf(window * 10 + index));
    const all = Array.from({ length: 12 }, (_, window) => window);
    const threeDaysMs = 72 * 60 * MINUTE_MS;
    const zones = await query({ by: 'zone' }, startMs + threeDaysMs);
    expect(zones.level).toBe('1m');
    const hour = await query({ by: 'agent', toMs: startMs + 60 * MINUTE_MS }, startMs + 15 * threeDaysMs);
    expect(hour).toMatchObject({ level: '1h', omittedAgents: 0 });
    for (const [name, share] of shares) {
      expectClose(valuesOf(zones, name, 'a')?.[1], exactMs(raw(0, all.slice(6)), share));
      expectClose(valuesOf(zones, name, 'b')?.[0], exactMs(raw(1, all.slice(0, 6)), share));
      expectClose(valuesOf(hour, name, agents[1]?.agentId)?.[0], exactMs(raw(1, all), share));
    }
  });
});

test('missing measurements are gaps, and absent events are zero', async () => {
  const agent = newAgent('a');
  await report(agent, 0, { requests: new Map([[0, 50]]) });
  await report(agent, 3, { errors: new Map([[errorKey(0, 7), 20]]) });
  await rollUpAll();
  const range = { toMs: startMs + 40 * SECOND_MS };
  expect(valuesOf(await query({ ...range, metric: 'rate.produced_bytes' }), 'value')).toEqual([
    1_024,
    null,
    null,
    1_024,
  ]);
  expect(valuesOf(await query({ ...range, metric: 'requests' }), 'api:0')).toEqual([5, null, null, 0]);
  expect(valuesOf(await query({ ...range, metric: 'errors' }), 'api:0:7')).toEqual([0, null, null, 2]);
  expect(valuesOf(await query(range), 'p50')).toEqual([null, null, null, null]);
});

test('sums bytes, connections and their intervals over agents', async () => {
  const agents = [newAgent('a'), newAgent('a'), newAgent('b')];
  for (const window of [0, 1, 2, 3, 4, 5]) {
    await Promise.all(agents.map((agent) => report(agent, window)));
  }
  await rollUpAll();
  const minute = { toMs: startMs + MINUTE_MS, maxPoints: 1 };
  expect(valuesOf(await query({ ...minute, metric: 'rate.produced_bytes' }), 'value')).toEqual([3_072]);
  expect(valuesOf(await query({ ...minute, metric: 'gauge.open_connections' }), 'value')).toEqual([21]);
  expect(valuesOf(await query({ ...minute, metric: 'gauge.open_connections', by: 'zone' }), 'value', 'a')).toEqual([
    14,
  ]);
});

test('answers many metrics as it answers each alone', async () => {
  const agents = [newAgent('a'), newAgent('b')];
  await Promise.all(agents.map((agent) => report(agent, 0, { ...latencySample(1), requests: new Map([[0, 50]]) })));
  await rollUpAll();
  const range = { clusterId: cluster.id, fromMs: startMs, toMs: startMs + MINUTE_MS, by: 'zone' } as const;
  const metrics = ['requests', 'latency.produce', 'rate.produced_bytes'] as const;
  const atMs = new Date(startMs + 10 * MINUTE_MS);
  const together = await tenant.run((scope) => queryClusterMetrics(scope, { ...range, metrics }), atMs);
  expect(together.series.map(({ metric }) => metric)).toEqual(metrics);
  for (const { metric, lines, unit, relativeError } of together.series) {
    const alone = await query({ ...range, metric });
    expect({ lines, unit, relativeError, stepMs: together.stepMs, startMs: together.startMs }).toEqual({
      lines: alone.lines,
      unit: alone.unit,
      relativeError: alone.relativeError,
      stepMs: alone.stepMs,
      startMs: alone.startMs,
    });
    expect(lines.some(({ values }) => values.some((value) => value !== null))).toBe(true);
  }
});

test('sums an organization’s own clusters over zones', async () => {
  await Promise.all(['a', 'b'].map((zone) => report(newAgent(zone), 0)));
  const quiet = await plane.newCluster(tenant);
  const stranger = await plane.newTenant();
  await plane.newCluster(stranger);
  await rollUpAll();
  const range = { fromMs: startMs, toMs: startMs + 20 * SECOND_MS };
  const read = (who: TestOrganization) =>
    who.run((scope) => queryOrganizationThroughput(scope, range), new Date(startMs + MINUTE_MS));
  expect(await read(tenant)).toMatchObject({
    steps: 2,
    omittedClusters: 0,
    clusters: [
      { clusterId: cluster.id, name: cluster.name, producedBytesPerS: [2_048, null], fetchedBytesPerS: [0, null] },
      { clusterId: quiet.id, producedBytesPerS: [null, null] },
    ],
  });
  expect((await read(stranger)).clusters.map(({ producedBytesPerS }) => producedBytesPerS)).toEqual([[null, null]]);
});

test('omits steps that are open or may still get reports', async () => {
  const { steps, stepMs } = await query({ toMs: startMs + 5 * MINUTE_MS }, startMs + MINUTE_MS);
  expect(steps * stepMs).toBe(40 * SECOND_MS);
});

test.each([
  ['an hour', MINUTE_MS * 60, '10s', 10 * SECOND_MS],
  ['a day', MINUTE_MS * 60 * 24, '1m', 4 * MINUTE_MS],
  ['thirty days', MINUTE_MS * 60 * 24 * 30, '1h', 2 * 60 * MINUTE_MS],
  ['a year', MINUTE_MS * 60 * 24 * 365, '1h', 25 * 60 * MINUTE_MS],
] as const)('%s is answered from a level that stores it, in few points', async (_what, rangeMs, level, stepMs) => {
  const series = await query({ fromMs: startMs - rangeMs, toMs: startMs }, startMs);
  expect(series).toMatchObject({ level, stepMs });
  expect(series.steps).toBeLessThanOrEqual(360);
  expect(stepMs % levelFacts[level].slotMs).toBe(0);
});

test('agents beyond the limit are counted, and can be requested', async () => {
  const agents = Array.from({ length: 53 }, () => newAgent('a'));
  await Promise.all(agents.map((agent) => report(agent, 0)));
  await rollUpAll();
  const range = { by: 'agent', metric: 'rate.produced_bytes', toMs: startMs + MINUTE_MS } as const;
  const first = await query(range);
  expect([first.lines.length, first.omittedAgents]).toEqual([50, 3]);
  const shown = new Set(first.lines.map(({ group }) => group));
  const omitted = agents.map(({ agentId }) => agentId).filter((agentId) => !shown.has(agentId));
  expect((await query({ ...range, agentIds: omitted })).lines.map(({ group }) => group).sort()).toEqual(omitted.sort());
});

test('each agent is shown with its newest report', async () => {
  const [first, second] = [newAgent('a'), newAgent('b')];
  await report(first, 0, { ...latencySample(1), requests: new Map([[0, 50]]) });
  await report(second, 0);
  await report(first, 1, { gauges: [{ sum: 9, min: 9, max: 9, readings: 1 }] });
  const readings = await tenant.run((scope) => latestAgentReadings(scope, { clusterId: cluster.id }), new Date(nowMs));
  const reading = readings.find(({ agentId }) => agentId === first.agentId);
  expect(readings).toHaveLength(2);
  expect(reading).toMatchObject({
    zone: 'a',
    openConnections: 9,
    producedBytesPerS: 1_024,
    requestsPerS: 2.5,
    cacheHitRatio: null,
  });
  expectClose(reading?.latencies.produce?.p99_ms, exactMs(latenciesOf(1), 0.99));
  expect(reading?.latencies.produce?.count).toBe(200);
  const later = await tenant.run(
    (scope) => latestAgentReadings(scope, { clusterId: cluster.id }),
    new Date(nowMs + MINUTE_MS),
  );
  expect(later).toEqual([]);
});

test('shares stage readings within an organization for 5 s', async () => {
  const agent = newAgent('a');
  await report(agent, 0, latencySample(1));
  const input = { clusterId: cluster.id, stages: ['produce'] } as const;
  const first = await tenant.run((scope) => sharedAgentReadings(scope, input), new Date(nowMs));
  expect(first.map(({ latencies }) => Object.keys(latencies))).toEqual([['produce']]);
  const none = await tenant.run(
    (scope) => sharedAgentReadings(scope, { ...input, stages: ['fetch'] }),
    new Date(nowMs),
  );
  expect(none.map(({ latencies }) => latencies)).toEqual([{}]);
  await report(newAgent('b'), 0);
  const readAt = (laterMs: number) =>
    tenant.run((scope) => sharedAgentReadings(scope, input), new Date(nowMs + laterMs));
  expect(await readAt(4_999)).toHaveLength(1);
  expect(await readAt(5_000)).toHaveLength(2);
  const stranger = await plane.newTenant();
  expect(await refusalOf(stranger.run((scope) => sharedAgentReadings(scope, input)))).toBe('cluster_not_found');
});

test('refuses foreign clusters and reversed ranges', async () => {
  await report(newAgent('a'), 0);
  const stranger = await plane.newTenant();
  const input = {
    clusterId: cluster.id,
    fromMs: startMs,
    toMs: startMs + MINUTE_MS,
    metric: 'requests',
    by: 'none',
  } as const;
  expect(await refusalOf(stranger.run((scope) => queryClusterSeries(scope, input)))).toBe('cluster_not_found');
  expect(await refusalOf(stranger.run((scope) => latestAgentReadings(scope, input)))).toBe('cluster_not_found');
  expect(await refusalOf(query({ fromMs: startMs, toMs: startMs }))).toBe('range_invalid');
});
