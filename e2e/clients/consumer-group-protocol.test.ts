// Groups of the consumer protocol (KIP-848), in which the cluster assigns partitions, with the clients that have it. With
// PENSTOCK_E2E_TARGET=kafka the same tests run against Apache Kafka.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { confluentKafkaPython, franzGoClient } from '../../infra/local/tools.ts';
import { GroupMembers, type NewMember } from './consumer-groups/group-members.ts';
import { clients, consumeSettings, pythonFolder } from './support/clients.ts';
import { kafkaTool } from './support/java-tools.ts';
import { makeValues, parseConsumed } from './support/records.ts';
import { run, start, until } from './support/run.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
const server = ['--bootstrap-server', bootstrap];
/** Names are new in each run, so that a system may be used again. */
const suffix = process.pid;
let members: GroupMembers;

beforeAll(async () => {
  members = await GroupMembers.start(bootstrap);
});

afterAll(async () => {
  await members.stop();
});

async function fill(topic: string, count: number): Promise<void> {
  await clients[0]?.produce(bootstrap, topic, makeValues(count), 'none');
}

async function untilRead(group: string, count: number): Promise<void> {
  await until(`${count} records are read by ${group}`, async () => (await members.records(group)).different === count);
}

async function join(member: Omit<NewMember, 'protocol'> & Partial<NewMember>): Promise<void> {
  await members.join({ protocol: 'consumer', ...member });
}

async function conflictsOf(topic: string): Promise<string[]> {
  return (await members.conflicts()).filter((line) => line.startsWith(`${topic}-`));
}

test('members share partitions, and a restart keeps commits', async () => {
  const name = `consumer-shares-${suffix}`;
  await createTopic(bootstrap, name, 12);
  const of = (member: string): string => `${name}-${member}`;
  const member = (one: string): Promise<void> => join({ name: of(one), group: name, subscription: [name] });
  await member('a');
  await members.untilShared({ [of('a')]: 12 }, 12);
  await Promise.all([member('b'), member('c')]);
  await members.untilShared({ [of('a')]: 4, [of('b')]: 4, [of('c')]: 4 }, 12);
  await fill(name, 600);
  await untilRead(name, 600);

  const group = [...server, '--group', name];
  const listed = await kafkaTool('kafka-consumer-groups', [...server, '--list', '--type', 'consumer']);
  expect(listed).toContain(name);
  const described = await kafkaTool('kafka-consumer-groups', [...group, '--describe', '--members', '--verbose']);
  const rows = described.split('\n').filter((line) => line.startsWith(name));
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    expect(row).toMatch(new RegExp(`${name}:\\d+,\\d+,\\d+,\\d+`));
  }
  const state = await kafkaTool('kafka-consumer-groups', [...group, '--describe', '--state']);
  expect(state).toMatch(/uniform\s+Stable\s+3/);

  await members.close(of('c'), 'leave');
  await members.untilShared({ [of('a')]: 6, [of('b')]: 6 }, 12);
  await members.close(of('a'), 'leave');
  await members.close(of('b'), 'leave');
  await fill(name, 60);
  await member('d');
  await untilRead(name, 660);
  await members.close(of('d'), 'leave');
  expect(await members.records(name)).toEqual({ read: 660, different: 660 });
  expect(await conflictsOf(name)).toEqual([]);
});

test('others take over from a dead member without loss', async () => {
  const name = `consumer-dies-${suffix}`;
  await createTopic(bootstrap, name, 6);
  const mortal = await GroupMembers.start(bootstrap);
  try {
    await mortal.join({ name, protocol: 'consumer', group: name, subscription: [name] });
    await mortal.untilShared({ [name]: 6 }, 6);
    await join({ name, group: name, subscription: [name] });
    await members.untilShared({ [name]: 3 }, 3);
    await fill(name, 60);
    const bothRead = async (): Promise<number> =>
      (await members.records(name)).read + (await mortal.records(name)).read;
    await until('all is read', async () => (await bothRead()) === 60);
    const before = await members.records(name);
    await mortal.stop();
    await fill(name, 60);
    await members.untilShared({ [name]: 6 }, 6);
    // What is new, and nothing that the dead member committed.
    await until('the rest is read', async () => (await members.records(name)).read === before.read + 60);
    expect((await members.records(name)).different).toBe(before.different + 60);
    await members.close(name, 'leave');
  } finally {
    await mortal.stop();
  }
});

test('a regular expression finds existing and new topics', async () => {
  const name = `consumer-regex-${suffix}`;
  await createTopic(bootstrap, `${name}-one`, 2);
  await createTopic(bootstrap, `other-${name}-one`, 2);
  await join({ name, group: name, subscription: { regex: `${name}-(one|two)` } });
  await members.untilShared({ [name]: 2 }, 2);
  await createTopic(bootstrap, `${name}-two`, 3);
  const [member] = await members.untilShared({ [name]: 5 }, 5);
  expect(member?.partitions[0]).toBe(`${name}-one-0`);
  expect(member?.partitions[4]).toBe(`${name}-two-2`);
  await members.close(name, 'leave');
});

// Until it leaves.
test('a static member keeps its partitions and its name', async () => {
  const name = `consumer-static-${suffix}`;
  await createTopic(bootstrap, name, 6);
  const [first, second] = [`${name}-1`, `${name}-2`];
  await join({ name: first, group: name, subscription: [name], instance: 'i1' });
  await join({ name: second, group: name, subscription: [name], instance: 'i2' });
  const before = await members.untilShared({ [first]: 3, [second]: 3 }, 6);
  const thief = `${name}-thief`;
  await join({ name: thief, group: name, subscription: [name], instance: 'i1' });
  await until('the other is refused', async () => {
    const refused = (await members.show()).find((member) => member.name === thief);
    return refused?.error === 'UnreleasedInstanceIdException';
  });
  await members.close(thief, 'default');
  await members.close(first, 'default');
  await join({ name: first, group: name, subscription: [name], instance: 'i1' });
  const after = await members.untilShared({ [first]: 3, [second]: 3 }, 6);
  expect(after.map(({ partitions }) => partitions)).toEqual(before.map(({ partitions }) => partitions));
  // The other noticed nothing.
  expect(after[1]?.assignments).toBe(before[1]?.assignments);
  await members.close(first, 'leave');
  await members.close(second, 'leave');
});

test('a group changes protocol and back while it reads', async () => {
  const name = `consumer-migrates-${suffix}`;
  await createTopic(bootstrap, name, 6);
  const of = (member: string): string => `${name}-${member}`;
  const member = (one: string, protocol: NewMember['protocol']): Promise<void> =>
    join({ name: of(one), protocol, group: name, subscription: [name] });
  const typeOf = async (): Promise<string> => {
    const listed = await kafkaTool('kafka-consumer-groups', [...server, '--list', '--type']);
    return (
      listed
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(/\s+/)[1] ?? ''
    );
  };
  await member('a', 'classic');
  await member('b', 'classic');
  await members.untilShared({ [of('a')]: 3, [of('b')]: 3 }, 6);
  expect(await typeOf()).toBe('Classic');
  let sent = 0;
  const send = async (): Promise<void> => {
    sent += 60;
    await fill(name, 60);
    await untilRead(name, sent);
  };
  await send();
  await member('c', 'consumer');
  await members.untilShared({ [of('a')]: 2, [of('b')]: 2, [of('c')]: 2 }, 6);
  expect(await typeOf()).toBe('Consumer');
  await send();
  await members.close(of('a'), 'leave');
  await members.untilShared({ [of('b')]: 3, [of('c')]: 3 }, 6);
  await send();
  await members.close(of('b'), 'leave');
  await members.untilShared({ [of('c')]: 6 }, 6);
  await send();
  await member('d', 'classic');
  await members.untilShared({ [of('c')]: 3, [of('d')]: 3 }, 6);
  await send();
  await members.close(of('c'), 'leave');
  await members.untilShared({ [of('d')]: 6 }, 6);
  await send();
  expect(await typeOf()).toBe('Classic');
  await members.close(of('d'), 'leave');
  expect(await members.records(name)).toEqual({ read: sent, different: sent });
  expect(await conflictsOf(name)).toEqual([]);
});

test('kafka-configs sets only what a group can have', async () => {
  const name = `consumer-configs-${suffix}`;
  const group = [...server, '--entity-type', 'groups', '--entity-name', name];
  const interval = 'consumer.heartbeat.interval.ms';
  const alter = (config: string): Promise<string> =>
    kafkaTool('kafka-configs', [...group, '--alter', '--add-config', config]);
  await alter(`${interval}=6000`);
  expect(await kafkaTool('kafka-configs', [...group, '--describe'])).toContain(`${interval}=6000`);
  await expect(alter(`${interval}=1`)).rejects.toThrow(/heartbeat\.interval\.ms/);
  await expect(alter('no.such.config=1')).rejects.toThrow(/no\.such\.config/);
  await kafkaTool('kafka-configs', [...group, '--alter', '--delete-config', interval]);
  expect(await kafkaTool('kafka-configs', [...group, '--describe'])).not.toContain(`${interval}=6000`);
});

test('confluent-kafka resumes from its commits', async () => {
  const name = `consumer-librdkafka-${suffix}`;
  await createTopic(bootstrap, name, 4);
  const python = await confluentKafkaPython();
  const input = consumeSettings({
    ...{ bootstrap, topic: name, group: name, count: null },
    client: { 'group.protocol': 'consumer' },
  });
  const [one, other] = [1, 2].map(() => start(python, [`${pythonFolder}/consume.py`], { input }));
  const assigned = (program: typeof one): string =>
    [...(program?.stderr().matchAll(/^assigned (\[.*\])$/gm) ?? [])].map((match) => match[1]).join(' ');
  const read = (): number => [one, other].flatMap((program) => parseConsumed(program?.stdout() ?? '')).length;
  try {
    await until('both have partitions', () => assigned(one) !== '' && assigned(other) !== '');
    await fill(name, 400);
    await until('all is read', () => read() === 400);
    const state = await kafkaTool('kafka-consumer-groups', [...server, '--group', name, '--describe', '--state']);
    expect(state).toMatch(/uniform\s+Stable\s+2/);
  } finally {
    // The end that commits and leaves.
    one?.child.kill('SIGKILL');
    other?.child.kill('SIGKILL');
    await Promise.all([one?.exited, other?.exited]);
  }
  expect(read()).toBe(400);
});

test('franz-go reads in a group and resumes from its commits', async () => {
  const name = `consumer-franz-${suffix}`;
  await createTopic(bootstrap, name, 4);
  const consume = async (count: number): Promise<string[]> => {
    const args = ['consume', '-bootstrap', bootstrap, '-topic', name, '-group', name, '-protocol', 'consumer'];
    const printed = await run(await franzGoClient(), [...args, '-count', String(count)]);
    return parseConsumed(printed).map(({ partition, offset }) => `${partition}/${offset}`);
  };
  await fill(name, 100);
  const before = await consume(100);
  expect(await kafkaTool('kafka-consumer-groups', [...server, '--list', '--type', 'consumer'])).toContain(name);
  await fill(name, 100);
  const after = await consume(100);
  expect(new Set([...before, ...after]).size).toBe(200);
});
