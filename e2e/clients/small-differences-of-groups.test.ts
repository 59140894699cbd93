// What Penstock once answered otherwise than Apache Kafka to members of groups and to raw requests. With PENSTOCK_E2E_TARGET=kafka the
// same tests run against Apache Kafka.
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { GroupRequests } from './small-differences/group-requests.ts';
import { until } from './support/run.ts';
import { createTopic } from './support/topics.ts';

const bootstrap = inject('bootstrap');
/** Names are new in each run, so that a system may be used again. */
const name = `differences-of-groups-${process.pid}`;
const UNKNOWN_MEMBER_ID = 25;
const STALE_MEMBER_EPOCH = 113;

const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
const admin = kafka.admin();

beforeAll(async () => {
  await admin.connect();
  await createTopic(bootstrap, name, 1);
  // Asks for the coordinator, for which Kafka makes a topic.
  await admin.fetchOffsets({ groupId: name, topics: [name] }).catch(() => undefined);
  await withGroup(name, (group) =>
    until('there is a coordinator', async () => (await group.committed(null, -1, name)) === '-1'),
  );
});

afterAll(async () => {
  await admin.disconnect();
});

async function withGroup<T>(group: string, body: (requests: GroupRequests) => Promise<T>): Promise<T> {
  const requests = await GroupRequests.open(bootstrap, group);
  try {
    return await body(requests);
  } finally {
    requests.close();
  }
}

test('committed offsets may be negative', async () => {
  await withGroup(`${name}-negative`, async (group) => {
    for (const offset of [5, -1, -2]) {
      expect(await group.commit('', -1, name, offset)).toBe(0);
      expect(await group.committed(null, -1, name)).toBe(String(offset));
    }
  });
});

// It may skip the assignment.
test('a returning static leader keeps its generation', async () => {
  await withGroup(`${name}-static`, async (group) => {
    const first = await group.join('leader');
    expect(first).toMatchObject({ errorCode: 0, skipAssignment: false, leader: first.memberId });
    expect(await group.sync(first, 'leader')).toBe(0);
    const again = await group.join('leader');
    expect(again).toMatchObject({
      errorCode: 0,
      generationId: first.generationId,
      skipAssignment: true,
      leader: again.memberId,
    });
    expect(again.memberId).not.toBe(first.memberId);
  });
});

test('a session lasts for exactly its time', async () => {
  await withGroup(`${name}-session`, async (group) => {
    const joined = await group.join('silent');
    expect(await group.sync(joined, 'silent')).toBe(0);
    const beforeMs = performance.now();
    expect(await group.beat(joined, 'silent')).toBe(0);
    await until('the session ends', async () => (await group.state()) === 'Empty');
    expect(performance.now() - beforeMs).toBeGreaterThanOrEqual(6_000);
  });
});

// It commits with an older one for what it has held since.
test('a consumer group member fetches with its own epoch only', async () => {
  await withGroup(`${name}-epochs`, async (group) => {
    const first = await group.consumerHeartbeat('a'.repeat(22), 0, name);
    expect(first.errorCode).toBe(0);
    const [member, old] = [first.memberId, first.memberEpoch];
    const other = await group.consumerHeartbeat('b'.repeat(22), 0, name);
    expect(other.errorCode).toBe(0);
    let epoch = old;
    await until('the other member raises the epoch', async () => {
      const beat = await group.consumerHeartbeat(member, epoch, name);
      expect(beat.errorCode).toBe(0);
      epoch = beat.memberEpoch;
      return epoch > old;
    });
    const facts = {
      own: [await group.commit(member, epoch, name, 7), await group.committed(member, epoch, name)],
      older: [await group.commit(member, old - 1, name, 8), await group.committed(member, old - 1, name)],
      old: [await group.commit(member, old, name, 8), await group.committed(member, old, name)],
      never: await group.commit(other.memberId, other.memberEpoch - 1, name, 9),
      newer: [await group.commit(member, epoch + 1, name, 9), await group.committed(member, epoch + 1, name)],
      unknown: [await group.commit('nobody', epoch, name, 9), await group.committed('nobody', epoch, name)],
      admin: [await group.commit('', -1, name, 9), await group.committed(null, -1, name)],
    };
    const stale = [STALE_MEMBER_EPOCH, `error ${STALE_MEMBER_EPOCH}`];
    expect(facts).toEqual({
      own: [0, '7'],
      older: stale,
      old: [0, `error ${STALE_MEMBER_EPOCH}`],
      never: STALE_MEMBER_EPOCH,
      newer: stale,
      unknown: [UNKNOWN_MEMBER_ID, `error ${UNKNOWN_MEMBER_ID}`],
      admin: [UNKNOWN_MEMBER_ID, '8'],
    });
  });
});

test('the offsets topic cannot be created once groups exist', async () => {
  // By then Apache Kafka has this topic, and kafkajs does not report that as an error. Penstock has no such topic and reserves the name.
  const created = admin.createTopics({ topics: [{ topic: '__consumer_offsets' }] });
  expect(await created.catch(() => false)).toBe(false);
});

test('AlterConfigs knows exactly Apache Kafka’s topic configs', async () => {
  const alter = async (configEntries: { name: string; value: string }[]): Promise<string> => {
    try {
      // 2: a topic
      await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries }] });
      return 'done';
    } catch (error) {
      return (error as { type?: string }).type ?? String(error);
    }
  };
  const ofTiers = ['remote.log.copy.disable', 'remote.log.delete.on.disable'].map((config) => ({
    name: config,
    value: 'false',
  }));
  expect(await alter([...ofTiers, { name: 'retention.ms', value: '3600000' }])).toBe('done');
  expect(await alter([{ name: 'no.such.config', value: '1' }])).toBe('INVALID_CONFIG');
});
