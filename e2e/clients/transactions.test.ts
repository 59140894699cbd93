// Transactions with the clients that people use. With PENSTOCK_E2E_TARGET=kafka the same tests run against Apache Kafka.
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { expect, inject, test } from 'vitest';
import { confluentKafkaPython, franzGoClient, javaClassPath } from '../../infra/local/tools.ts';
import { run } from './support/run.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
const folder = join(import.meta.dirname, 'transactions');
/** Names are new in each run, so that a system may be used again. */
const suffix = process.pid;

function factsOf(printed: string): Record<string, string> {
  const lines = printed.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

test('Java, by protocol version 2, sees only whole transactions', async () => {
  const classPath = await javaClassPath(join(folder, 'java/TransactionsClient.java'));
  const printed = await run('java', [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath],
    ...['TransactionsClient', bootstrap, `java-${suffix}`],
  ]);
  const numbers = (parity: number): string => [...Array(10).keys()].map((half) => `${2 * half + parity}!`).join(',');
  expect(factsOf(printed)).toEqual({
    'end.committed.open': '0,0',
    'end.uncommitted.open': '3,3',
    'read.committed.open': ';',
    'described.state': 'Ongoing',
    'described.partitions': '2',
    'described.started': 'true',
    listed: '1',
    producers: '1',
    'producers.start': '0',
    'waits.open': 'true',
    woken: 'true',
    'read.committed': 'first0,first1,first2,second0,second1,second2;first0,first1,first2',
    'read.uncommitted':
      'first0,first1,first2,aborted0,aborted1,aborted2,second0,second1,second2;first0,first1,first2,aborted0,aborted1,aborted2',
    // Each end of a transaction takes an offset.
    'end.committed': '12,8',
    'end.uncommitted': '12,8',
    'offset.open': 'unstable',
    offset: '20',
    transformed: `${numbers(0)};${numbers(1)}`,
    fenced: 'ProducerFencedException',
    'read.fenced': 'successor0,successor1,successor2',
    late: 'InvalidTxnStateException',
    'read.late': '',
    'end.late': '4',
  });
});

// By the first version of the protocol.
test('confluent-kafka transforms each record exactly once', async () => {
  const [input, output] = [`confluent-in-${suffix}`, `confluent-out-${suffix}`];
  await createTopic(bootstrap, input, 1);
  await createTopic(bootstrap, output, 1);
  const values = [...Array(12).keys()].map((number) => `value-${number}`);
  const producer = kafka().producer();
  await producer.connect();
  await producer.send({ topic: input, messages: values.map((value) => ({ value })) });
  await producer.disconnect();
  const settings = { bootstrap, input, output, count: values.length, name: `confluent-${suffix}` };
  const printed = await run(await confluentKafkaPython(), [join(folder, 'confluent_kafka_transactions.py')], {
    input: `${JSON.stringify(settings)}\n`,
  });
  expect(printed.trim().split('\n')).toEqual(values.map((value) => `${value}!`));
});

// In a session of a group.
test('franz-go transforms each record exactly once despite aborts', async () => {
  const [input, output] = [`franz-in-${suffix}`, `franz-out-${suffix}`];
  await createTopic(bootstrap, input, 2);
  await createTopic(bootstrap, output, 2);
  const values = [...Array(60).keys()].map((number) => `value-${number}`);
  const producer = kafka().producer();
  await producer.connect();
  await producer.send({ topic: input, messages: values.map((value) => ({ value })) });
  await producer.disconnect();
  const names = ['-topic', input, '-output', output, '-group', `franz-${suffix}`, '-id', `franz-${suffix}`];
  const printed = await run(await franzGoClient(), [
    ...['transform', '-bootstrap', bootstrap, '-count', String(values.length)],
    ...names,
  ]);
  expect(printed).toBe(`committed true aborted true records ${values.length}\n`);
  const written = await run('kcat', [
    ...['-C', '-b', bootstrap, '-t', output, '-X', 'isolation.level=read_committed'],
    ...['-o', 'beginning', '-e', '-q', '-f', '%s\n'],
  ]);
  expect(written.trim().split('\n').sort()).toEqual(values.map((value) => `${value}!`).sort());
});

test('kafkajs commits and aborts records and offsets', async () => {
  const topic = `kafkajs-${suffix}`;
  const groupId = `kafkajs-${suffix}`;
  await createTopic(bootstrap, topic, 1);
  const producer = kafka().producer({ transactionalId: `kafkajs-${suffix}`, idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  for (const [value, offset] of [
    ['one', '7'],
    ['aborted', '8'],
    ['two', '9'],
  ] as const) {
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value }] });
    const topics = [{ topic, partitions: [{ partition: 0, offset }] }];
    await transaction.sendOffsets({ consumerGroupId: groupId, topics });
    await (value === 'aborted' ? transaction.abort() : transaction.commit());
  }
  await producer.disconnect();
  const admin = kafka().admin();
  await admin.connect();
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
  expect(committed?.partitions.map(({ offset }) => offset)).toEqual(['9']);
  await admin.disconnect();
  expect(await read(topic, 2)).toEqual(['one', 'two']);
});

function kafka(): Kafka {
  return new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.NOTHING });
}

/** The first values of a topic at read_committed, the default of kafkajs. */
async function read(topic: string, count: number): Promise<string[]> {
  const consumer = kafka().consumer({ groupId: `reader-of-${topic}` });
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const eachMessage = async ({ message }: { message: { value: Buffer | null } }): Promise<void> => {
      values.push(String(message.value));
      if (values.length >= count) {
        resolve();
      }
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return values;
}
