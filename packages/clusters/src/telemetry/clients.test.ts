// What clients pushed, end to end from agents' reports through the roll-ups to lists and lines.
import { newId } from '@penstock/platform';
import { type ClientSample, emptySample } from '@penstock/telemetry';
import { ReportStore, rollUpTelemetry } from '@penstock/telemetry-store';
import type { Scope } from '@penstock/tenancy';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@penstock/units';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Cluster } from '../cluster/cluster.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { forgetClusterTelemetry } from './forget-cluster-telemetry.ts';
import { listClients, queryClientSeries } from './query-clients.ts';

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

function pushed(instance: string, rate: number): ClientSample {
  return {
    software: [['apache-kafka-java', '4.3.1']],
    instances: [instance],
    metrics: new Map([['producer.record.send.rate', { readings: 1, sum: rate, max: rate }]]),
  };
}

const agents = [newId(), newId()];
const incarnations = [newId(), newId()];

/** A ten-second window of one of two agents. */
async function report(
  agent: number,
  window: number,
  clients: Record<string, ClientSample>,
  leftOutPushes = 0,
): Promise<void> {
  nowMs = Math.max(nowMs, startMs + (window + 1) * 10 * SECOND_MS);
  const reporter = {
    clusterId: cluster.id,
    organizationId: tenant.organizationId,
    incarnationId: incarnations[agent] ?? '',
    agentId: agents[agent] ?? '',
    zone: 'a',
    version: '0.1.0',
  };
  await store.store(reporter, nowMs - startMs, [
    {
      sequence: window + 1,
      startElapsedMs: window * 10 * SECOND_MS,
      durationMs: 10 * SECOND_MS,
      sample: { ...emptySample, windows: 1, durationMs: 10 * SECOND_MS },
      clients: new Map(Object.entries(clients)),
      leftOutPushes,
    },
  ]);
}

async function rollUpAll(): Promise<void> {
  while ((await rollUpTelemetry(pool, nowMs + 2 * HOUR_MS)) > 0) {}
}

function list(atMs = startMs + 10 * MINUTE_MS) {
  const input = { clusterId: cluster.id, fromMs: startMs, toMs: startMs + 5 * MINUTE_MS };
  return tenant.run((scope) => listClients(scope, input), new Date(atMs));
}

function series(clientId: string, maxPoints: number, atMs = startMs + 10 * MINUTE_MS) {
  const input = { clusterId: cluster.id, clientId, fromMs: startMs, toMs: startMs + HOUR_MS, maxPoints };
  return tenant.run((scope) => queryClientSeries(scope, input), new Date(atMs));
}

test('lists client IDs with software and distinct instances', async () => {
  await report(0, 0, { orders: pushed('a', 1), audit: pushed('x', 1) });
  await report(1, 0, { orders: pushed('b', 2) });
  await report(0, 3, { orders: pushed('a', 3) });
  expect(await list()).toEqual({
    clients: [
      {
        clientId: 'audit',
        software: [{ name: 'apache-kafka-java', version: '4.3.1' }],
        instances: 1,
        lastPushedAtMs: startMs,
        isProducer: true,
        isConsumer: false,
      },
      expect.objectContaining({ clientId: 'orders', instances: 2, lastPushedAtMs: startMs + 30 * SECOND_MS }),
    ],
    isTruncated: false,
    droppedPushes: 0,
  });
});

test('gives the same readings at every resolution', async () => {
  await report(0, 0, { orders: pushed('a', 1) });
  await report(1, 0, { orders: pushed('b', 2) });
  await report(0, 5, { orders: pushed('a', 6) });
  await report(0, 6, { orders: pushed('a', 11) });
  await rollUpAll();
  const fine = await series('orders', 360);
  expect(fine).toMatchObject({ level: '10s', startMs, stepMs: 10_000 });
  const line = { metric: 'producer.record.send.rate', unit: '1/s' };
  expect(fine.series.map(({ mean, max, ...rest }) => [rest, mean.slice(0, 7), max.slice(0, 7)])).toEqual([
    [line, [1.5, null, null, null, null, 6, 11], [2, null, null, null, null, 6, 11]],
  ]);
  const minutes = await series('orders', 60, startMs + 3 * DAY_MS);
  expect(minutes).toMatchObject({ level: '1m', stepMs: MINUTE_MS });
  expect(minutes.series[0]?.mean.slice(0, 3)).toEqual([3, 11, null]);
  const hours = await series('orders', 60, startMs + 40 * DAY_MS);
  expect(hours).toMatchObject({ level: '1h', series: [{ ...line, mean: [5], max: [11] }] });
  const late = await list(startMs + 3 * DAY_MS);
  expect(late.clients).toMatchObject([{ clientId: 'orders', instances: 2 }]);
});

test('keeps the first thousand client IDs in minutes and hours', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => [`app-${String(index).padStart(4, '0')}`, pushed('a', 1)]);
  await report(0, 0, Object.fromEntries(many));
  await report(1, 1, { 'another-app': pushed('b', 1), 'app-0001': pushed('b', 1) });
  await rollUpAll();
  for (const table of ['client_1m', 'client_1h']) {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS ids, min(client_id) AS first, max(client_id) AS last,
         max(jsonb_array_length(sample->'instances')) AS instances
       FROM telemetry.${table} WHERE cluster_id = $1`,
      [cluster.id],
    );
    expect(rows, table).toEqual([{ ids: 1_000, first: 'app-0000', last: 'app-0999', instances: 2 }]);
  }
});

test('a client ID without pushes has no series', async () => {
  await report(0, 0, { orders: pushed('a', 1) });
  expect((await series('other', 60)).series).toEqual([]);
});

/** Ten-second samples, each with fifty instances. */
async function fill(clientIds: number, slots: number): Promise<void> {
  // Makes the partitions of the day.
  await report(0, 0, {});
  await pool.query(
    `INSERT INTO telemetry.client_10s (cluster_id, slot, client_id, agent_no, seq, sample)
     SELECT $1, $2::timestamptz + slot * interval '10 s', 'app-' || client, 1, slot, jsonb_build_object(
       'software', jsonb_build_array(jsonb_build_array('librdkafka', '2.12.' || slot % 20)),
       'instances', (SELECT jsonb_agg(md5(client::text || i)) FROM generate_series(1, 50) AS i),
       'metrics', (SELECT jsonb_object_agg(m, jsonb_build_array(1, 2.5, 2.5)) FROM generate_series(1, 25) AS m))
     FROM generate_series(1, $3::int) AS client, generate_series(0, $4::int - 1) AS slot`,
    [cluster.id, new Date(startMs), clientIds, slots],
  );
}

/** Runs a use-case. Returns its result and the number of bytes read from the database. */
async function withBytesRead<T>(work: (scope: Scope) => Promise<T>, atMs: number): Promise<[T, bytes: number]> {
  let bytes = 0;
  const result = await tenant.run((scope) => {
    const tx = new Proxy(scope.tx, {
      get: (target, name, receiver) => {
        if (name !== '$queryRaw') {
          return Reflect.get(target, name, receiver);
        }
        return async (...query: Parameters<typeof target.$queryRaw>) => {
          const rows = await target.$queryRaw(...query);
          bytes += JSON.stringify(rows).length;
          return rows;
        };
      },
    });
    return work({ ...scope, tx });
  }, new Date(atMs));
  return [result, bytes];
}

test('lists recent client IDs with few reads for any range', async () => {
  await fill(1_200, 9);
  const input = { clusterId: cluster.id, fromMs: startMs, toMs: startMs + 5 * MINUTE_MS };
  const [{ clients, isTruncated }, bytes] = await withBytesRead(
    (scope) => listClients(scope, input),
    startMs + 10 * MINUTE_MS,
  );
  expect(clients).toHaveLength(1_000);
  expect(isTruncated).toBe(true);
  expect(clients[0]).toMatchObject({ instances: 50, isProducer: true, isConsumer: true });
  expect(clients[0]?.software).toHaveLength(8);
  expect(bytes).toBeLessThan(1_000_000);
});

test('reads one value per step for any number of agents', async () => {
  await fill(1, 300);
  await pool.query(
    `INSERT INTO telemetry.client_10s SELECT cluster_id, slot, client_id, agent, seq, sample
     FROM telemetry.client_10s, generate_series(2, 20) AS agent WHERE cluster_id = $1`,
    [cluster.id],
  );
  const input = { clusterId: cluster.id, clientId: 'app-1', fromMs: startMs, toMs: startMs + HOUR_MS, maxPoints: 60 };
  const [{ series: lines }, bytes] = await withBytesRead(
    (scope) => queryClientSeries(scope, input),
    startMs + 2 * HOUR_MS,
  );
  expect(lines).toHaveLength(25);
  expect(lines[0]?.mean.slice(0, 51)).toEqual([...new Array<number>(50).fill(2.5), null]);
  expect(bytes).toBeLessThan(500_000);
});

test('shows another organization neither cluster nor clients', async () => {
  await report(0, 0, { orders: pushed('a', 1) });
  const other = await plane.newTenant();
  const input = { clusterId: cluster.id, fromMs: startMs, toMs: startMs + MINUTE_MS };
  expect(await refusalOf(other.run((scope) => listClients(scope, input)))).toBe('cluster_not_found');
  const rows = await other.run((scope) => scope.tx.$queryRaw`SELECT 1 FROM telemetry.client_10s`);
  expect(rows).toEqual([]);
});

test('caps bytes per hour and reports drops once', async () => {
  const usual = store;
  store = new ReportStore({
    pool,
    nowMs: () => nowMs,
    gatheringMs: 1,
    clientBytesPerHour: 2_000,
    onNotRecorded: () => undefined,
  });
  try {
    for (const window of [0, 1, 2, 2]) {
      await report(0, window, Object.fromEntries(['a', 'b', 'c'].map((id) => [id, pushed('x', 1)])));
    }
    const kept = await pool.query(
      `SELECT count(*)::int AS kept, sum(octet_length(client_id) + pg_column_size(sample) + 100)::int AS bytes
       FROM telemetry.client_10s WHERE cluster_id = $1`,
      [cluster.id],
    );
    const [{ kept: rows, bytes } = { kept: 0, bytes: 0 }] = kept.rows as { kept: number; bytes: number }[];
    expect(rows).toBeGreaterThan(3);
    expect(rows).toBeLessThan(9);
    expect(bytes).toBeLessThanOrEqual(2_000);
    expect((await list()).droppedPushes).toBe(9 - rows);
    expect(store.droppedPushes).toBe(9 - rows);
    await report(0, 360, { a: pushed('x', 1) });
    expect(store.droppedPushes).toBe(9 - rows);
    const other = await plane.newCluster(tenant);
    cluster = other;
    await report(1, 0, { a: pushed('x', 1) });
    expect((await list()).droppedPushes).toBe(0);
  } finally {
    store = usual;
  }
});

test('pushes that an agent left out count as dropped', async () => {
  await report(0, 0, { orders: pushed('a', 1) }, 7);
  expect(await list()).toMatchObject({ clients: [{ clientId: 'orders' }], droppedPushes: 7 });
});

test('a purged cluster leaves nothing behind', async () => {
  await report(0, 0, { orders: pushed('a', 1) });
  await rollUpAll();
  const { rowCount } = await pool.query('SELECT 1 FROM telemetry.client_1h WHERE cluster_id = $1', [cluster.id]);
  expect(rowCount).toBe(1);
  await plane.database.$transaction((tx) => forgetClusterTelemetry(tx, cluster.id));
  for (const table of ['client_10s', 'client_1m', 'client_1h', 'client_hour']) {
    const left = await pool.query(`SELECT 1 FROM telemetry.${table} WHERE cluster_id = $1`, [cluster.id]);
    expect(left.rowCount, table).toBe(0);
  }
});
