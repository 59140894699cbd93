// What a running agent measures, as the control plane tells it: from real produce requests through report, storage and roll-up.
import { type AgentReading, latestAgentReadings, queryClusterSeries } from '@penstock/clusters';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const producers = 20;
/** For how long each producer begins new requests: what is then under way still ends within two windows of ten seconds, however slow. */
const sendFor_ms = 3_000;
/** The stated error of the histograms. */
const relativeError = 1 / 64;
/** For how long the agent gathers a file: the first request in it waits for all of that, whatever the machine. */
const flushInterval_ms = 250;

let system: TestSystem;
let clusterId: string;

beforeAll(async () => {
  const env = { PENSTOCK_FLUSH_INTERVAL_MS: String(flushInterval_ms) };
  system = await startTestSystem({ hasWorker: true, agents: [{ env }] });
  clusterId = system.demo?.clusterId ?? '';
});
afterAll(() => system.stop());

/** Sends, and returns how long each took for the client, in milliseconds, shortest first. */
async function produceAndTime(bootstrap: string): Promise<number[]> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const latencies_ms: number[] = [];
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: 'timed', numPartitions: 4 }] });
  await admin.disconnect();
  const clients = Array.from({ length: producers }, () => kafka.producer());
  await Promise.all(clients.map((client) => client.connect()));
  try {
    await Promise.all(
      clients.map(async (client) => {
        const until_ms = performance.now() + sendFor_ms;
        for (let began = performance.now(); began < until_ms; began = performance.now()) {
          await client.send({ topic: 'timed', messages: [{ value: 'x'.repeat(500) }] });
          latencies_ms.push(performance.now() - began);
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.disconnect()));
  }
  return latencies_ms.sort((left, right) => left - right);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

async function readAgent(): Promise<AgentReading | undefined> {
  const readings = await inDemoOrganization(system, (scope) => latestAgentReadings(scope, { clusterId }));
  return readings[0];
}

/** Between which bounds of the agent's own histogram a share of so many requests is reached, in milliseconds. */
async function boundsOfAgent(sends: number, share: number): Promise<{ above_ms: number; upTo_ms: number }> {
  const text = await (await fetch(`${system.agents[0]?.httpUrl}/metrics`)).text();
  const buckets = [...text.matchAll(/^penstock_agent_produce_stage_seconds_bucket\{(.*)\} (\d+)/gm)]
    .filter(([, labels]) => labels?.includes('stage="request"'))
    .map(([, labels, count]) => ({
      upTo_ms: Number(/le="([^"]+)"/.exec(labels ?? '')?.[1] ?? 'NaN') * 1_000,
      count: Number(count),
    }));
  const reached = buckets.findIndex(({ count }) => count >= Math.ceil(sends * share));
  return { above_ms: buckets[reached - 1]?.upTo_ms ?? 0, upTo_ms: buckets[reached]?.upTo_ms ?? Number.NaN };
}

test('the percentiles of produce requests are those of the agent itself within the stated error, and no client waited for less', async () => {
  const client_ms = await produceAndTime(system.agents[0]?.bootstrap ?? '');
  const sends = client_ms.length;
  let reading: AgentReading | undefined;
  await until(
    'all requests are reported, and the offset of the clock, which the agent knows from the answer to its first report on',
    async () => {
      reading = await readAgent();
      return reading?.latencies.produce?.count === sends && typeof reading.clockOffset_ms === 'number';
    },
  );
  const produce = reading?.latencies.produce;
  for (const [share, told_ms] of [
    [0.5, produce?.p50_ms ?? Number.NaN],
    [0.95, produce?.p95_ms ?? Number.NaN],
    [0.99, produce?.p99_ms ?? Number.NaN],
  ] as const) {
    console.log(`p${share * 100}: clients ${quantile(client_ms, share).toFixed(1)} ms, told ${told_ms.toFixed(1)} ms`);
    // The client's time holds the agent's. What else it holds is the machine's business: how busy it is, nobody knows.
    expect(told_ms).toBeLessThanOrEqual(quantile(client_ms, share) * (1 + relativeError));
    const { above_ms, upTo_ms } = await boundsOfAgent(sends, share);
    expect(told_ms).toBeGreaterThanOrEqual(above_ms * (1 - relativeError));
    expect(told_ms).toBeLessThanOrEqual(upTo_ms * (1 + relativeError));
  }
  // One request of each file has waited for all of its gathering, and no file holds more than one of each producer: at least one in twenty.
  expect(produce?.p99_ms).toBeGreaterThanOrEqual(flushInterval_ms * (1 - relativeError));
  expect(reading).toMatchObject({ refusedReports: 0, waitingReports: 0 });
  expect(Math.abs(reading?.clockOffset_ms ?? Number.NaN)).toBeLessThan(5_000);

  // And in the chart: as many requests as were sent, in the slots in which they were.
  await until('the slots are rolled up', async () => {
    const now = Date.now();
    const { lines, stepMs } = await inDemoOrganization(system, (scope) =>
      queryClusterSeries(scope, { clusterId, fromMs: now - 600_000, toMs: now, metric: 'requests', by: 'none' }),
    );
    const values = lines.find(({ name }) => name === 'api:0')?.values ?? [];
    return Math.round(values.reduce<number>((sum, perS) => sum + ((perS ?? 0) * stepMs) / 1_000, 0)) === sends;
  });
});
