import { DAY_MS, HOUR_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import type { CommitOffsets, OffsetToCommit } from '../model/groups.types.ts';
import { allCommittedOffsets, describeGroups, fetchOffsets, GroupFilter, listGroups } from '../queries/groups.ts';
import { TestGroup } from '../testing/groups.ts';

const at = (topic: string, partition: number, offset: number, metadata = ''): OffsetToCommit => ({
  topic,
  partition,
  offset,
  leaderEpoch: 0,
  metadata,
});

function commit(group: TestGroup, offsets: OffsetToCommit[], change: Partial<CommitOffsets> = {}) {
  return group.cluster.outcome({
    kind: 'commit-offsets',
    groupId: 'g',
    generationId: -1,
    memberId: '',
    groupInstanceId: null,
    offsets,
    ...change,
  });
}

function withTopic(group = new TestGroup()): TestGroup {
  group.cluster.topic(1, 2, 't');
  return group;
}

const stored = (group: TestGroup) =>
  [...allCommittedOffsets(group.cluster.state, 'g')].map(
    ({ topic, partition, offset }) => `${topic}-${partition}@${offset}`,
  );

describe('SetOffsetsRetention', () => {
  const retention = (group: TestGroup, minutes: number) =>
    group.cluster.do({ kind: 'set-offsets-retention', minutes }).errorCode;

  it('applies to existing offsets whether it shrinks or grows', () => {
    for (const [minutes, keptMs] of [
      [60, HOUR_MS],
      [20_160, 14 * DAY_MS],
    ] as const) {
      const group = withTopic();
      commit(group, [at('t', 0, 5)]);
      group.cluster.do({ kind: 'expire-offsets' });
      expect(retention(group, minutes)).toBe(0);
      group.cluster.nowMs += keptMs - 1;
      expect(group.cluster.do({ kind: 'expire-offsets' }).expiredOffsets).toBe(0);
      group.cluster.nowMs += 1;
      expect(group.cluster.do({ kind: 'expire-offsets' }).expiredOffsets).toBe(1);
    }
  });

  it('takes whole minutes that Kafka takes', () => {
    const group = withTopic();
    expect([0, 0.5, 2 ** 31, 1].map((minutes) => retention(group, minutes))).toEqual([40, 40, 40, 0]);
  });
});

describe('CommitOffsets', () => {
  it('creates an offsets-only group for a client outside groups', () => {
    const group = withTopic();
    expect(commit(group, [at('t', 0, 5), at('t', 1, 6)]).answer).toEqual({ errorCode: 0, offsetErrorCodes: [] });
    expect(stored(group)).toEqual(['t-0@5', 't-1@6']);
    expect(listGroups(group.cluster.state, new GroupFilter(['empty']))).toEqual([
      { groupId: 'g', protocolType: '', state: 'Empty', groupType: 'Classic' },
    ]);
  });

  it('checks each offset on its own and keeps the valid ones', () => {
    const group = withTopic();
    const offsets = [at('t', 0, 5), at('x', 0, 1), at('t', 2, 1), at('t', 1, 1, 'é'.repeat(2_049)), at('t', 1, 0.5)];
    expect(commit(group, offsets).answer.offsetErrorCodes).toEqual([0, 3, 3, 12, 42]);
    expect(stored(group)).toEqual(['t-0@5']);
    expect(commit(group, [at('t', 0, 7, 'é'.repeat(2_048))]).answer.offsetErrorCodes).toEqual([]);
  });

  it('keeps negative offsets, which mean "the earliest"', () => {
    const group = withTopic();
    expect(commit(group, [at('t', 0, -2), at('t', 1, -1)]).answer.offsetErrorCodes).toEqual([]);
    expect(stored(group)).toEqual(['t-0@-2', 't-1@-1']);
    const restored = decodeSnapshot(encodeSnapshot(group.cluster.state));
    expect([...allCommittedOffsets(restored, 'g')].map(({ offset }) => offset)).toEqual([-2, -1]);
  });

  it.each<[string, Partial<CommitOffsets>, number]>([
    ['a member', { generationId: 1, memberId: 'a' }, 0],
    ['an unknown member', { generationId: 1, memberId: 'zz' }, 25],
    ['an old generation', { generationId: 0, memberId: 'a' }, 22],
    ['an unknown instance', { generationId: 1, memberId: 'a', groupInstanceId: 'i' }, 25],
    ['no member of a group that has some', {}, 25],
    ['a generation in a group that does not exist', { groupId: 'other', generationId: 1 }, 22],
  ])('of %s', (_who, change, errorCode) => {
    const outcome = commit(withTopic(TestGroup.stable('a')), [at('t', 0, 5)], change);
    expect(outcome.answer.errorCode).toBe(errorCode);
    expect(outcome.changed).toBe(errorCode === 0);
  });

  it('accepts members during a rebalance until they rejoin', () => {
    const group = withTopic(TestGroup.stable('a'));
    group.enter('b');
    expect(commit(group, [at('t', 0, 5)], { generationId: 1, memberId: 'a' }).answer.errorCode).toBe(0);
    group.join('a');
    expect(commit(group, [at('t', 0, 6)], { generationId: 1, memberId: 'a' }).answer.errorCode).toBe(22);
    expect(commit(group, [at('t', 0, 6)], { generationId: 2, memberId: 'a' }).answer.errorCode).toBe(27);
    expect(stored(group)).toEqual(['t-0@5']);
  });
});

describe('FetchOffsets', () => {
  it('returns -1 where nothing is committed', () => {
    const group = withTopic();
    commit(group, [at('t', 0, 5, 'note')]);
    const partitions = [
      { topic: 't', partition: 1 },
      { topic: 't', partition: 0 },
    ];
    expect(fetchOffsets(group.cluster.state, 'g', partitions)).toEqual([
      { topic: 't', partition: 1, offset: -1, leaderEpoch: -1, metadata: '', errorCode: 0 },
      { topic: 't', partition: 0, offset: 5, leaderEpoch: 0, metadata: 'note', errorCode: 0 },
    ]);
    expect([...allCommittedOffsets(group.cluster.state, 'other')]).toEqual([]);
  });
});

describe('DeleteOffsets', () => {
  /** A subscription as consumers send it: version 3, one topic `t`, no user data. */
  const subscribedToT = Uint8Array.of(0, 3, 0, 0, 0, 1, 0, 1, 't'.charCodeAt(0), 0xff, 0xff, 0xff, 0xff);

  function remove(group: TestGroup, topic: string, partition = 0) {
    return group.cluster.outcome({ kind: 'delete-offsets', groupId: 'g', partitions: [{ topic, partition }] });
  }

  it('removes offsets of topics that no member reads', () => {
    const group = withTopic();
    group.cluster.topic(2, 1, 'u');
    commit(group, [at('t', 0, 5), at('u', 0, 5)]);
    group.enter('a', { protocols: [{ name: 'range', metadata: subscribedToT }] });
    expect(remove(group, 't').answer).toEqual({ errorCode: 0, partitionErrorCodes: [86] });
    expect(remove(group, 'u').answer).toEqual({ errorCode: 0, partitionErrorCodes: [0] });
    expect(remove(group, 'x').answer.partitionErrorCodes).toEqual([3]);
    expect(stored(group)).toEqual(['t-0@5']);
  });

  it('refuses unknown groups and unreadable subscriptions', () => {
    const group = withTopic();
    expect(remove(group, 't').answer.errorCode).toBe(69);
    group.enter('a', { protocolType: 'connect' });
    expect(remove(group, 't').answer.errorCode).toBe(68);
  });
});

describe('DeleteGroups', () => {
  it('deletes only empty groups', () => {
    const group = withTopic(TestGroup.stable('a'));
    const remove = () => group.cluster.do({ kind: 'delete-groups', groupIds: ['g', 'none'] }).errorCodes;
    expect(remove()).toEqual([68, 69]);
    group.leave('a');
    expect(remove()).toEqual([0, 69]);
    expect(describeGroups(group.cluster.state, ['g'])).toMatchObject([{ errorCode: 69, state: 'Dead' }]);
  });
});

describe('ExpireOffsets', () => {
  const DAYS_7 = 7 * DAY_MS;
  const expire = (group: TestGroup) => group.cluster.do({ kind: 'expire-offsets' }).expiredOffsets;

  it('expires offsets of an empty group by their commit time', () => {
    const group = withTopic();
    commit(group, [at('t', 0, 5)]);
    group.cluster.nowMs += 1_000;
    commit(group, [at('t', 1, 5)]);
    group.cluster.nowMs += DAYS_7 - 1_000;
    expect(expire(group)).toBe(1);
    expect(stored(group)).toEqual(['t-1@5']);
    group.cluster.nowMs += 1_000;
    expect(expire(group)).toBe(1);
    expect(listGroups(group.cluster.state)).toEqual([]);
  });

  it('counts retention from when the last member left', () => {
    const group = withTopic(TestGroup.stable('a'));
    commit(group, [at('t', 0, 5)], { generationId: 1, memberId: 'a' });
    group.cluster.nowMs += 2 * DAYS_7;
    expect(expire(group)).toBe(0);
    group.leave('a');
    group.cluster.nowMs += DAYS_7 - 1;
    expect(expire(group)).toBe(0);
    group.cluster.nowMs += 1;
    expect(expire(group)).toBe(1);
  });

  describe('for topics that a group no longer reads', () => {
    /** A stable group with offsets of two topics, one of which its member reads. */
    function readsOnlyT(): TestGroup {
      const group = new TestGroup();
      group.cluster.topic(1, 2, 't');
      group.cluster.topic(2, 1, 'left');
      group.enter('a', { protocols: [{ name: 'range', metadata: subscriptionTo('t') }] });
      group.sync('a', 1, 'a=A');
      commit(group, [at('t', 0, 5), at('left', 0, 5)], { generationId: 1, memberId: 'a' });
      return group;
    }

    it('expires them by commit age and keeps those still read', () => {
      const group = readsOnlyT();
      group.cluster.nowMs += DAYS_7 - 1;
      expect(expire(group)).toBe(0);
      group.cluster.nowMs += 1;
      expect(expire(group)).toBe(1);
      expect(stored(group)).toEqual(['t-0@5']);
      group.cluster.nowMs += DAYS_7;
      expect(expire(group)).toBe(0);
    });

    it('notices a topic that is left later', () => {
      const group = readsOnlyT();
      group.cluster.nowMs += DAYS_7;
      expect(expire(group)).toBe(1);
      group.join('a', { protocols: [{ name: 'range', metadata: subscriptionTo('left') }] });
      expect(expire(group)).toBe(0);
      group.sync('a', 2, 'a=A');
      expect(expire(group)).toBe(1);
      expect(stored(group)).toEqual([]);
      expect(listGroups(group.cluster.state).map(({ state }) => state)).toEqual(['Stable']);
    });

    it('keeps them all when the group’s topics are unknown', () => {
      const unreadable = withTopic(TestGroup.stable('a'));
      commit(unreadable, [at('t', 0, 5)], { generationId: 1, memberId: 'a' });
      unreadable.cluster.nowMs += DAYS_7;
      expect(expire(unreadable)).toBe(0);
    });
  });
});

/** Encodes ConsumerProtocolSubscription, version 0. */
function subscriptionTo(topic: string): Uint8Array {
  const name = new TextEncoder().encode(topic);
  return Uint8Array.from([0, 0, 0, 0, 0, 1, 0, name.length, ...name, 0, 0, 0, 0]);
}
