import { describe, expect, it } from 'vitest';
import { decodeAssignment, encodeAssignment } from '../consumer-groups/consumer-protocol.ts';
import { ErrorCode } from '../model/error-code.ts';
import { listGroups } from '../queries/groups.ts';
import { TestConsumerGroup } from '../testing/consumer-groups.ts';
import { encodeSubscription } from '../testing/consumer-protocol.ts';
import { TestGroup } from '../testing/groups.ts';
import { brokenInvariants } from '../testing/invariants.ts';

type Owned = readonly (readonly [string, readonly number[]])[];

/** A classic group of consumers `a` and `b`, each with three partitions of topic `t`, and its cluster. */
function classicGroup(): { consumers: TestConsumerGroup; classic: TestGroup } {
  const consumers = new TestConsumerGroup();
  const classic = new TestGroup(consumers.cluster);
  for (const name of ['a', 'b']) {
    classic.enter(name, { protocols: subscription(), initialRebalanceDelayMs: 100 });
  }
  while (classic.stateName === 'PreparingRebalance') {
    classic.pass(100);
  }
  classic.sync('b', 1);
  const assignments = [
    { memberId: 'a', assignment: encodeAssignment([['t', [0, 1, 2]]]) },
    { memberId: 'b', assignment: encodeAssignment([['t', [3, 4, 5]]]) },
  ];
  consumers.cluster.do({
    kind: 'sync-group',
    groupId: 'g',
    generationId: 1,
    memberId: 'a',
    groupInstanceId: null,
    protocolType: '',
    protocolName: '',
    assignments,
  });
  classic.take();
  return { consumers, classic };
}

function subscription(owned: Owned = []) {
  return [{ name: 'cooperative-sticky', metadata: encodeSubscription(['t'], owned) }];
}

/** The assignment of a classic member, such as `t0 t1`. */
function synced(consumers: TestConsumerGroup, memberId: string, generationId: number): string {
  const answer = consumers.cluster.do({
    kind: 'sync-group',
    groupId: 'g',
    generationId,
    memberId,
    groupInstanceId: null,
    protocolType: 'consumer',
    protocolName: 'cooperative-sticky',
    assignments: [],
  });
  if (answer.waiting || answer.errorCode !== 0) {
    return answer.waiting ? 'waits' : `error ${answer.errorCode}`;
  }
  const given = decodeAssignment(answer.assignment) ?? [];
  return given.flatMap(([topic, partitions]) => partitions.map((partition) => `${topic}${partition}`)).join(' ');
}

describe('a member of the new protocol', () => {
  it('takes over a classic group without moving its partitions', () => {
    const { consumers, classic } = classicGroup();
    expect(consumers.join('c')).toBe('c 1: -');
    expect(listGroups(consumers.cluster.state)).toMatchObject([{ groupType: 'Consumer', state: 'Assigning' }]);
    expect([...consumers.member('a').assigned.values()].map((numbers) => [...numbers.keys()])).toEqual([[0, 1, 2]]);
    expect(classic.beat('a', 1)).toBe(ErrorCode.REBALANCE_IN_PROGRESS);
    expect(brokenInvariants(consumers.cluster.state)).toEqual([]);
  });

  it('waits for classic members to give up their partitions', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    consumers.assign();
    expect(consumers.beat('c')).toBe('c 2');
    // Knowing what to keep, it stays in its generation.
    expect(classic.join('a', { protocols: subscription([['t', [0, 1, 2]]]) })).toBe('generation 1 leader ');
    expect(synced(consumers, 'a', 1)).toBe('t0 t1');
    expect(classic.beat('a', 1)).toBe(ErrorCode.REBALANCE_IN_PROGRESS);
    expect(consumers.beat('c')).toBe('c 2');
    expect(classic.join('a', { protocols: subscription([['t', [0, 1]]]) })).toBe('generation 2 leader ');
    expect(synced(consumers, 'a', 2)).toBe('t0 t1');
    expect(classic.beat('a', 2)).toBe(0);
    expect(consumers.beat('c')).toBe('c 2: t2');
    expect(brokenInvariants(consumers.cluster.state)).toEqual([]);
  });

  it('is refused where the members are not consumers', () => {
    const consumers = new TestConsumerGroup();
    new TestGroup(consumers.cluster).enter('w', { protocolType: 'connect' });
    expect(consumers.join('c')).toBe(`error ${ErrorCode.GROUP_ID_NOT_FOUND}`);
    expect(consumers.cluster.state.groups.get('g')?.consumer).toBeNull();
  });

  it('tells classic members that wait for the others to join again', () => {
    const consumers = new TestConsumerGroup();
    const classic = new TestGroup(consumers.cluster);
    classic.enter('a', { protocols: subscription(), initialRebalanceDelayMs: 100 });
    consumers.join('c');
    expect(consumers.last?.joined.map(({ answerTo, answer }) => [answerTo, answer.errorCode])).toEqual([
      ['a', ErrorCode.REBALANCE_IN_PROGRESS],
    ]);
  });
});

describe('a classic member', () => {
  it('that joins a group of the new protocol gets its share', () => {
    const consumers = new TestConsumerGroup();
    const classic = new TestGroup(consumers.cluster);
    consumers.join('c');
    consumers.settle();
    expect(classic.enter('a', { protocols: subscription() })).toBe('generation 2 leader ');
    consumers.assign();
    consumers.beat('c');
    consumers.beat('c');
    expect(classic.beat('a', 2)).toBe(ErrorCode.REBALANCE_IN_PROGRESS);
    expect(classic.join('a', { protocols: subscription() })).toBe('generation 3 leader ');
    expect(synced(consumers, 'a', 3)).toBe('t3 t4 t5');
    expect(classic.beat('a', 3)).toBe(0);
  });

  it('that does not rejoin in time is removed', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    classic.join('b', { protocols: subscription([['t', [3, 4, 5]]]) });
    expect(classic.pass(60_000)).toBe(true);
    expect([...consumers.consumer.members.keys()]).toEqual(['c']);
  });

  it('without a protocol that the others have is refused', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    const protocols = [{ name: 'range', metadata: encodeSubscription(['t']) }];
    expect(classic.enter('d', { protocols })).toBe(`error ${ErrorCode.INCONSISTENT_GROUP_PROTOCOL}`);
  });

  it('may not sync or commit in an old generation', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    expect(synced(consumers, 'a', 0)).toBe(`error ${ErrorCode.ILLEGAL_GENERATION}`);
    expect(synced(consumers, 'a', 1)).toBe(`error ${ErrorCode.REBALANCE_IN_PROGRESS}`);
    expect(classic.beat('a', 0)).toBe(ErrorCode.ILLEGAL_GENERATION);
  });

  it('may leave', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    expect(classic.leave('a', 'z')).toEqual([0, ErrorCode.UNKNOWN_MEMBER_ID]);
    expect([...consumers.consumer.members.keys()]).toEqual(['b', 'c']);
  });
});

describe('when the last member of the new protocol is gone', () => {
  it('the group is a classic one again, whose members rebalance', () => {
    const { consumers, classic } = classicGroup();
    consumers.join('c');
    const { epoch } = consumers.consumer;
    expect(consumers.leave('c')).toBe('left');
    expect(listGroups(consumers.cluster.state)).toMatchObject([{ groupType: 'Classic', state: 'PreparingRebalance' }]);
    classic.join('b', { protocols: subscription() });
    classic.join('a', { protocols: subscription() });
    expect(classic.take()).toEqual([
      `a: generation ${epoch + 1} leader a of a,b`,
      `b: generation ${epoch + 1} leader a`,
    ]);
    expect(brokenInvariants(consumers.cluster.state)).toEqual([]);
  });

  it('even if a classic member took its place', () => {
    const consumers = new TestConsumerGroup();
    const classic = new TestGroup(consumers.cluster);
    consumers.join('c', ['t'], { instanceId: 'i' });
    consumers.settle();
    const { epoch } = consumers.consumer;
    classic.enter('d', { protocols: subscription(), groupInstanceId: 'i' });
    expect(classic.take()).toEqual([`d: generation ${epoch + 1} leader d of d`]);
    expect(brokenInvariants(consumers.cluster.state)).toEqual([]);
  });
});
