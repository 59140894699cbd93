// The port between the agents of a zone, as somebody on the network sees it.
import { freePort } from '@penstock/servers/free-port';
import { Kafka, logLevel } from 'kafkajs';
import { expect, test } from 'vitest';
import { until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startTap } from './support/tap.ts';

const TOPIC = 'private';
const RECORDS = 100;
const VALUE = 'nobody on the network may read this';

/** A counter of all agents together. */
async function sumOf({ agents }: TestSystem, counter: string): Promise<number> {
  const texts = await Promise.all(agents.map(async ({ httpUrl }) => (await fetch(`${httpUrl}/metrics`)).text()));
  const values = texts.map((text) => text.match(new RegExp(`^penstock_agent_${counter}_total (\\d+)$`, 'm'))?.[1]);
  return values.reduce((sum, value) => sum + Number(value), 0);
}

/** The values that a group of its own reads, through the agent that follows from its name. */
async function valuesRead(kafka: Kafka, groupId: string): Promise<string[]> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 500 });
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      values.push(String(message.value));
    },
  });
  await until(`${groupId} has read everything`, () => values.length >= RECORDS);
  await consumer.disconnect();
  return values;
}

test('records cross the port between agents by TLS only', async () => {
  const ports = [await freePort(), await freePort()];
  const taps = await Promise.all(ports.map(startTap));
  const agents = taps.map(({ url }, index) => ({
    zone: 'a',
    env: { PENSTOCK_INTERNAL_LISTEN: `127.0.0.1:${ports[index]}`, PENSTOCK_INTERNAL_URL: url },
  }));
  const system = await startTestSystem({ agents });
  try {
    const brokers = system.agents.map(({ bootstrap }) => bootstrap);
    const client = (clientId: string) => new Kafka({ brokers, clientId, logLevel: logLevel.NOTHING });
    const kafka = client('writer');
    const [admin, producer] = [kafka.admin(), kafka.producer()];
    await Promise.all([admin.connect(), producer.connect()]);
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }] });
    const messages = Array.from({ length: RECORDS }, () => ({ value: VALUE }));
    await producer.send({ topic: TOPIC, messages, acks: -1 });
    await Promise.all([admin.disconnect(), producer.disconnect()]);
    // The agent of a client follows from its name, so some reader has the agent that did not write.
    let readers = 0;
    await until('an agent reads from the other one', async () => {
      readers += 1;
      expect(await valuesRead(client(`reader-${readers}`), `reader-${readers}`)).toEqual(
        messages.map(({ value }) => value),
      );
      return (await sumOf(system, 'peer_reads')) > 0;
    });
    expect(taps.reduce((sum, tap) => sum + tap.bytes(), 0)).toBeGreaterThan(RECORDS * VALUE.length);
    expect(taps.filter((tap) => tap.saw(VALUE))).toEqual([]);
    expect(taps.filter((tap) => tap.saw('penstock-peer'))).toEqual([]);
    expect(await sumOf(system, 'peer_wrong_keys')).toBe(0);
    expect(system.deaths).toEqual([]);
  } finally {
    await system.stop();
    await Promise.all(taps.map((tap) => tap.close()));
  }
});
