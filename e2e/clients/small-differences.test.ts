// What Penstock once answered otherwise than Apache Kafka. With PENSTOCK_E2E_TARGET=kafka the same test runs against Apache Kafka.
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { javaClassPath } from '../../infra/local/tools.ts';
import { type ListedDifference, listedFact } from './small-differences/listed.ts';
import { run } from './support/run.ts';

const bootstrap = inject('bootstrap');
/** The name is new in each run, so that a system may be used again. */
const name = `differences${process.pid}`;

/** All topic configs of Apache Kafka 4.3. */
const TOPIC_CONFIGS = [
  ...[
    'cleanup.policy',
    'compression.gzip.level',
    'compression.lz4.level',
    'compression.type',
    'compression.zstd.level',
  ],
  ...['delete.retention.ms', 'file.delete.delay.ms', 'flush.messages', 'flush.ms'],
  ...['follower.replication.throttled.replicas', 'index.interval.bytes', 'leader.replication.throttled.replicas'],
  ...['local.retention.bytes', 'local.retention.ms', 'max.compaction.lag.ms', 'max.message.bytes'],
  ...['message.timestamp.after.max.ms', 'message.timestamp.before.max.ms', 'message.timestamp.type'],
  ...['min.cleanable.dirty.ratio', 'min.compaction.lag.ms', 'min.insync.replicas', 'preallocate'],
  ...['remote.log.copy.disable', 'remote.log.delete.on.disable', 'remote.storage.enable', 'retention.bytes'],
  ...['retention.ms', 'segment.bytes', 'segment.index.bytes', 'segment.jitter.ms', 'segment.ms'],
  'unclean.leader.election.enable',
];

/**
 * A topic of two partitions: the replication in the response to its creation, and the replicas and in-sync replicas
 * that it then has.
 */
interface Replicated {
  answered: string;
  described: string;
}
const THREE_REPLICAS: ListedDifference<Replicated> = {
  reason:
    'Any replication factor is accepted, so that programs written for three brokers work. The answer names what was asked for, because ' +
    'tools compare the two. Each partition has one replica, and object storage replicates.',
  kafka: { answered: 'InvalidReplicationFactorException', described: 'UnknownTopicOrPartitionException' },
  penstock: { answered: '2x3', described: '1/1,1/1' },
};

const OWN_DEFAULT: ListedDifference<{ own: string; low: string }> = {
  reason:
    'The default of max.uncompressed.batch.bytes, which Kafka does not have, is set for all brokers within its bounds. Kafka takes any ' +
    'config of a broker that it does not know, and keeps its value secret.',
  kafka: { own: 'null:DYNAMIC_DEFAULT_BROKER_CONFIG', low: 'done' },
  penstock: { own: '1048576:DYNAMIC_DEFAULT_BROKER_CONFIG', low: 'InvalidConfigurationException' },
};

function replicated(factor: number, { answered, described }: Replicated): Record<string, string> {
  return {
    [`replication.${factor}.validated`]: answered,
    [`replication.${factor}.created`]: answered,
    [`replication.${factor}.described`]: described,
  };
}

/** The outcome for a new topic, new partitions and an existing partition if replicas are assigned in this way. */
function assigned(replicas: string, outcome: string): Record<string, string> {
  return Object.fromEntries(['topic', 'partition', 'again'].map((what) => [`assigned.${what}.${replicas}`, outcome]));
}

// Subscriptions to client metrics and broker configs, too.
test('answers for topics and configs match Apache Kafka’s', async () => {
  const classPath = await javaClassPath(join(import.meta.dirname, 'small-differences/AdminDifferences.java'));
  const printed = await run('java', [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath],
    ...['AdminDifferences', bootstrap, name],
  ]);
  const lines = printed.split('\n').filter((line) => line.includes('='));
  expect(Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)))).toEqual({
    'topic.dotted': 'done',
    'topic.underscored': 'InvalidTopicException',
    'topic.configs': TOPIC_CONFIGS.join(','),
    'topic.unknown': 'InvalidConfigurationException',
    ...replicated(-1, { answered: '2x1', described: '1/1,1/1' }),
    ...replicated(0, {
      answered: 'InvalidReplicationFactorException',
      described: 'UnknownTopicOrPartitionException',
    }),
    ...replicated(1, { answered: '2x1', described: '1/1,1/1' }),
    ...replicated(3, listedFact(THREE_REPLICAS)),
    'metrics.absent': 'interval.ms:300000:DEFAULT_CONFIG;match::DEFAULT_CONFIG;metrics::DEFAULT_CONFIG',
    'metrics.interval': 'InvalidRequestException',
    'metrics.number': 'InvalidConfigurationException',
    'metrics.unknown': 'InvalidRequestException',
    'metrics.match.key': 'InvalidConfigurationException',
    'metrics.match.regex': 'InvalidConfigurationException',
    'metrics.none': 'false',
    'metrics.set': 'done',
    'metrics.described':
      'interval.ms:60000:DYNAMIC_CLIENT_METRICS_CONFIG;match:client_id=a.*:DYNAMIC_CLIENT_METRICS_CONFIG;' +
      'metrics:org.apache.kafka.producer.:DYNAMIC_CLIENT_METRICS_CONFIG',
    'metrics.removed': 'done',
    'broker.group.max.session.timeout.ms': '1800000',
    'broker.group.min.session.timeout.ms': '6000',
    'broker.offset.metadata.max.bytes': '4096',
    'broker.offsets.retention.minutes': '10080',
    'broker.producer.id.expiration.ms': '86400000',
    'broker.transaction.max.timeout.ms': '900000',
    'broker.transactional.id.expiration.ms': '604800000',
    'broker.set': 'InvalidRequestException',
    'defaults.broker': '1:DYNAMIC_DEFAULT_BROKER_CONFIG',
    'defaults.cluster': 'min.insync.replicas:1:DYNAMIC_DEFAULT_BROKER_CONFIG',
    'defaults.set': 'done',
    'defaults.own': listedFact(OWN_DEFAULT).own,
    'defaults.low': listedFact(OWN_DEFAULT).low,
    'defaults.deleted': 'done',
    'defaults.topic': '1:DYNAMIC_DEFAULT_BROKER_CONFIG',
    ...assigned('leader', 'done'),
    ...assigned('none', 'InvalidReplicaAssignmentException'),
    'assigned.again.none': 'NoReassignmentInProgressException',
    ...assigned('twice', 'InvalidReplicaAssignmentException'),
    ...assigned('unknown', 'InvalidReplicaAssignmentException'),
    'assigned.partition.tooFew': 'InvalidReplicaAssignmentException',
    'logDirs.absent': 'UnknownTopicOrPartitionException',
    'logDirs.other': 'LogDirNotFoundException',
    'logDirs.own': 'done',
  });
});
