// Low-latency mode with a landing bucket in each of three zones, each on an S3 server of its own: what is acknowledged is there and in order,
// whatever happens to the buckets and however the mode changes while records flow, and files do not stay in the landing buckets.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LyingS3, startLyingS3 } from './support/lying-s3.ts';
import { lostAcknowledgements } from './support/records.ts';
import { until } from './support/run.ts';
import { allS3Operations, type S3Server, startS3Server } from './support/s3-server.ts';
import { shortWindows } from './support/short-windows.ts';
import { storedBatches } from './support/stored-batches.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';
import { startTraffic, type Traffic } from './support/traffic.ts';

const ZONES = ['zone-a', 'zone-b', 'zone-c'] as const;
const TOPIC = 'landing';
const PARTITIONS = 3;

let standard: S3Server;
let landing: S3Server[];
/** In front of the landing bucket of the first zone. */
let liar: LyingS3;
let system: TestSystem;

beforeAll(async () => {
  [standard, ...landing] = await Promise.all([startS3Server(), ...ZONES.map(() => startS3Server())]);
  for (const server of [standard, ...landing]) {
    await server.account.allow(allS3Operations);
  }
  liar = await startLyingS3(landing[0]?.endpoint ?? '');
  const endpoints = [liar.url, ...landing.slice(1).map(({ endpoint }) => endpoint)];
  const buckets = landing.map(
    ({ bucket }, index) =>
      `${ZONES[index]}=s3://${bucket}/cluster?endpoint=${encodeURIComponent(endpoints[index] ?? '')}`,
  );
  const { bucket, env } = standard.forAgents();
  system = await startTestSystem({
    agents: ZONES.map((zone) => ({ zone, bucket, env: { ...env, PENSTOCK_LANDING_BUCKET: buckets.join(';') } })),
    metadataEnv: shortWindows,
  });
  await setMode('low-latency');
});
afterAll(async () => {
  await system?.stop();
  await liar?.close();
  await Promise.all([standard, ...landing].map((server) => server?.stop()));
});

// Modes change meanwhile, and files leave the buckets.
test('landing buckets may fail without loss or reordering', async () => {
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  await createTopic(bootstrap, TOPIC, PARTITIONS);
  const traffic = await startTraffic({ bootstrap, topic: TOPIC });
  await until('files land', async () => (await landed()).every((count) => count > 0));
  await traffic.flows(4_000);
  note(traffic, 'no fault');

  const [first, second, third] = landing;
  await second?.kill();
  await traffic.flows(4_000);
  note(traffic, 'one landing bucket is gone');
  await second?.restart();

  third?.signal('SIGSTOP');
  await traffic.flows(4_000);
  note(traffic, 'one landing bucket hangs');
  third?.signal('SIGCONT');

  liar.setLying(true);
  await traffic.flows(4_000);
  note(traffic, 'one landing bucket lies about success');
  expect(liar.lies()).toBeGreaterThan(0);
  liar.setLying(false);

  const fallbacks = await filesNotLanded();
  await Promise.all([first?.kill(), second?.kill()]);
  await traffic.flows(4_000);
  note(traffic, 'two landing buckets are gone');
  expect(await filesNotLanded()).toBeGreaterThan(fallbacks);
  await Promise.all([first?.restart(), second?.restart()]);

  for (const mode of ['standard', 'low-latency'] as const) {
    await setMode(mode);
    await traffic.flows(8_000);
    note(traffic, `the mode becomes ${mode}`);
  }
  for (const value of ['standard', 'low', 'cluster']) {
    await setLatency(bootstrap, value);
    await traffic.flows(4_000);
    note(traffic, `penstock.latency becomes ${value}`);
  }
  const { acknowledged, values } = await traffic.stop();

  for (const agent of system.agents) {
    const stored = await storedBatches(agent.bootstrap, TOPIC, PARTITIONS);
    expect(stored.flatMap((batch) => batch.values).sort()).toEqual([...values].sort());
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      // Each value begins with its number.
      const inPartition = stored.filter((batch) => batch.partition === partition).flatMap((batch) => batch.values);
      expect(inPartition).toEqual([...inPartition].sort());
    }
  }
  expect(acknowledged.length).toBe(values.length);
  // What a bucket got without an answer before it was killed may stay, as an orphan.
  await until('the files have moved to the standard bucket', async () => (await landed()).every((count) => count <= 3));
  expect(system.deaths).toEqual([]);
}, 300_000);

// It was killed between its two writes.
test('others read what a killed agent had acknowledged', async () => {
  const topic = 'killed';
  const [victim, other, third] = system.agents;
  await createTopic(other?.bootstrap ?? '', topic, PARTITIONS);
  const traffic = await startTraffic({
    bootstrap: [victim, other, third].map((agent) => agent?.bootstrap).join(','),
    topic,
    client: { 'message.timeout.ms': 60_000 },
  });
  await traffic.flows(2_000);
  // Its own bucket has its last files, and no other one has.
  for (const server of landing.slice(1)) {
    server.signal('SIGSTOP');
  }
  await sleep(200);
  await victim?.process.kill();
  for (const server of landing.slice(1)) {
    server.signal('SIGCONT');
  }
  await traffic.flows(2_000);
  note(traffic, 'an agent is killed');
  const { acknowledged, values } = await traffic.stop();
  const stored = await storedBatches(other?.bootstrap ?? '', topic, PARTITIONS);
  const consumed = stored.flatMap(({ partition, baseOffset, values: inBatch }) =>
    inBatch.map((value, index) => ({ partition, offset: Number(baseOffset) + index, value })),
  );
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(consumed.map(({ value }) => value).sort()).toEqual([...values].sort());
}, 120_000);

test('a topic cannot have low latency in a cluster of another mode', async () => {
  const bootstrap = system.agents[1]?.bootstrap ?? '';
  await setMode('standard');
  const refusal = (): Promise<string> =>
    setLatency(bootstrap, 'cluster')
      .then(() => setLatency(bootstrap, 'low'))
      .then(() => '', String);
  await until('the mode is known', async () => (await refusal()).includes('Configuration is invalid'));
});

/** Objects in each landing bucket. */
async function landed(): Promise<number[]> {
  const objects = await Promise.all(landing.map((server) => server.objects()));
  return objects.map((names) => names.filter((name) => name.endsWith('.batches')).length);
}

async function setMode(mode: 'standard' | 'low-latency'): Promise<void> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query('update virtual_cluster set mode = $1 where id = $2', [mode, system.demo?.clusterId]);
  } finally {
    await client.end();
  }
}

async function setLatency(bootstrap: string, value: string): Promise<void> {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING, retry: { retries: 1 } }).admin();
  await admin.connect();
  try {
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: 2, name: TOPIC, configEntries: [{ name: 'penstock.latency', value }] }],
    });
  } finally {
    await admin.disconnect();
  }
}

/** Files that the agents wrote to the standard bucket, because fewer than two landing buckets worked. */
async function filesNotLanded(): Promise<number> {
  const counts = await Promise.all(
    system.agents.map(async ({ httpUrl }) => {
      const text = await (await fetch(`${httpUrl}/metrics`)).text();
      return Number(/^penstock_agent_landing_fallbacks_total (\d+)$/m.exec(text)?.[1]);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function note(traffic: Traffic, when: string): void {
  console.log(`longest time without an acknowledgement, ${when}: ${Math.round(traffic.takeLongestGapMs())} ms`);
}
