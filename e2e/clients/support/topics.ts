// Makes the topics that tests write to, without starting a JVM for each: what kafka-topics does is tested in console-tools.test.ts.
import { setTimeout } from 'node:timers/promises';
import { Kafka, KafkaJSConnectionError, logLevel } from 'kafkajs';

/** An agent that was killed is named as the controller until its heartbeats are missed. */
const GIVEN_UP_AFTER_MS = 30_000;
const PAUSE_MS = 500;

/**
 * Asks again for the controller while it refuses connections, as Java's admin client does and kafkajs does not.
 * @throws Error when the topic is there already
 */
export async function createTopic(bootstrap: string, topic: string, numPartitions: number): Promise<void> {
  const deadlineMs = performance.now() + GIVEN_UP_AFTER_MS;
  for (;;) {
    try {
      await createTopicNow(bootstrap, topic, numPartitions);
      return;
    } catch (error) {
      if (!(error instanceof KafkaJSConnectionError) || performance.now() > deadlineMs) {
        throw error;
      }
    }
    await setTimeout(PAUSE_MS);
  }
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
