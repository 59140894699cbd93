// Rolls reports up to minutes and hours in a real PostgreSQL.
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import {
  counterOf,
  decodeSample,
  emptySample,
  encodeSample,
  latencyOf,
  latencyStages,
  mergeSamples,
  quantileUs,
  RELATIVE_ERROR,
  type Sample,
  sketchOf,
} from '@penstock/telemetry';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@penstock/units';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dropExpiredPartitions, ensurePartitions } from './partitions.ts';
import { ReportStore } from './report-store.ts';
import { rollUpTelemetry } from './roll-up.ts';

/** Start of a full hour. */
const startMs = Date.parse('2026-11-21T10:00:00Z');

let database: TestDatabase;
let pool: Pool;
let clusterId: string;
let nowMs = startMs;
let store: ReportStore;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 6 });
  // Dropping the database breaks connections that are still closing.
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('DELETE FROM telemetry.due');
  clusterId = randomUUID();
  nowMs = startMs;
  store = newStore();
});

function newStore(): ReportStore {
  return new ReportStore({
    pool,
    nowMs: () => nowMs,
    gatheringMs: 1,
    onNotRecorded: (error) => {
      throw error;
    },
  });
}

/** Latencies that differ by window and by agent. */
function latenciesOf(agent: number, window: number): number[] {
  return Array.from(
    { length: 40 },
    (_, index) => 1_000 + ((agent * 7_919 + window * 104_729 + index * 1_299_709) % 900_000),
  );
}

function sampleOf(agent: number, window: number): Sample {
  return {
    ...emptySample,
    windows: 1,
    durationMs: 10 * SECOND_MS,
    counters: [1_000 + agent],
    gauges: [{ sum: agent, min: agent, max: agent, readings: 1 }],
    latencies: [
      { stage: latencyStages.produce, topicClass: 0, store: 's3', sketch: sketchOf(latenciesOf(agent, window)) },
    ],
  };
}

const incarnations = Array.from({ length: 4 }, () => randomUUID());

/** Sends a window of an agent, as it would arrive then or later. Agents 0 and 1 are in zone a, the others in b. */
async function send(
  agent: number,
  window: number,
  sentAtMs: number = startMs + (window + 1) * 10 * SECOND_MS,
): Promise<void> {
  nowMs = sentAtMs;
  const { refused } = await store.store(
    {
      clusterId,
      organizationId: 'org',
      incarnationId: incarnations[agent] ?? '',
      agentId: `agent-${agent}`,
      zone: agent < 2 ? 'a' : 'b',
      version: '0.1.0',
    },
    sentAtMs - startMs,
    [
      {
        sequence: window + 1,
        startElapsedMs: window * 10 * SECOND_MS,
        durationMs: 10 * SECOND_MS,
        sample: sampleOf(agent, window),
      },
    ],
  );
  expect(refused).toEqual([]);
}

async function stored(table: string): Promise<{ slot: string; owner: string; hex: string; sample: Sample }[]> {
  const owner = table.startsWith('zone') ? 'zone' : 'agent_id';
  const join = table.startsWith('zone') ? '' : 'JOIN telemetry.agent USING (agent_no)';
  const { rows } = await pool.query<{ slot: Date; owner: string; sample: Buffer }>(
    `SELECT slot, ${owner} AS owner, sample FROM telemetry.${table} AS kept ${join} WHERE kept.cluster_id = $1 ORDER BY slot, owner`,
    [clusterId],
  );
  return rows.map(({ slot, owner: of, sample }) => ({
    slot: slot.toISOString().slice(11, 19),
    owner: of,
    hex: sample.toString('hex'),
    sample: decodeSample(sample),
  }));
}

async function everything(): Promise<string> {
  const tables = ['zone_10s', 'agent_1m', 'zone_1m', 'agent_1h', 'zone_1h'];
  return JSON.stringify(
    await Promise.all(
      tables.map(async (table) => (await stored(table)).map(({ slot, owner, hex }) => [slot, owner, hex])),
    ),
  );
}

const laterMs = startMs + HOUR_MS + 10 * 60 * SECOND_MS;

async function rollUpAll(): Promise<void> {
  while ((await rollUpTelemetry(pool, laterMs)) > 0) {}
}

const windows = Array.from({ length: 12 }, (_, window) => window);
const agents = [0, 1, 2, 3];

test('minutes, hours and zones aggregate all their reports', async () => {
  for (const window of windows) {
    await Promise.all(agents.map((agent) => send(agent, window)));
  }
  await rollUpAll();
  const whole = (of: number[], subset: number[]) =>
    Buffer.from(
      encodeSample(mergeSamples(of.flatMap((agent) => subset.map((window) => sampleOf(agent, window))))),
    ).toString('hex');
  expect((await stored('agent_1m')).map(({ slot, owner, hex }) => [slot, owner, hex])).toEqual(
    [0, 6].flatMap((first) =>
      agents.map((agent) => [
        first === 0 ? '10:00:00' : '10:01:00',
        `agent-${agent}`,
        whole([agent], windows.slice(first, first + 6)),
      ]),
    ),
  );
  expect((await stored('zone_1h')).map(({ slot, owner, hex }) => [slot, owner, hex])).toEqual([
    ['10:00:00', 'a', whole([0, 1], windows)],
    ['10:00:00', 'b', whole([2, 3], windows)],
  ]);
  expect(await stored('zone_10s')).toHaveLength(24);
  expect(await stored('agent_1h')).toHaveLength(4);
});

test('an hour’s percentile matches raw latencies within the error', async () => {
  for (const window of windows) {
    await Promise.all(agents.map((agent) => send(agent, window)));
  }
  await rollUpAll();
  const raw = agents
    .flatMap((agent) => windows.flatMap((window) => latenciesOf(agent, window)))
    .sort((left, right) => left - right);
  const hour = latencyOf(mergeSamples((await stored('zone_1h')).map(({ sample }) => sample)), latencyStages.produce);
  for (const share of [0.5, 0.95, 0.99, 0.999]) {
    const exact = raw[Math.ceil(raw.length * share) - 1] ?? Number.NaN;
    expect(Math.abs((quantileUs(hour, share) ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR);
  }
});

// Out of order, twice, and after their minute was rolled up.
test('reports in any order roll up to the same bytes', async () => {
  for (const window of windows) {
    await Promise.all(agents.map((agent) => send(agent, window)));
  }
  await rollUpAll();
  const expected = await everything();

  clusterId = randomUUID();
  const order = agents
    .flatMap((agent) => windows.map((window) => ({ agent, window })))
    .sort((left, right) => ((left.window * 5 + left.agent * 3) % 7) - ((right.window * 5 + right.agent * 3) % 7));
  for (const agent of agents) {
    await send(agent, 0);
  }
  for (const [index, { agent, window }] of order.entries()) {
    await send(agent, window, startMs + 30 * 60 * SECOND_MS + index);
    if (index % 10 === 0) {
      await rollUpAll();
    }
    if (index % 3 === 0) {
      await send(agent, window, startMs + 40 * 60 * SECOND_MS + index);
    }
  }
  await rollUpAll();
  expect(await everything()).toBe(expected);
});

test('repeated and concurrent roll-ups change nothing', async () => {
  for (const window of windows) {
    await Promise.all(agents.map((agent) => send(agent, window)));
  }
  await pool.query(
    `CREATE TABLE IF NOT EXISTS due_before AS SELECT * FROM telemetry.due WHERE false;
     INSERT INTO due_before SELECT * FROM telemetry.due`,
  );
  await rollUpAll();
  const expected = await everything();
  await pool.query('INSERT INTO telemetry.due SELECT * FROM due_before; DROP TABLE due_before');
  await Promise.all([rollUpTelemetry(pool, laterMs), rollUpTelemetry(pool, laterMs), rollUpTelemetry(pool, laterMs)]);
  await rollUpAll();
  expect(await everything()).toBe(expected);
  expect((await pool.query('SELECT 1 FROM telemetry.due')).rowCount).toBe(0);
});

test('a report stored during the roll-up of its slot is not lost', async () => {
  for (const round of [0, 1, 2, 3, 4, 5]) {
    await Promise.all([
      ...agents.map((agent) => send(agent, round, startMs + 5 * 60 * SECOND_MS)),
      rollUpTelemetry(pool, laterMs),
      rollUpTelemetry(pool, laterMs),
    ]);
  }
  await rollUpAll();
  const zones = await stored('zone_1m');
  expect(zones.map(({ owner, sample }) => [owner, sample.windows, counterOf(sample, 'produced_bytes')])).toEqual([
    ['a', 12, 12_006],
    ['b', 12, 12_030],
  ]);
});

test('each level expires with its partitions once rolled up', async () => {
  await ensurePartitions(pool, startMs);
  await ensurePartitions(pool, startMs);
  const tables = async (like: string): Promise<string[]> => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'telemetry'::regnamespace AND relkind = 'r' AND relname LIKE $1 ORDER BY 1`,
      [like],
    );
    return rows.map(({ name }) => name);
  };
  expect(await tables('agent_10s_%')).toEqual([21, 22, 23, 24].map((day) => `agent_10s_202611${day}`));
  expect(await tables('zone_1h_%')).toEqual(['zone_1h_202611']);
  const dueMs = startMs - HOUR_MS;
  await pool.query(`INSERT INTO telemetry.due VALUES ('10s', $1, $2)`, [new Date(dueMs), clusterId]);
  expect(await dropExpiredPartitions(pool, startMs + 30 * DAY_MS)).toEqual([]);
  await pool.query('DELETE FROM telemetry.due');
  expect(await dropExpiredPartitions(pool, startMs + 2 * DAY_MS)).toEqual([]);
  expect((await dropExpiredPartitions(pool, startMs + 3 * DAY_MS)).sort()).toEqual([
    'agent_10s_20261121',
    'client_10s_20261121',
    'zone_10s_20261121',
  ]);
  await dropExpiredPartitions(pool, startMs + 41 * DAY_MS);
  expect(await tables('%_1m_%')).toEqual([]);
  expect(await tables('%_1h_%')).toEqual(['agent_1h_202611', 'client_1h_202611', 'zone_1h_202611']);
  await dropExpiredPartitions(pool, startMs + 411 * DAY_MS);
  expect(await tables('%_1h_%')).toEqual([]);
  // A report after that still finds a partition.
  await send(0, 0);
  expect(await stored('agent_10s')).toHaveLength(1);
});
