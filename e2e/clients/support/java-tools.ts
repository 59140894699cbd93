// Kafka's own command-line tools, run directly from their jars.
import { join } from 'node:path';
import { kafkaJars } from '../../../infra/local/tools.ts';
import { type RunningProgram, type RunOptions, run, start } from './run.ts';

const mainClasses = {
  'kafka-console-producer': 'org.apache.kafka.tools.ConsoleProducer',
  'kafka-console-consumer': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'kafka-topics': 'org.apache.kafka.tools.TopicCommand',
  'kafka-acls': 'org.apache.kafka.tools.AclCommand',
  'kafka-configs': 'kafka.admin.ConfigCommand',
  'kafka-consumer-groups': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-get-offsets': 'org.apache.kafka.tools.GetOffsetShell',
  'kafka-delete-records': 'org.apache.kafka.tools.DeleteRecordsCommand',
  'kafka-log-dirs': 'org.apache.kafka.tools.LogDirsCommand',
  'kafka-leader-election': 'org.apache.kafka.tools.LeaderElectionCommand',
  'kafka-metadata-quorum': 'org.apache.kafka.tools.MetadataQuorumCommand',
  'kafka-reassign-partitions': 'org.apache.kafka.tools.reassign.ReassignPartitionsCommand',
  'kafka-producer-perf-test': 'org.apache.kafka.tools.ProducerPerformance',
  'kafka-consumer-perf-test': 'org.apache.kafka.tools.ConsumerPerformance',
  'connect-mirror-maker': 'org.apache.kafka.connect.mirror.MirrorMaker',
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
