// Kafka's own command-line tools, run directly from their jars.
import { join } from 'node:path';
import { kafkaJars } from '../../../infra/local/tools.ts';
import { type RunningProgram, type RunOptions, run, start } from './run.ts';

/** Every tool of Kafka 4.3 that talks to a cluster, by the name of its script. */
export const mainClasses = {
  'connect-mirror-maker': 'org.apache.kafka.connect.mirror.MirrorMaker',
  'kafka-acls': 'org.apache.kafka.tools.AclCommand',
  'kafka-broker-api-versions': 'org.apache.kafka.tools.BrokerApiVersionsCommand',
  'kafka-client-metrics': 'org.apache.kafka.tools.ClientMetricsCommand',
  'kafka-cluster': 'org.apache.kafka.tools.ClusterTool',
  'kafka-configs': 'kafka.admin.ConfigCommand',
  'kafka-console-consumer': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'kafka-console-producer': 'org.apache.kafka.tools.ConsoleProducer',
  'kafka-console-share-consumer': 'org.apache.kafka.tools.consumer.ConsoleShareConsumer',
  'kafka-consumer-groups': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-consumer-perf-test': 'org.apache.kafka.tools.ConsumerPerformance',
  'kafka-delegation-tokens': 'org.apache.kafka.tools.DelegationTokenCommand',
  'kafka-delete-records': 'org.apache.kafka.tools.DeleteRecordsCommand',
  'kafka-e2e-latency': 'org.apache.kafka.tools.EndToEndLatency',
  'kafka-features': 'org.apache.kafka.tools.FeatureCommand',
  'kafka-get-offsets': 'org.apache.kafka.tools.GetOffsetShell',
  'kafka-groups': 'org.apache.kafka.tools.GroupsCommand',
  'kafka-leader-election': 'org.apache.kafka.tools.LeaderElectionCommand',
  'kafka-log-dirs': 'org.apache.kafka.tools.LogDirsCommand',
  'kafka-metadata-quorum': 'org.apache.kafka.tools.MetadataQuorumCommand',
  'kafka-producer-perf-test': 'org.apache.kafka.tools.ProducerPerformance',
  'kafka-reassign-partitions': 'org.apache.kafka.tools.reassign.ReassignPartitionsCommand',
  'kafka-replica-verification': 'org.apache.kafka.tools.ReplicaVerificationTool',
  'kafka-share-consumer-perf-test': 'org.apache.kafka.tools.ShareConsumerPerformance',
  'kafka-share-groups': 'org.apache.kafka.tools.consumer.group.ShareGroupCommand',
  'kafka-streams-application-reset': 'org.apache.kafka.tools.StreamsResetter',
  'kafka-streams-groups': 'org.apache.kafka.tools.streams.StreamsGroupCommand',
  'kafka-topics': 'org.apache.kafka.tools.TopicCommand',
  'kafka-transactions': 'org.apache.kafka.tools.TransactionsCommand',
  'kafka-verifiable-consumer': 'org.apache.kafka.tools.VerifiableConsumer',
  'kafka-verifiable-producer': 'org.apache.kafka.tools.VerifiableProducer',
  'kafka-verifiable-share-consumer': 'org.apache.kafka.tools.VerifiableShareConsumer',
};

export type KafkaTool = keyof typeof mainClasses;

export const kafkaTools = Object.keys(mainClasses) as KafkaTool[];

/** The `java` arguments that run a tool. */
export async function commandLine(tool: KafkaTool, args: string[]): Promise<string[]> {
  // Small and quick to start: many short runs on a shared machine.
  const flags = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(await kafkaJars(), '*')];
  return [...flags, mainClasses[tool], ...args];
}

/** Runs a tool and returns its output. */
export async function kafkaTool(tool: KafkaTool, args: string[], options: RunOptions = {}): Promise<string> {
  return run('java', await commandLine(tool, args), options);
}

export async function startKafkaTool(
  tool: KafkaTool,
  args: string[],
  options: RunOptions = {},
): Promise<RunningProgram> {
  return start('java', await commandLine(tool, args), options);
}

/** Creates a topic with kafka-topics. */
export async function createTopic(bootstrap: string, topic: string, partitions: number): Promise<void> {
  await kafkaTool('kafka-topics', [
    '--bootstrap-server',
    bootstrap,
    '--create',
    '--topic',
    topic,
    '--partitions',
    String(partitions),
    '--replication-factor',
    '1',
  ]);
}
