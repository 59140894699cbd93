import { type CommandOf, describeConsumerGroups, type Id } from '@penstock/metadata-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import type { Owner } from './owner.ts';

const SESSION_MS = 45_000;
const INTERVAL_MS = 1_000;

let fixture: ClusterFixture;
let owner: Owner;
let orders: Id;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  orders = await createTopic('orders', 4);
});

async function createTopic(name: string, partitions: number): Promise<Id> {
  return await fixture.createTopic(owner, name, partitions);
}

type Heartbeat = CommandOf<'consumer-group-heartbeat'>;

function heartbeat(memberId: string, change: Partial<Heartbeat> = {}): ReturnType<Owner['groups']['heartbeat']> {
  return owner.groups.heartbeat({
    kind: 'consumer-group-heartbeat',
    groupId: 'billing',
    memberId,
    newMemberId: 'unused',
    memberEpoch: 0,
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: 60_000,
    subscribedTopics: ['orders'],
    subscribedRegex: null,
    serverAssignor: null,
    owned: [],
    apiVersion: 1,
    clientId: 'client',
    clientHost: '/127.0.0.1',
    principal: 'User:ANONYMOUS',
    ...change,
  });
}

/** Partitions that the answer gives. */
function given(answer: Awaited<ReturnType<typeof heartbeat>>): number[] {
  return (answer.assignment ?? []).flatMap(({ partitions }) => partitions);
}

/** A heartbeat that says nothing new. */
const quiet = { rebalanceTimeoutMs: -1, subscribedTopics: null, owned: null };

describe('a member that joins', () => {
  test('is answered with its assignment', async () => {
    const answer = await heartbeat('a');
    expect(answer).toMatchObject({ errorCode: 0, memberEpoch: 2, heartbeatIntervalMs: 5_000 });
    expect(given(answer)).toEqual([0, 1, 2, 3]);
  });

  test('waits for the next assignment together with all others', async () => {
    await heartbeat('a');
    const joining = [heartbeat('b'), heartbeat('c')];
    await settle();
    await fixture.clock.advance(INTERVAL_MS);
    // The first one still has all partitions.
    expect((await Promise.all(joining)).map((answer) => [answer.memberEpoch, given(answer)])).toEqual([
      [4, []],
      [4, []],
    ]);
  });

  test('is answered without an assignment after a timeout', async () => {
    const ops = [{ name: 'consumer.assignment.interval.ms', value: '15000' }];
    await owner.submit({ kind: 'alter-group-configs', groups: [{ groupId: 'billing', ops }], validateOnly: false });
    await heartbeat('a');
    const joining = heartbeat('b');
    await settle();
    await fixture.clock.advance(6_000);
    expect((await joining).memberEpoch).toBe(2);
  });
});

describe('heartbeats', () => {
  test('that change nothing keep members without being journaled', async () => {
    const { memberEpoch } = await heartbeat('a');
    const { journalSeq } = owner;
    for (let n = 0; n < 4; n += 1) {
      await fixture.clock.advance(SESSION_MS - 5_000);
      expect(await heartbeat('a', { ...quiet, memberEpoch })).toMatchObject({ errorCode: 0, assignment: null });
    }
    expect(owner.journalSeq).toBe(journalSeq);
  });

  test('that stop remove the member after its session timeout', async () => {
    const { memberEpoch } = await heartbeat('a');
    await fixture.clock.advance(SESSION_MS + 1_000);
    expect(await heartbeat('a', { ...quiet, memberEpoch })).toMatchObject({ errorCode: 25 });
  });

  test('alone keep a member: commits do not, as in Kafka', async () => {
    const { memberEpoch } = await heartbeat('a');
    await fixture.clock.advance(SESSION_MS - 1_000);
    owner.groups.touch({ groupId: 'billing', memberId: 'a' });
    await fixture.clock.advance(2_000);
    expect(await heartbeat('a', { ...quiet, memberEpoch })).toMatchObject({ errorCode: 25 });
  });

  test('continue after a failover', async () => {
    const { memberEpoch } = await heartbeat('a');
    owner.leaseLost();
    owner = await fixture.open();
    expect(await heartbeat('a', { ...quiet, memberEpoch })).toMatchObject({ errorCode: 0, memberEpoch });
  });

  test('get an assignment from the next owner if one is missing', async () => {
    await heartbeat('a');
    heartbeat('b').catch(() => undefined);
    await settle();
    owner.leaseLost();
    owner = await fixture.open();
    await fixture.clock.advance(INTERVAL_MS);
    expect(given(await heartbeat('a', { ...quiet, memberEpoch: 2 }))).toEqual([0, 1]);
  });
});

describe('a member that leaves', () => {
  /** Two members with two partitions each. */
  async function share(): Promise<{ epoch: number }> {
    const { memberEpoch: first } = await heartbeat('a');
    const joining = heartbeat('b');
    await settle();
    await fixture.clock.advance(INTERVAL_MS);
    await joining;
    const { memberEpoch: revoking } = await heartbeat('a', { ...quiet, memberEpoch: first });
    const owned = [{ topicId: orders, partitions: [0, 1] }];
    const { memberEpoch: epoch } = await heartbeat('a', { ...quiet, memberEpoch: revoking, owned });
    expect(given(await heartbeat('b', { ...quiet, memberEpoch: epoch }))).toEqual([2, 3]);
    await fixture.clock.advance(INTERVAL_MS);
    return { epoch };
  }

  async function isAssigned(): Promise<boolean> {
    const [group] = await owner.read((state) => describeConsumerGroups(state, ['billing']));
    return group?.assignmentEpoch === group?.groupEpoch;
  }

  test('regains its partitions if it returns at once', async () => {
    const { epoch } = await share();
    await heartbeat('b', { ...quiet, memberEpoch: -1 });
    await settle();
    expect(given(await heartbeat('b-again'))).toEqual([2, 3]);
    expect(await heartbeat('a', { ...quiet, memberEpoch: epoch })).toMatchObject({ errorCode: 0, assignment: null });
  });

  test('leaves its partitions to the next member’s heartbeat', async () => {
    const { epoch } = await share();
    await heartbeat('b', { ...quiet, memberEpoch: -1 });
    await settle();
    expect(given(await heartbeat('a', { ...quiet, memberEpoch: epoch }))).toEqual([0, 1, 2, 3]);
  });

  test('is awaited for at most one assignment interval', async () => {
    await share();
    await heartbeat('b', { ...quiet, memberEpoch: -1 });
    await settle();
    expect(await isAssigned()).toBe(false);
    await fixture.clock.advance(INTERVAL_MS);
    expect(await isAssigned()).toBe(true);
  });

  test('is not awaited by the next owner', async () => {
    await share();
    await heartbeat('b', { ...quiet, memberEpoch: -1 });
    await settle();
    owner = await fixture.open();
    await settle();
    expect(await isAssigned()).toBe(true);
  });

  test('as the last one leaves a group that others can join', async () => {
    await heartbeat('a');
    await heartbeat('a', { ...quiet, memberEpoch: -1 });
    await settle();
    await fixture.clock.advance(INTERVAL_MS);
    expect(given(await heartbeat('b'))).toEqual([0, 1, 2, 3]);
  });
});

describe('regular expressions', () => {
  test('find existing topics and later new ones', async () => {
    await createTopic('order-lines', 1);
    await createTopic('payments', 1);
    const joined = await heartbeat('a', { subscribedTopics: null, subscribedRegex: 'order.*' });
    expect(given(joined)).toHaveLength(5);
    await createTopic('order-notes', 2);
    await fixture.clock.advance(10_000);
    await heartbeat('a', { ...quiet, memberEpoch: joined.memberEpoch });
    await fixture.clock.advance(INTERVAL_MS);
    const next = await heartbeat('a', { ...quiet, memberEpoch: joined.memberEpoch });
    expect(given(next)).toHaveLength(7);
  });

  test('find only what their member may describe', async () => {
    await createTopic('order-secrets', 1);
    await owner.submit({
      kind: 'update-security-settings',
      settings: {
        superUsers: [],
        allowEveryoneIfNoAclFound: false,
        aclMode: 'enforced',
        authentication: 'when-credentials-exist',
      },
      expectedVersion: 0,
    });
    const acl = { resourceType: 2, patternType: 3, host: '*', operation: 3, permissionType: 3 };
    const bindings = [{ ...acl, resourceName: 'orders', principal: 'User:alice' }];
    await owner.submit({ kind: 'create-acls', bindings });
    const joined = await heartbeat('a', {
      subscribedRegex: 'order.*',
      subscribedTopics: null,
      principal: 'User:alice',
    });
    expect(given(joined)).toEqual([0, 1, 2, 3]);
  });

  // Requests with them are refused, so they were accepted before the limit was lowered.
  test('that are too large match nothing and block nothing', async () => {
    const joined = await heartbeat('a', { subscribedRegex: '(a?){1000}(a?){1000}.*', subscribedTopics: null });
    expect(joined.errorCode).toBe(0);
    expect(given(joined)).toEqual([]);
    const other = await heartbeat('b', { groupId: 'audit', subscribedRegex: 'orders', subscribedTopics: null });
    expect(given(other)).toEqual([0, 1, 2, 3]);
  });
});
