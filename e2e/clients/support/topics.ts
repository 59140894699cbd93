// Makes the topics that tests write to, without starting a JVM for each: what kafka-topics does is tested in console-tools.test.ts.
import { Kafka, logLevel } from 'kafkajs';

/** @throws Error when the topic is there already */
export async function createTopic(bootstrap: string, topic: string, numPartitions: number): Promise<void> {
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
