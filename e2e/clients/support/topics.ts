// Creates the topics that tests write to without starting a JVM for each. console-tools.test.ts tests kafka-topics.
import { Kafka, logLevel } from 'kafkajs';
import { until } from './run.ts';

/** A killed agent is named as the controller until its heartbeats are missed. */
const GIVEN_UP_AFTER_MS = 30_000;

/**
 * Looks the controller up again while it refuses connections, as Java's admin client does and kafkajs does not.
 * @throws Error when the topic exists already
 */
export async function createTopic(bootstrap: string, topic: string, numPartitions: number): Promise<void> {
  const create = async (): Promise<boolean> => {
    try {
      await createTopicNow(bootstrap, topic, numPartitions);
      return true;
    } catch (error) {
      // By its name: Node finds no such export of kafkajs when a program imports this without vitest.
      if (error instanceof Error && error.name === 'KafkaJSConnectionError') {
        return false;
      }
      throw error;
    }
  };
  await until(`the controller makes the topic ${topic}`, create, GIVEN_UP_AFTER_MS);
}

async function createTopicNow(bootstrap: string, topic: string, numPartitions: number): Promise<void> {
  const admin = new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    if (!(await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1 }] }))) {
      throw new Error(`There is a topic ${topic} already`);
    }
  } finally {
    await admin.disconnect();
  }
}
