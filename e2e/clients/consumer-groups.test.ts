// A consumer group of three shares 12 partitions, survives the death of a member, and resumes from committed offsets.
import { Kafka, logLevel } from 'kafkajs';
import { expect, inject, test } from 'vitest';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { clients, consumeSettings, pythonFolder } from './support/clients.ts';
import { type Consumed, makeValues, parseConsumed } from './support/records.ts';
import { type RunningProgram, start, until } from './support/run.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
const PARTITIONS = 12;

async function member(topic: string, group: string): Promise<RunningProgram> {
  return start(await confluentKafkaPython(), [`${pythonFolder}/consume.py`], {
    input: consumeSettings({
      bootstrap,
      topic,
      group,
      count: null,
      // The shortest session timeout that Kafka allows: a dead member is detected after six seconds.
      client: { 'session.timeout.ms': 6_000, 'heartbeat.interval.ms': 1_000 },
    }),
  });
}

/** The partitions last assigned to a member. */
function assigned(program: RunningProgram): number[] {
  const last = [...program.stderr().matchAll(/^assigned (\[.*\])$/gm)].at(-1)?.[1];
  return last === undefined ? [] : (JSON.parse(last) as number[]);
}

function received(programs: RunningProgram[]): Consumed[] {
  return programs.flatMap((program) => parseConsumed(program.stdout()));
}

function allOf(programs: RunningProgram[]): number[] {
  return programs.flatMap(assigned).sort((a, b) => a - b);
}

const everyPartition = Array.from({ length: PARTITIONS }, (_, partition) => partition);

test('others take over from a killed member without loss', async () => {
  const topic = 'group-of-three';
  await createTopic(bootstrap, topic, PARTITIONS);
  const members = await Promise.all([1, 2, 3].map(() => member(topic, topic)));
  try {
    await until('each of three members has four partitions', () => members.every((one) => assigned(one).length === 4));
    expect(allOf(members)).toEqual(everyPartition);

    const values = makeValues(6_000);
    await clients[0]?.produce(bootstrap, topic, values.slice(0, 3_000), 'none');
    await until('the first half has arrived', () => received(members).length >= 3_000);

    const [killed, ...survivors] = members;
    killed?.child.kill('SIGKILL');
    await until('the survivors have all partitions', () => allOf(survivors).length === PARTITIONS);
    expect(allOf(survivors)).toEqual(everyPartition);
    expect(survivors.map((one) => assigned(one).length)).toEqual([6, 6]);

    await clients[0]?.produce(bootstrap, topic, values.slice(3_000), 'none');
    const distinct = (): number =>
      new Set(received(members).map(({ partition, offset }) => `${partition}/${offset}`)).size;
    await until('the second half has arrived', () => distinct() >= 6_000);
    expect(distinct()).toBe(6_000);
    // A survivor resumes from the dead member's commit, not from the start of the partition.
    expect(received(members).length - distinct()).toBeLessThan(1_500);
  } finally {
    for (const one of members) {
      one.child.kill('SIGKILL');
    }
    await Promise.all(members.map((one) => one.exited));
  }
});

test('a group that restarts resumes from its committed offsets', async () => {
  const topic = 'group-resumes';
  await createTopic(bootstrap, topic, PARTITIONS);
  const values = makeValues(2_000);
  const consume = async (count: number): Promise<Consumed[]> => {
    const input = consumeSettings({ bootstrap, topic, group: topic, count });
    const program = start(await confluentKafkaPython(), [`${pythonFolder}/consume.py`], { input });
    expect(await program.exited, program.stderr()).toBe(0);
    return parseConsumed(program.stdout());
  };
  await clients[0]?.produce(bootstrap, topic, values.slice(0, 1_000), 'none');
  const before = await consume(1_000);
  await clients[0]?.produce(bootstrap, topic, values.slice(1_000), 'none');
  const after = await consume(1_000);
  expect(before.map(({ value }) => value).sort()).toEqual(values.slice(0, 1_000));
  expect(after.map(({ value }) => value).sort()).toEqual(values.slice(1_000));
});

// It commits them as negative ones.
test('kafkajs resets a group to the earliest or latest offsets', async () => {
  const topic = 'group-that-is-reset';
  const groupId = topic;
  await createTopic(bootstrap, topic, 2);
  await clients[0]?.produce(bootstrap, topic, makeValues(20), 'none');
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const offsets = async (): Promise<string[]> => {
      const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return (committed?.partitions ?? []).map(({ offset }) => offset);
    };
    await admin.resetOffsets({ groupId, topic, earliest: true });
    expect(await offsets()).toEqual(['-2', '-2']);
    await admin.resetOffsets({ groupId, topic, earliest: false });
    expect(await offsets()).toEqual(['-1', '-1']);
    await admin.resetOffsets({ groupId, topic, earliest: true });
  } finally {
    await admin.disconnect();
  }
  // To kafkajs, any negative offset means where the subscription says.
  const consumer = kafka.consumer({ groupId });
  let seen = 0;
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: async () => {
        seen += 1;
      },
    });
    await until('the group reads all records again', () => seen === 20);
  } finally {
    await consumer.disconnect();
  }
});
