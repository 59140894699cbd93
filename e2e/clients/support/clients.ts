// A common interface to every client under test: send all values, receive a number of records.
import { join } from 'node:path';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { confluentKafkaPython, franzGoClient } from '../../../infra/local/tools.ts';
import { kafkaTool } from './java-tools.ts';
import { type Consumed, parseConsumed, valuesFile } from './records.ts';
import { run } from './run.ts';

export type Codec = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

export interface ClientUnderTest {
  name: string;
  /** Codecs that the client supports. */
  codecs: Codec[];
  produce(bootstrap: string, topic: string, values: string[], codec: Codec): Promise<void>;
  /** The first `count` records of the topic, from all partitions. */
  consume(bootstrap: string, topic: string, count: number): Promise<Consumed[]>;
}

const allCodecs: Codec[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const pythonFolder = join(import.meta.dirname, '..', 'python');

const kcat: ClientUnderTest = {
  name: 'kcat',
  codecs: allCodecs,
  produce: async (bootstrap, topic, values, codec) => {
    const input = values.map((value, index) => `${index} ${value}\n`).join('');
    await run('kcat', ['-P', '-b', bootstrap, '-t', topic, '-K', ' ', '-z', codec, '-X', 'enable.idempotence=true'], {
      input,
    });
  },
  consume: async (bootstrap, topic, count) =>
    parseConsumed(
      await run('kcat', [
        '-C',
        '-b',
        bootstrap,
        '-t',
        topic,
        '-o',
        'beginning',
        '-c',
        String(count),
        '-q',
        '-f',
        '%p %o %s\n',
      ]),
    ),
};

const confluentKafka: ClientUnderTest = {
  name: 'confluent-kafka',
  codecs: allCodecs,
  produce: async (bootstrap, topic, values, codec) => {
    const file = await valuesFile(values);
    try {
      await run(await confluentKafkaPython(), [join(pythonFolder, 'produce.py')], {
        input: produceSettings({ bootstrap, topic, valuesFile: file.path, client: { 'compression.type': codec } }),
      });
    } finally {
      await file.remove();
    }
  },
  consume: async (bootstrap, topic, count) =>
    parseConsumed(
      await run(await confluentKafkaPython(), [join(pythonFolder, 'consume.py')], {
        input: consumeSettings({ bootstrap, topic, group: `all-${topic}`, count }),
      }),
    ),
};

const consoleTools: ClientUnderTest = {
  name: 'Java console tools',
  codecs: allCodecs,
  produce: async (bootstrap, topic, values, codec) => {
    const file = await valuesFile(values);
    try {
      await kafkaTool(
        'kafka-console-producer',
        ['--bootstrap-server', bootstrap, '--topic', topic, '--compression-codec', codec],
        { inputFile: file.path },
      );
    } finally {
      await file.remove();
    }
  },
  consume: async (bootstrap, topic, count) => {
    const printed = await kafkaTool('kafka-console-consumer', [
      '--bootstrap-server',
      bootstrap,
      '--topic',
      topic,
      '--from-beginning',
      '--max-messages',
      String(count),
      '--timeout-ms',
      '60000',
      ...['print.partition=true', 'print.offset=true', 'key.separator= '].flatMap((property) => [
        '--formatter-property',
        property,
      ]),
    ]);
    return parseConsumed(printed.replaceAll(/^Partition:(\d+) Offset:(\d+) /gm, '$1 $2 '));
  },
};

const kafkajs: ClientUnderTest = {
  name: 'kafkajs',
  codecs: ['none', 'gzip'],
  produce: async (bootstrap, topic, values, codec) => {
    const producer = new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.NOTHING }).producer({
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    try {
      const batchSize = 1_000;
      for (let from = 0; from < values.length; from += batchSize) {
        const messages = values.slice(from, from + batchSize).map((value, at) => ({ key: String(from + at), value }));
        const compression = codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None;
        await producer.send({ topic, messages, compression });
      }
    } finally {
      await producer.disconnect();
    }
  },
  consume: async (bootstrap, topic, count) => {
    const consumer = new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.NOTHING }).consumer({
      groupId: `js-${topic}`,
    });
    const consumed: Consumed[] = [];
    await consumer.connect();
    try {
      await consumer.subscribe({ topic, fromBeginning: true });
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`kafkajs got ${consumed.length} of ${count} records`)),
          180_000,
        );
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        consumer
          .run({
            eachMessage: async ({ partition, message }) => {
              consumed.push({
                partition,
                offset: Number(message.offset),
                value: message.value?.toString('latin1') ?? '',
              });
              if (consumed.length === count) {
                clearTimeout(timer);
                resolve();
              }
            },
          })
          .catch(reject);
      });
    } finally {
      await consumer.disconnect();
    }
    return consumed;
  },
};

const franzGo: ClientUnderTest = {
  name: 'franz-go',
  codecs: allCodecs,
  produce: async (bootstrap, topic, values, codec) => {
    const file = await valuesFile(values);
    try {
      const args = ['produce', '-bootstrap', bootstrap, '-topic', topic, '-values', file.path, '-codec', codec];
      await run(await franzGoClient(), args);
    } finally {
      await file.remove();
    }
  },
  consume: async (bootstrap, topic, count) =>
    parseConsumed(
      await run(await franzGoClient(), ['consume', '-bootstrap', bootstrap, '-topic', topic, '-count', String(count)]),
    ),
};

export const clients: ClientUnderTest[] = [kcat, confluentKafka, consoleTools, kafkajs, franzGo];

/** Settings of python/produce.py, sent as one line. */
export function produceSettings(settings: {
  bootstrap: string;
  topic: string;
  valuesFile: string;
  client?: Record<string, string | number>;
  flushEach?: boolean;
  /** Sends at this rate until its standard input closes; without it, sends the file once. */
  recordsPerS?: number;
  timeout_s?: number;
}): string {
  return `${JSON.stringify({
    bootstrap: settings.bootstrap,
    topic: settings.topic,
    values_file: settings.valuesFile,
    records_per_s: settings.recordsPerS ?? null,
    client: { 'enable.idempotence': 'true', 'linger.ms': 20, ...settings.client },
    flush_each: settings.flushEach ?? false,
    timeout_s: settings.timeout_s ?? 150,
  })}\n`;
}

/** Settings of python/consume.py, sent as one line. */
export function consumeSettings(settings: {
  bootstrap: string;
  topic: string;
  group: string;
  /** Null: until it is killed. */
  count: number | null;
  client?: Record<string, string | number>;
  timeout_s?: number;
}): string {
  return `${JSON.stringify({
    bootstrap: settings.bootstrap,
    topic: settings.topic,
    group: settings.group,
    count: settings.count,
    client: settings.client ?? {},
    timeout_s: settings.timeout_s ?? 150,
  })}\n`;
}

export { pythonFolder };
