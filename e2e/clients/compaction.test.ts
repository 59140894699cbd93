// Topics with cleanup.policy=compact: agents keep the last record of each key, and every client reads exactly what is left, at its original
// offset.
import { Kafka, logLevel, type Message } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kafkaTool } from './support/java-tools.ts';
import { run, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** Files wait a minute for others to merge with, then partitions are checked every 15 s. */
const LONGEST_MS = 300_000;
const KEYS = 100;

interface KeyedRecord {
  offset: number;
  key: string | null;
  value: string | null;
}

let system: TestSystem;
let bootstrap: string;
let kafka: Kafka;

beforeAll(async () => {
  // Agents that serve clients cache nothing that they write or read, so each fetch reads the current files.
  const serves = { env: { PENSTOCK_ROLES: 'produce,consume', PENSTOCK_CACHE_BYTES: '0' } };
  const compacts = { env: { PENSTOCK_ROLES: 'jobs' } };
  system = await startTestSystem({ agents: [serves, compacts] });
  bootstrap = system.agents[0]?.bootstrap ?? '';
  kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
});
afterAll(() => system.stop());

async function createTopics(topics: Record<string, string>): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  const due = { 'segment.ms': '1', 'min.cleanable.dirty.ratio': '0' };
  await admin.createTopics({
    topics: Object.entries(topics).map(([topic, policy]) => ({
      topic,
      numPartitions: 1,
      configEntries: Object.entries({ ...due, 'cleanup.policy': policy }).map(([name, value]) => ({ name, value })),
    })),
  });
  await admin.disconnect();
}

async function setPolicy(topic: string, policy: string): Promise<void> {
  const entity = ['--bootstrap-server', bootstrap, '--entity-type', 'topics', '--entity-name', topic];
  await kafkaTool('kafka-configs', [...entity, '--alter', '--add-config', `cleanup.policy=[${policy}]`]);
}

type Written = Omit<KeyedRecord, 'offset'>;

/** One record of each key. */
function recordsOf(round: string): Written[] {
  return Array.from({ length: KEYS }, (_, key) => ({ key: `k${key}`, value: `${round}-${key}` }));
}

/** Lines of key and value, as both command-line producers read them. */
function lines(round: string): string {
  return recordsOf(round)
    .map(({ key, value }) => `${key}:${value}\n`)
    .join('');
}

/** The content of a partition before it is compacted. */
function history(...records: Written[]): KeyedRecord[] {
  return records.map((record, offset) => ({ offset, ...record }));
}

async function produceByKcat(topic: string, input: string, codec: string): Promise<void> {
  await run('kcat', ['-P', '-b', bootstrap, '-t', topic, '-K', ':', '-Z', '-z', codec], { input });
}

async function produceByJava(topic: string, input: string, codec: string): Promise<void> {
  const reader = ['parse.key=true', 'key.separator=:'].flatMap((property) => ['--reader-property', property]);
  const to = ['--bootstrap-server', bootstrap, '--topic', topic, '--compression-codec', codec];
  await kafkaTool('kafka-console-producer', [...to, ...reader], { input });
}

async function produceByKafkajs(topic: string, messages: Message[]): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages });
  await producer.disconnect();
}

async function readByKcat(topic: string): Promise<KeyedRecord[]> {
  const format = ['-f', '%o\t%K\t%k\t%S\t%s\n'];
  const printed = await run('kcat', ['-C', '-b', bootstrap, '-t', topic, '-o', 'beginning', '-e', '-q', ...format]);
  const rows = printed.split('\n').filter((line) => line !== '');
  return rows.map((row) => {
    const [offset, keyBytes, key, valueBytes, value] = row.split('\t');
    return {
      offset: Number(offset),
      key: keyBytes === '-1' ? null : (key ?? null),
      value: valueBytes === '-1' ? null : (value ?? null),
    };
  });
}

async function readByJava(topic: string, count: number): Promise<KeyedRecord[]> {
  const formats = ['print.offset=true', 'print.key=true', 'key.separator=:', 'null.literal=<null>'];
  const printed = await kafkaTool('kafka-console-consumer', [
    ...['--bootstrap-server', bootstrap, '--topic', topic, '--from-beginning', '--max-messages', String(count)],
    ...['--timeout-ms', '60000', ...formats.flatMap((property) => ['--formatter-property', property])],
  ]);
  const orNull = (text: string | undefined) => (text === undefined || text === '<null>' ? null : text);
  const rows = [...printed.matchAll(/^Offset:(\d+):([^:]*):(.*)$/gm)];
  return rows.map(([, offset, key, value]) => ({ offset: Number(offset), key: orNull(key), value: orNull(value) }));
}

async function readByKafkajs(topic: string, count: number): Promise<KeyedRecord[]> {
  const consumer = kafka.consumer({ groupId: `reads-${topic}` });
  const records: KeyedRecord[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message: { offset, key, value } }) => {
      records.push({ offset: Number(offset), key: key?.toString() ?? null, value: value?.toString() ?? null });
    },
  });
  await until(`kafkajs has read ${count} records of ${topic}`, () => records.length >= count);
  await consumer.disconnect();
  return records;
}

/** A reference compaction by hand; the last record always stays. */
function compacted(records: KeyedRecord[]): KeyedRecord[] {
  const last = new Map(records.map(({ key, offset }) => [key, offset]));
  return records.filter(
    ({ key, offset }) => (key !== null && last.get(key) === offset) || offset === records.at(-1)?.offset,
  );
}

// For every writer and reader.
test(
  'keeps each key’s last record at its offset',
  async () => {
    await createTopics({ latest: 'compact', both: 'compact,delete', switched: 'delete', back: 'compact' });
    await produceByKafkajs('switched', [{ value: 'without a key' }, { key: 'k0', value: 'old' }]);
    // Until its policy changes, nothing in it can be compacted away: each key is there once.
    await produceByKcat('back', lines('first'), 'lz4');
    await setPolicy('back', 'delete');
    await produceByKcat('back', lines('second'), 'gzip');
    for (const topic of ['latest', 'both', 'switched']) {
      await produceByKcat(topic, lines('first'), 'lz4');
      await produceByKcat(topic, lines('second'), 'gzip');
    }
    await produceByJava('latest', lines('third'), 'snappy');
    await produceByKcat('latest', lines('fourth'), 'zstd');
    // The last one uses a codec that kafkajs supports.
    await produceByJava('latest', lines('fifth'), 'gzip');
    const deletions = Array.from({ length: 10 }, (_, key) => ({ key: `k${key}`, value: null }));
    await produceByKafkajs('latest', [...deletions, { key: 'k99', value: 'the very last', headers: { h: 'v' } }]);
    // Not read back, because a read may come after the first compaction.
    const written = {
      latest: history(...['first', 'second', 'third', 'fourth', 'fifth'].flatMap(recordsOf), ...deletions, {
        key: 'k99',
        value: 'the very last',
      }),
      both: history(...recordsOf('first'), ...recordsOf('second')),
      switched: history(
        { key: null, value: 'without a key' },
        { key: 'k0', value: 'old' },
        ...recordsOf('first'),
        ...recordsOf('second'),
      ),
      back: history(...recordsOf('first'), ...recordsOf('second')),
    };
    expect(await readByKcat('switched')).toEqual(written.switched);
    await setPolicy('switched', 'compact');

    for (const topic of ['latest', 'both', 'switched'] as const) {
      const expected = compacted(written[topic]);
      await until(
        `${topic} is compacted`,
        async () => (await readByKcat(topic)).length === expected.length,
        LONGEST_MS,
      );
      expect(await readByKcat(topic), `kcat reads ${topic}`).toEqual(expected);
      expect(await readByKafkajs(topic, expected.length), `kafkajs reads ${topic}`).toEqual(expected);
    }
    const latest = compacted(written.latest);
    expect(await readByJava('latest', latest.length), 'Java reads latest').toEqual(latest);
    expect(latest.filter(({ value }) => value === null)).toHaveLength(10);
    expect(latest.at(-1)).toMatchObject({ key: 'k99', value: 'the very last' });
    expect(await readByKcat('back'), 'a topic that is no longer compacted').toEqual(written.back);

    await expect(produceByKafkajs('switched', [{ value: 'without a key' }])).rejects.toThrow();
    await setPolicy('switched', 'delete');
    await produceByKafkajs('switched', [{ value: 'without a key' }]);
    expect((await readByKcat('switched')).at(-1)).toMatchObject({ key: null, value: 'without a key' });
    expect(system.deaths).toEqual([]);
  },
  2 * LONGEST_MS,
);
