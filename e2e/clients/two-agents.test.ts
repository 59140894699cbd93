// Agents are stateless: an agent serves what another wrote, and killing one loses nothing acknowledged.
import { Kafka, KafkaJSAggregateError, KafkaJSProtocolError, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confluentKafkaPython, goTools, kafkaPython } from '../../infra/local/tools.ts';
import { clients, pythonFolder } from './support/clients.ts';
import { kafkaTool } from './support/java-tools.ts';
import { faultsOf, lostAcknowledgements, makeValues } from './support/records.ts';
import { run } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';
import { startTraffic } from './support/traffic.ts';

let system: TestSystem;
const [kcat] = clients;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}, {}] });
});
afterAll(() => system.stop());

function bootstraps(): [string, string] {
  const [first, second] = system.agents;
  return [first?.bootstrap ?? '', second?.bootstrap ?? ''];
}

test('one agent serves what was produced through the other', async () => {
  const [first, second] = bootstraps();
  const values = makeValues(2_000);
  await createTopic(first, 'across', 6);
  await kcat?.produce(first, 'across', values, 'lz4');
  expect(faultsOf((await kcat?.consume(second, 'across', values.length)) ?? [], values)).toEqual([]);
});

async function listedByKafkajs(kafka: Kafka): Promise<string[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return (await admin.listGroups()).groups.map(({ groupId }) => groupId);
  } finally {
    await admin.disconnect();
  }
}

test('each group and transaction is listed once by all', async () => {
  const [first, second] = bootstraps();
  await createTopic(first, 'listed', 1);
  const groups = Array.from({ length: 8 }, (_, index) => `listed-${index}`);
  const kafka = new Kafka({ brokers: [first, second], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  for (const groupId of groups) {
    await admin.setOffsets({ groupId, topic: 'listed', partitions: [{ partition: 0, offset: '0' }] });
  }
  await admin.disconnect();
  const producer = kafka.producer({ transactionalId: 'listed', maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic: 'listed', messages: [{ value: 'a' }] });
  await transaction.commit();
  await producer.disconnect();

  // The choice of the agent that answers depends on the client's id.
  for (const clientId of ['one', 'two', 'three', 'four']) {
    const client = new Kafka({ clientId, brokers: [first], logLevel: logLevel.NOTHING });
    expect((await listedByKafkajs(client)).sort(), clientId).toEqual(groups);
  }
  const printed = async (python: string, script: string): Promise<string[]> =>
    (await run(python, [`${pythonFolder}/${script}`, first])).trim().split('\n').sort();
  expect(await printed(await confluentKafkaPython(), 'list_groups_confluent_kafka.py')).toEqual(groups);
  expect(await printed(await kafkaPython(), 'list_groups_kafka_python.py')).toEqual(groups);
  // The libraries of kminion, topicctl and kafka_exporter: a group that is listed twice makes an exporter fail.
  for (const library of ['franz-go', 'kafka-go', 'sarama']) {
    const listed = await run(await goTools(), ['list-groups', library, first]);
    expect(listed.trim().split('\n').sort(), library).toEqual(groups);
  }
  const transactions = await kafkaTool('kafka-transactions', ['--bootstrap-server', first, 'list']);
  expect(transactions.match(/^listed\b/gm)).toHaveLength(1);
});

test("kafka-go's Client.Fetch reads a topic in several requests", async () => {
  const [first, second] = bootstraps();
  await createTopic(first, 'fetched', 1);
  const values = makeValues(500);
  await kcat?.produce(first, 'fetched', values, 'lz4');
  for (const bootstrap of [first, second]) {
    const printed = await run(await goTools(), ['fetch', bootstrap, 'fetched']);
    const expected = values.map((value, offset) => `${offset} ${value}`);
    expect(printed.trim().split('\n'), bootstrap).toEqual(expected);
  }
});

/** The first protocol error of a call that is to fail. */
async function errorOf(call: Promise<unknown>): Promise<string | undefined> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => (error instanceof KafkaJSAggregateError ? error.errors[0] : error),
  );
  return failure instanceof KafkaJSProtocolError ? failure.type : undefined;
}

// On another agent than clients see.
test('each API refuses to place partitions elsewhere', async () => {
  const [first, second] = bootstraps();
  await createTopic(first, 'placed', 1);
  const admin = new Kafka({ brokers: [first, second], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: ['placed'] });
    const shown = topics[0]?.partitions[0]?.leader;
    const { brokers } = await admin.describeCluster();
    const others = brokers.map(({ nodeId }) => nodeId).filter((nodeId) => nodeId !== shown);
    expect(others).toHaveLength(1);
    const place = (replicas: number[], topic: string): (() => Promise<unknown>)[] => [
      () => admin.createTopics({ topics: [{ topic, replicaAssignment: [{ partition: 0, replicas }] }] }),
      () => admin.createPartitions({ topicPartitions: [{ topic: 'placed', count: 2, assignments: [replicas] }] }),
      () =>
        admin.alterPartitionReassignments({
          topics: [{ topic: 'placed', partitionAssignment: [{ partition: 0, replicas }] }],
        }),
    ];
    for (const attempt of place(others, 'placed-elsewhere')) {
      expect(await errorOf(attempt())).toBe('INVALID_REPLICA_ASSIGNMENT');
    }
    for (const attempt of place([shown ?? -1], 'placed-as-shown')) {
      await attempt();
    }
  } finally {
    await admin.disconnect();
  }
});

// While idempotent producers send.
test('a killed agent loses and duplicates nothing acknowledged', async () => {
  const [first, second] = bootstraps();
  await createTopic(first, 'killed', 12);
  const traffic = await startTraffic({ bootstrap: `${first},${second}`, topic: 'killed' });
  await traffic.flows(2_000);
  await system.agents[0]?.process.kill();
  await traffic.flows(2_000);

  const { acknowledged, values } = await traffic.stop();
  const consumed = (await kcat?.consume(second, 'killed', values.length)) ?? [];
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(faultsOf(consumed, values)).toEqual([]);
});

// Nothing is lost, and it exits in time.
test('an agent stopped under load answers before it exits', async () => {
  const [, second] = bootstraps();
  const third = await system.startAgent();
  await createTopic(second, 'stopped', 12);
  const traffic = await startTraffic({ bootstrap: `${second},${third.bootstrap}`, topic: 'stopped' });
  await traffic.flows(2_000);
  expect(await third.process.stop()).toEqual({ wasKilled: false });
  await traffic.flows(2_000);

  const { acknowledged, values } = await traffic.stop();
  const consumed = (await kcat?.consume(second, 'stopped', values.length)) ?? [];
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(faultsOf(consumed, values)).toEqual([]);
  expect(system.deaths).toEqual([]);
});
