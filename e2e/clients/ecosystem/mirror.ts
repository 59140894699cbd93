// MirrorMaker 2 from an Apache Kafka to Penstock, exactly once: records, and the configs of topics. It is killed while it copies.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { type KafkaBroker, startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { kafkaEcosystemJars, kafkaJars } from '../../../infra/local/tools.ts';
import { run, until } from '../support/run.ts';
import { JavaProgram } from './java-program.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const TOPIC = 'mirrored';
/** Kafka's code of topics as resources with configs. */
const TOPIC_RESOURCE = 2;
const PARTITIONS = 2;
const RECORDS = 2_000;
/** Only for hangs: MirrorMaker loads hundreds of classes before it does anything. */
const TIMEOUT_MS = 300_000;

/** The configs of a topic at the source in a round. */
function configsOf(round: number): Record<string, string> {
  return {
    'cleanup.policy': 'compact,delete',
    'retention.ms': String(3_600_000 + round),
    'max.message.bytes': String(2_000_000 + round),
    'min.compaction.lag.ms': '1000',
    // Kafka 4.3 sends these along with the others.
    'remote.log.copy.disable': 'true',
    'remote.log.delete.on.disable': 'true',
  };
}

function properties(source: string, target: string): string {
  const factors = ['', 'checkpoints.topic.', 'heartbeats.topic.', 'offset-syncs.topic.'];
  const storages = ['offset', 'status', 'config'].map((kind) => `${kind}.storage.`);
  return [
    'clusters = source, penstock',
    `source.bootstrap.servers = ${source}`,
    `penstock.bootstrap.servers = ${target}`,
    'source->penstock.enabled = true',
    'penstock->source.enabled = false',
    `topics = ${TOPIC}`,
    'replication.policy.class = org.apache.kafka.connect.mirror.IdentityReplicationPolicy',
    'sync.topic.acls.enabled = false',
    'sync.topic.configs.enabled = true',
    'sync.topic.configs.interval.seconds = 1',
    'refresh.topics.interval.seconds = 1',
    'emit.heartbeats.enabled = false',
    'offset-syncs.topic.location = target',
    'dedicated.mode.enable.internal.rest = true',
    'listeners = http://127.0.0.1:0',
    'penstock.exactly.once.source.support = enabled',
    ...[...factors, ...storages].map((name) => `${name}replication.factor = 1`),
    // A killed worker is missed soon.
    'session.timeout.ms = 6000',
    'heartbeat.interval.ms = 1000',
    'scheduled.rebalance.max.delay.ms = 0',
    'source.consumer.max.poll.records = 50',
    '',
  ].join('\n');
}

/** The configs that were set, by name. */
async function configs(admin: Admin, names: readonly string[]): Promise<Record<string, string>> {
  const resource = { type: TOPIC_RESOURCE, name: TOPIC, configNames: [...names] };
  const { resources } = await admin.describeConfigs({ resources: [resource], includeSynonyms: false });
  const entries = resources[0]?.configEntries ?? [];
  return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
}

async function valuesOf(bootstrap: string): Promise<string[]> {
  const printed = await run('kcat', [
    ...['-C', '-b', bootstrap, '-t', TOPIC, '-X', 'isolation.level=read_committed'],
    ...['-o', 'beginning', '-e', '-q', '-f', '%p %s\n'],
  ]);
  return printed.trimEnd().split('\n');
}

/** @throws when a record is lost or doubled, or when configs do not arrive */
export async function runMirror(stage: Stage, { rounds, report }: RoundsOptions): Promise<void> {
  const classPath = [await kafkaEcosystemJars(), await kafkaJars()].map((jars) => join(jars, '*')).join(':');
  const broker = await startKafkaBroker(join(stage.home, 'mirror-source'), '256m');
  const file = join(stage.home, 'mirror.properties');
  await writeFile(file, properties(broker.bootstrap, stage.bootstrap));
  const start = (): JavaProgram => new JavaProgram(classPath, 'org.apache.kafka.connect.mirror.MirrorMaker', [file]);
  const source = new Kafka({ brokers: [broker.bootstrap], logLevel: logLevel.NOTHING });
  const admin = source.admin();
  let mirror: JavaProgram | undefined;
  try {
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] });
    mirror = start();
    for (let round = 1; round <= rounds; round += 1) {
      await alterConfigs(admin, configsOf(round));
      await produce(broker, round);
      const copied = async (): Promise<number> => (await endsAt(stage)).reduce((sum, end) => sum + end, 0);
      const before = await copied();
      await until('MirrorMaker copies', async () => (await copied()) > before, TIMEOUT_MS);
      await mirror.kill();
      mirror = start();
      const wanted = (await valuesOf(broker.bootstrap)).sort();
      const hasAll = async (): Promise<boolean> => (await valuesOf(stage.bootstrap)).length >= wanted.length;
      await until('all records are copied', hasAll, TIMEOUT_MS);
      const found = (await valuesOf(stage.bootstrap)).sort();
      if (found.join('\n') !== wanted.join('\n')) {
        throw new Error(`MirrorMaker copied ${found.length} records of ${wanted.length}, and not each once`);
      }
      const expected = configsOf(round);
      const isSynced = async (): Promise<boolean> => {
        const there = await configs(stage.admin, Object.keys(expected));
        return Object.entries(expected).every(([name, value]) => there[name] === value);
      };
      await until('the configs are those of the source', isSynced, TIMEOUT_MS);
      const figures = { records: found.length, configs: Object.keys(expected).length };
      report({ part: 'mirror', round, figures, sizes: await stage.sizes(TOPIC), compacted: [] });
    }
  } finally {
    await mirror?.kill();
    await admin.disconnect();
    await broker.stop();
  }
}

async function endsAt(stage: Stage): Promise<number[]> {
  const offsets = await stage.admin.fetchTopicOffsets(TOPIC).catch(() => []);
  return offsets.map(({ high }) => Number(high));
}

async function alterConfigs(admin: Admin, values: Record<string, string>): Promise<void> {
  const configEntries = Object.entries(values).map(([name, value]) => ({ name, value }));
  const resource = { type: TOPIC_RESOURCE, name: TOPIC, configEntries };
  await admin.alterConfigs({ validateOnly: false, resources: [resource] });
}

async function produce(broker: KafkaBroker, round: number): Promise<void> {
  const input = [...Array(RECORDS).keys()].map((number) => `${round}-${number}:${round}-${number}\n`).join('');
  await run('kcat', ['-P', '-b', broker.bootstrap, '-t', TOPIC, '-K', ':'], { input });
}
