// A running agent's measurements as the control plane returns them: from real produce requests through report, storage and roll-up.
import { type AgentReading, latestAgentReadings, queryClusterSeries } from '@penstock/clusters';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const PRODUCERS = 20;
/** How long each producer starts new requests. Those under way then still end within two windows of ten seconds, however slow. */
const SEND_FOR_MS = 3_000;
/** The documented error of the histograms. */
const RELATIVE_ERROR = 1 / 64;
/** How long the agent collects a file: its first request waits for all of that on any machine. */
const FLUSH_INTERVAL_MS = 250;

let system: TestSystem;
let clusterId: string;

beforeAll(async () => {
  // No file is sealed early, so that every request waits for the interval and the stages add up to more than noise.
  const env = { PENSTOCK_FLUSH_INTERVAL_MS: String(FLUSH_INTERVAL_MS), PENSTOCK_PUT_BUDGET_PER_HOUR: '0' };
  system = await startTestSystem({ hasWorker: true, agents: [{ env }] });
  clusterId = system.demo?.clusterId ?? '';
});
afterAll(() => system.stop());

/** Sends records, and returns the client's latency of each in milliseconds, ascending. */
async function produceAndTime(bootstrap: string): Promise<number[]> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const latenciesMs: number[] = [];
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: 'timed', numPartitions: 4 }] });
  await admin.disconnect();
  const clients = Array.from({ length: PRODUCERS }, () => kafka.producer());
  await Promise.all(clients.map((client) => client.connect()));
  try {
    await Promise.all(
      clients.map(async (client) => {
        const untilMs = performance.now() + SEND_FOR_MS;
        for (let began = performance.now(); began < untilMs; began = performance.now()) {
          await client.send({ topic: 'timed', messages: [{ value: 'x'.repeat(500) }] });
          latenciesMs.push(performance.now() - began);
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.disconnect()));
  }
  return latenciesMs.sort((left, right) => left - right);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

async function readAgent(): Promise<AgentReading | undefined> {
  const readings = await inDemoOrganization(system, (scope) => latestAgentReadings(scope, { clusterId }));
  return readings[0];
}

/** The bounds of the agent's histogram bucket that contains this quantile, in milliseconds. */
async function boundsOfAgent(sends: number, share: number): Promise<{ above_ms: number; upToMs: number }> {
  const text = await (await fetch(`${system.agents[0]?.httpUrl}/metrics`)).text();
  const buckets = [...text.matchAll(/^penstock_agent_produce_stage_seconds_bucket\{(.*)\} (\d+)/gm)]
    .filter(([, labels]) => labels?.includes('stage="request"'))
    .map(([, labels, count]) => ({
      upToMs: Number(/le="([^"]+)"/.exec(labels ?? '')?.[1] ?? 'NaN') * 1_000,
      count: Number(count),
    }));
  const reached = buckets.findIndex(({ count }) => count >= Math.ceil(sends * share));
  return { above_ms: buckets[reached - 1]?.upToMs ?? 0, upToMs: buckets[reached]?.upToMs ?? Number.NaN };
}

// Within the documented error, and no client measured less.
test('produce percentiles match the agent’s own', async () => {
  const clientMs = await produceAndTime(system.agents[0]?.bootstrap ?? '');
  const sends = clientMs.length;
  let reading: AgentReading | undefined;
  await until(
    'all requests are reported, and the offset of the clock, which the agent knows from the answer to its first report on',
    async () => {
      reading = await readAgent();
      return reading?.latencies.produce?.count === sends && typeof reading.clockOffset_ms === 'number';
    },
  );
  const produce = reading?.latencies.produce;
  for (const [share, toldMs] of [
    [0.5, produce?.p50_ms ?? Number.NaN],
    [0.95, produce?.p95_ms ?? Number.NaN],
    [0.99, produce?.p99_ms ?? Number.NaN],
  ] as const) {
    console.log(`p${share * 100}: clients ${quantile(clientMs, share).toFixed(1)} ms, told ${toldMs.toFixed(1)} ms`);
    // The client's time includes the agent's. The rest depends on the machine's load.
    expect(toldMs).toBeLessThanOrEqual(quantile(clientMs, share) * (1 + RELATIVE_ERROR));
    const { above_ms: aboveMs, upToMs } = await boundsOfAgent(sends, share);
    expect(toldMs).toBeGreaterThanOrEqual(aboveMs * (1 - RELATIVE_ERROR));
    expect(toldMs).toBeLessThanOrEqual(upToMs * (1 + RELATIVE_ERROR));
  }
  // One request of each file waits for the whole collection, and a file holds at most one of each producer: at least one in twenty.
  expect(produce?.p99_ms).toBeGreaterThanOrEqual(FLUSH_INTERVAL_MS * (1 - RELATIVE_ERROR));
  expect(reading).toMatchObject({ refusedReports: 0, waitingReports: 0 });
  expect(Math.abs(reading?.clockOffset_ms ?? Number.NaN)).toBeLessThan(5_000);

  // The chart has as many requests as were sent, in the slots in which they were sent.
  await until('the slots are rolled up', async () => {
    const now = Date.now();
    const { lines, stepMs } = await inDemoOrganization(system, (scope) =>
      queryClusterSeries(scope, { clusterId, fromMs: now - 600_000, toMs: now, metric: 'requests', by: 'none' }),
    );
    const values = lines.find(({ name }) => name === 'api:0')?.values ?? [];
    return Math.round(values.reduce<number>((sum, perS) => sum + ((perS ?? 0) * stepMs) / 1_000, 0)) === sends;
  });
});
