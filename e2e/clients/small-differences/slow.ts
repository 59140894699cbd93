// What takes minutes of the small differences, on one system: when sessions end, and when the offsets of a topic expire that a live group
// no longer reads.
import { Kafka, logLevel } from 'kafkajs';
import { until } from '../support/run.ts';
import { createTopic } from '../support/topics.ts';
import { GroupRequests } from './group-requests.ts';

const SESSION_MS = 6_000;
const SESSIONS = 10;
/** One minute of retention, and time enough to notice. */
const LONGEST_EXPIRY_MS = 150_000;

export interface SlowFacts {
  /** How long after the last heartbeat and the session's time each group was seen empty, in ms, in ascending order. */
  sessionsLateMs: number[];
  /** From the commit to when the offset was seen gone. */
  expiredAfterSeconds: number;
  /** The group's offset in the topic that it reads, then. */
  kept: string;
}

export async function slowFacts(bootstrap: string): Promise<SlowFacts> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const consumer = kafka.consumer({ groupId: 'live' });
  try {
    await createTopic(bootstrap, 'read', 1);
    await createTopic(bootstrap, 'left', 1);
    // Kafka makes the coordinator's topic when it is asked for.
    const offsetOf = async (topic: string): Promise<string> => {
      const [found] = await admin.fetchOffsets({ groupId: 'live', topics: [topic] });
      return found?.partitions[0]?.offset ?? '';
    };
    await until('there is a coordinator', () =>
      offsetOf('left').then(
        () => true,
        () => false,
      ),
    );
    const commit = (topic: string): Promise<unknown> =>
      admin.setOffsets({ groupId: 'live', topic, partitions: [{ partition: 0, offset: '0' }] });
    await commit('read');
    // kafkajs commits at once, and returns seconds later.
    const committedMs = performance.now();
    await commit('left');
    await consumer.connect();
    await consumer.subscribe({ topic: 'read' });
    await consumer.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
    const sessionsLateMs = await Promise.all([...Array(SESSIONS).keys()].map((one) => latenessMs(bootstrap, one)));
    await until('the offset expires', async () => (await offsetOf('left')) === '-1', LONGEST_EXPIRY_MS);
    const expiredAfterSeconds = Math.round((performance.now() - committedMs) / 1_000);
    return {
      sessionsLateMs: sessionsLateMs.map(Math.round).sort((a, b) => a - b),
      expiredAfterSeconds,
      kept: await offsetOf('read'),
    };
  } finally {
    await consumer.disconnect();
    await admin.disconnect();
  }
}

async function latenessMs(bootstrap: string, one: number): Promise<number> {
  const group = await GroupRequests.open(bootstrap, `silent-${one}`);
  try {
    const joined = await group.join('silent');
    await group.sync(joined, 'silent');
    const errorCode = await group.beat(joined, 'silent');
    const fromMs = performance.now();
    if (errorCode !== 0) {
      throw new Error(`The heartbeat was refused with ${errorCode}`);
    }
    while ((await group.state()) !== 'Empty') {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return performance.now() - fromMs - SESSION_MS;
  } finally {
    group.close();
  }
}
