// Client metrics (KIP-714): real clients push as a subscription asks, and what they pushed arrives in the API by client ID.
import { join } from 'node:path';
import { listClients, queryClientSeries } from '@penstock/clusters';
import { MINUTE_MS } from '@penstock/units';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { inDemoOrganization } from './support/accounts.ts';
import { pythonFolder } from './support/clients.ts';
import { kafkaTool, startKafkaTool } from './support/java-tools.ts';
import { type RunningProgram, start, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const TOPIC = 'pushed';
const INTERVAL_MS = 1_000;
/** Records per second of the Java producer. */
const RATE = 200;

let system: TestSystem;
let bootstrap: string;
let clusterId: string;
const programs: RunningProgram[] = [];

beforeAll(async () => {
  system = await startTestSystem({ hasWorker: true });
  bootstrap = system.agents[0]?.bootstrap ?? '';
  clusterId = system.demo?.clusterId ?? '';
});
afterAll(async () => {
  for (const { child } of programs) {
    child.kill('SIGKILL');
  }
  await Promise.all(programs.map(({ exited }) => exited));
  await system.stop();
});

async function produceFromJava(clientId: string): Promise<void> {
  const args = ['--bootstrap-server', bootstrap, '--topic', TOPIC, '--record-size', '100'];
  const endless = ['--num-records', '10000000', '--throughput', String(RATE)];
  const properties = ['--command-property', `client.id=${clientId}`];
  programs.push(await startKafkaTool('kafka-producer-perf-test', [...args, ...endless, ...properties]));
}

async function consumeFromJava(clientId: string): Promise<void> {
  const args = ['--bootstrap-server', bootstrap, '--topic', TOPIC, '--group', clientId];
  const properties = ['--command-property', `client.id=${clientId}`];
  programs.push(await startKafkaTool('kafka-console-consumer', [...args, ...properties]));
}

function range() {
  const nowMs = Date.now();
  return { clusterId, fromMs: nowMs - 10 * MINUTE_MS, toMs: nowMs };
}

async function seriesOf(clientId: string) {
  const { series } = await inDemoOrganization(system, (scope) => queryClientSeries(scope, { ...range(), clientId }));
  return new Map(series.map(({ metric, max }) => [metric as string, Math.max(...max.map((value) => value ?? 0))]));
}

test('exactly the subscribed clients push metrics', async () => {
  const subscribe = ['--bootstrap-server', bootstrap, '--alter', '--generate-name', '--metrics', 'org.apache.kafka.'];
  const matching = ['--interval', String(INTERVAL_MS), '--match', 'client_id=pushing-.*'];
  await kafkaTool('kafka-client-metrics', [...subscribe, ...matching]);
  await kafkaTool('kafka-topics', ['--bootstrap-server', bootstrap, '--create', '--topic', TOPIC]);

  const python = [join(pythonFolder, 'push_metrics.py'), bootstrap, TOPIC, 'pushing-librdkafka'];
  programs.push(start(await confluentKafkaPython(), python));
  await produceFromJava('pushing-java-producer');
  await consumeFromJava('pushing-java-consumer');
  await produceFromJava('quiet-java-producer');

  const metricsOfAll = ['connection.creation.rate', 'node.request.latency.avg', 'node.request.latency.max'];
  const expected = {
    'pushing-java-producer': [
      ...metricsOfAll.map((name) => `producer.${name}`),
      ...['producer.record.queue.time.avg', 'producer.record.queue.time.max', 'producer.record.send.rate'],
    ],
    'pushing-java-consumer': [
      ...metricsOfAll.map((name) => `consumer.${name}`),
      ...['consumer.fetch.manager.fetch.latency.avg', 'consumer.fetch.manager.fetch.latency.max'],
      ...['consumer.fetch.manager.records.consumed.rate', 'consumer.poll.idle.ratio.avg'],
      ...['consumer.coordinator.assigned.partitions', 'consumer.coordinator.rebalance.latency.avg'],
    ],
    'pushing-librdkafka': [
      ...metricsOfAll.flatMap((name) => [`producer.${name}`, `consumer.${name}`]),
      ...['producer.record.queue.time.avg', 'producer.record.queue.time.max'],
      ...['consumer.coordinator.assigned.partitions', 'consumer.fetch.manager.fetch.latency.avg'],
    ],
  };
  for (const [clientId, metrics] of Object.entries(expected)) {
    await until(`${clientId} has pushed its metrics`, async () => {
      const found = await seriesOf(clientId);
      return metrics.every((metric) => found.has(metric));
    });
  }

  const { clients } = await inDemoOrganization(system, (scope) => listClients(scope, range()));
  const java = [{ name: 'apache-kafka-java', version: '4.3.1' }];
  expect(clients).toMatchObject([
    { clientId: 'pushing-java-consumer', software: java, instances: 1, isProducer: false, isConsumer: true },
    { clientId: 'pushing-java-producer', software: java, instances: 1, isProducer: true, isConsumer: false },
    {
      clientId: 'pushing-librdkafka',
      software: [{ name: expect.stringContaining('confluent-kafka') }],
      instances: 2,
      isProducer: true,
      isConsumer: true,
    },
  ]);
  const producer = await seriesOf('pushing-java-producer');
  expect(producer.get('producer.record.send.rate')).toBeGreaterThan(1);
  expect(producer.get('producer.record.send.rate')).toBeLessThan(2 * RATE);
  expect(producer.get('producer.node.request.latency.avg')).toBeGreaterThan(0);
  const latencyMax = (await seriesOf('pushing-librdkafka')).get('producer.node.request.latency.max') ?? 0;
  // Milliseconds, as in Java: a unit off by a thousand would show.
  expect(latencyMax).toBeGreaterThan(0);
  expect(latencyMax).toBeLessThan(60_000);
});
