// The limits of a Dev cluster with real clients: partitions beyond it are refused with what to do, and producers are slowed down to it, by
// bytes before compression. A change of the mode is noticed without a restart.
import { createMetadataAdmin, type MetadataAdmin, updateCluster } from '@penstock/clusters';
import { CompressionTypes, Kafka, logLevel, type Producer } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { startKafkaTool } from './support/java-tools.ts';
import { until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

const MIB = 1024 ** 2;
/** Each send; compressible, so that little data crosses the network. */
const SEND_MIB = 8;
const SENDS_AT_ONCE = 5;
const VOLUME_MIB = 240;
const LIMIT_MIB_PER_SECOND = 10;
/** The burst that Kafka's throttling allows after a pause: the limit over its ten windows. */
const BURST_MIB = 10 * LIMIT_MIB_PER_SECOND;

let system: TestSystem;
let metadata: MetadataAdmin;
let bootstrap = '';
let clusterId = '';

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
  bootstrap = system.agents[0]?.bootstrap ?? '';
  clusterId = system.demo?.clusterId ?? '';
  metadata = createMetadataAdmin({ urls: system.metadata.map(({ adminUrl }) => adminUrl), keys: system.adminKeys });
  await createTopic(bootstrap, 'data', 1);
});
afterAll(async () => {
  metadata?.close();
  await system.stop();
});

async function changeMode(mode: 'dev' | 'standard'): Promise<void> {
  await inDemoOrganization(system, (scope) => updateCluster(scope, metadata, { clusterId, mode }));
}

/** Runs Kafka’s tool and returns its output, including errors. */
async function topics(...args: string[]): Promise<string> {
  const tool = await startKafkaTool('kafka-topics', ['--bootstrap-server', bootstrap, ...args]);
  await tool.exited;
  return tool.stdout() + tool.stderr();
}

/** Whether a topic with this many partitions could be created. */
async function fits(numPartitions: number): Promise<boolean> {
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
  await admin.connect();
  try {
    await admin.createTopics({
      validateOnly: true,
      waitForLeaders: false,
      topics: [{ topic: 'wide', numPartitions, replicationFactor: 1 }],
    });
    return true;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
}

/** How many seconds it takes to write so much. */
async function secondsToWrite(producer: Producer, mib: number): Promise<number> {
  const messages = Array.from({ length: SEND_MIB }, () => ({ value: Buffer.alloc(MIB - 1_024, 'x') }));
  const send = () => producer.send({ topic: 'data', messages, compression: CompressionTypes.GZIP });
  const startedMs = performance.now();
  for (let written = 0; written < mib; written += SENDS_AT_ONCE * SEND_MIB) {
    await Promise.all(Array.from({ length: SENDS_AT_ONCE }, send));
  }
  return (performance.now() - startedMs) / 1_000;
}

/** For how long the agent held producers because of the mode. */
async function throttledSeconds(): Promise<number> {
  const metrics = await (await fetch(`${system.agents[0]?.httpUrl}/metrics`)).text();
  const [, seconds] = /^penstock_agent_throttle_seconds_total\{quota="cluster_mode"\} (\S+)$/m.exec(metrics) ?? [];
  return Number(seconds);
}

// And with the limit and the present number.
test('partitions beyond the limit are refused with a remedy', async () => {
  expect(await fits(1_000)).toBe(true);
  await changeMode('dev');
  await until('the service knows the mode', async () => !(await fits(1_000)));
  expect(await fits(999)).toBe(true);
  const text =
    'A Dev cluster has at most 1000 partitions; this one has 1, and 1200 more were requested. Delete topics, or change the mode of the cluster to Standard in its settings.';
  expect(await topics('--create', '--topic', 'wide', '--partitions', '1200')).toContain(text);
  expect(await topics('--alter', '--topic', 'data', '--partitions', '1001')).toContain(
    'this one has 1, and 1000 more were requested',
  );
});

// Before compression, while the cluster is a Dev cluster.
test('producers are slowed down to 10 MiB/s and told so', async () => {
  const producer = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    expect(await throttledSeconds()).toBe(0);
    // What is in flight at the end has not been held yet.
    const beyondMib = VOLUME_MIB - BURST_MIB - 2 * SENDS_AT_ONCE * SEND_MIB;
    expect(await secondsToWrite(producer, VOLUME_MIB)).toBeGreaterThan(beyondMib / LIMIT_MIB_PER_SECOND);
    const held = await throttledSeconds();
    expect(held).toBeGreaterThan(0);
    await until('the owner heard of it', async () => {
      const { writeThrottle } = await metadata.getClusterView(clusterId);
      return writeThrottle?.maxWrittenBytesPerSecond === BigInt(LIMIT_MIB_PER_SECOND * MIB);
    });
    await changeMode('standard');
    await until('the service knows the mode', () => fits(1_000));
    await until('the agent knows it too', async () => {
      const before = await throttledSeconds();
      await secondsToWrite(producer, 1);
      return (await throttledSeconds()) === before;
    });
    const before = await throttledSeconds();
    await secondsToWrite(producer, VOLUME_MIB);
    expect(await throttledSeconds()).toBe(before);
    expect((await metadata.getClusterView(clusterId)).writeThrottle).toBeUndefined();
  } finally {
    await producer.disconnect();
  }
});
