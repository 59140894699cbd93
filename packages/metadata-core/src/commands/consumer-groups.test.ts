import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../model/error-code.ts';
import { describeConsumerGroups } from '../queries/consumer-groups.ts';
import { describeGroups, GroupFilter, listGroups } from '../queries/groups.ts';
import { id } from '../testing/cluster.ts';
import { TestConsumerGroup } from '../testing/consumer-groups.ts';
import { TestGroup } from '../testing/groups.ts';
import { brokenInvariants } from '../testing/invariants.ts';

/** Members that share the topics, settled. */
function settled(...names: string[]): TestConsumerGroup {
  const group = new TestConsumerGroup();
  for (const name of names) {
    group.join(name);
  }
  group.settle();
  return group;
}

describe('joining', () => {
  it('gives the first member an epoch, then all partitions', () => {
    const group = new TestConsumerGroup();
    expect(group.join('a')).toBe('a 1: -');
    expect(group.stateName).toBe('Assigning');
    group.assign();
    expect(group.stateName).toBe('Reconciling');
    expect(group.beat('a')).toBe('a 2: t0 t1 t2 t3 t4 t5');
    expect(group.stateName).toBe('Stable');
  });

  it('starts the session with the timeout of the group', () => {
    const group = new TestConsumerGroup();
    group.join('a');
    expect(group.last?.sessions).toEqual([{ memberId: 'a', sessionTimeoutMs: 45_000 }]);
    const ops = [{ name: 'consumer.session.timeout.ms', value: '50000' }];
    group.cluster.do({ kind: 'alter-group-configs', groups: [{ groupId: 'g', ops }], validateOnly: false });
    expect(group.send({ memberEpoch: 1 })).toMatchObject({ sessionTimeoutMs: 50_000, heartbeatIntervalMs: 5_000 });
  });

  it('assigns a missing member id in version 0', () => {
    const group = new TestConsumerGroup();
    const join = { memberId: '', rebalanceTimeoutMs: 1, subscribedTopics: ['t'], owned: [] };
    expect(group.send({ ...join, apiVersion: 0 }).memberId).toBe('new-id');
    expect(group.send({ ...join, apiVersion: 1 }).errorCode).toBe(ErrorCode.INVALID_REQUEST);
  });

  it.each([
    ['an empty group id', { groupId: ' ' }, 42],
    ['an empty instance id', { instanceId: '' }, 42],
    ['an empty rack', { rackId: '' }, 42],
    ['no rebalance timeout', { rebalanceTimeoutMs: -1 }, 42],
    ['partitions that it owns', { owned: [{ topicId: id(1), partitions: [0] }] }, 42],
    ['nothing about what it owns', { owned: null }, 42],
    ['no subscription', { subscribedTopics: null }, 42],
    ['an epoch below -2', { memberEpoch: -3 }, 42],
    ['an unknown assignor', { serverAssignor: 'sticky' }, ErrorCode.UNSUPPORTED_ASSIGNOR],
    ['a regular expression of 5,000 characters', { subscribedRegex: 'x'.repeat(5_000) }, 128],
    ['an epoch in a group that does not exist', { memberEpoch: 3 }, ErrorCode.GROUP_ID_NOT_FOUND],
  ])('with %s is refused, and changes nothing', (_, change, errorCode) => {
    const group = new TestConsumerGroup();
    expect(group.join('a', ['t'], change)).toBe(`error ${errorCode}`);
    expect(group.cluster.state.groups.size).toBe(0);
  });
});

describe('a rebalance', () => {
  it('moves a partition only after its owner confirms release', () => {
    const group = settled('a');
    group.join('b');
    group.assign();
    expect(group.beat('b')).toBe('b 3');
    // Asked to revoke three, it stays in its epoch.
    expect(group.beat('a')).toBe('a 2: t0 t1 t2');
    expect(group.beat('b')).toBe('b 3');
    expect(group.stateName).toBe('Reconciling');
    expect(group.beat('a')).toBe('a 3');
    expect(group.beat('b')).toBe('b 3: t3 t4 t5');
    expect(group.stateName).toBe('Stable');
    expect(brokenInvariants(group.cluster.state)).toEqual([]);
  });

  it('waits for a member that reports no owned partitions', () => {
    const group = settled('a');
    group.join('b');
    group.assign();
    group.beat('a');
    expect(group.beat('a', { owned: null })).toBe('a 2');
    expect(group.beat('b')).toBe('b 3');
  });

  it('removes members that hold partitions past the timeout', () => {
    const group = settled('a');
    group.join('b');
    group.assign();
    group.beat('b');
    group.beat('a');
    expect(group.last?.deadlineMs).toBe(group.cluster.nowMs + 60_000);
    expect(group.pass(59_999)).toBe(false);
    expect(group.pass(1)).toBe(true);
    expect(group.last?.ended).toEqual(['a']);
    expect(group.beat('a')).toBe(`error ${ErrorCode.UNKNOWN_MEMBER_ID}`);
    group.clients.delete('a');
    group.settle();
    expect(group.shares).toBe('b: t0 t1 t2 t3 t4 t5');
  });

  it('follows topics that grow or are deleted', () => {
    const group = settled('a', 'b');
    group.cluster.do({ kind: 'create-partitions', topics: [{ name: 't', totalPartitions: 8 }], validateOnly: false });
    group.settle();
    expect(group.shares).toBe('a: t0 t2 t4 t6, b: t1 t3 t5 t7');
    group.cluster.do({ kind: 'delete-topics', names: ['t'], topicIds: [] });
    group.settle();
    expect(group.shares).toBe('a: -, b: -');
  });

  it('revokes unsubscribed partitions at once', () => {
    const group = settled('a');
    expect(group.beat('a', { subscribedTopics: ['u'] })).toBe('a 2: -');
    group.settle();
    expect(group.shares).toBe('a: u0 u1');
  });

  it('ignores an assignment that was computed for an earlier epoch', () => {
    const group = settled('a');
    const { epoch } = group.consumer;
    group.join('b');
    const stale = { kind: 'install-target-assignment', groupId: 'g', epoch, targets: [] } as const;
    expect(group.cluster.outcome({ ...stale, targets: [] })).toMatchObject({ changed: false });
  });

  it('spreads 500 partitions over 20 members within six rounds', () => {
    const group = new TestConsumerGroup();
    group.cluster.do({ kind: 'create-partitions', topics: [{ name: 't', totalPartitions: 500 }], validateOnly: false });
    const names = Array.from({ length: 20 }, (_, number) => `m${number}`);
    for (const name of names) {
      group.join(name);
    }
    expect(group.settle()).toBeLessThanOrEqual(6);
    expect(names.map((name) => group.owned(name)?.[0]?.partitions.length)).toEqual(names.map(() => 25));
  });
});

describe('a heartbeat', () => {
  // So that it need not be journaled.
  it('that changes nothing keeps the state object', () => {
    const group = settled('a', 'b');
    expect(group.beat('a')).toBe('a 3');
    expect(group.changed).toBe(false);
  });

  it('with all fields gets the assignment again', () => {
    const group = settled('a');
    expect(group.beat('a', { rebalanceTimeoutMs: 60_000, subscribedTopics: ['t'] })).toBe('a 2: t0 t1 t2 t3 t4 t5');
    expect(group.changed).toBe(false);
  });

  it.each([
    ['an epoch ahead', { memberEpoch: 9 }, ErrorCode.FENCED_MEMBER_EPOCH],
    [
      'an older epoch, and partitions that it must not own',
      { memberEpoch: 1, owned: [{ topicId: id(2), partitions: [0] }] },
      110,
    ],
    ['an unknown member', { memberId: 'z', memberEpoch: 2 }, ErrorCode.UNKNOWN_MEMBER_ID],
    ['an unknown instance', { memberEpoch: 2, instanceId: 'i' }, ErrorCode.UNKNOWN_MEMBER_ID],
  ])('with %s is refused', (_, change, errorCode) => {
    const group = settled('a');
    expect(group.beat('a', change)).toBe(`error ${errorCode}`);
  });

  it('accepts the previous epoch, in case its answer was lost', () => {
    const group = settled('a');
    expect(group.member('a').previousEpoch).toBe(1);
    expect(group.beat('a', { memberEpoch: 1, owned: [] })).toBe('a 2');
  });
});

describe('leaving', () => {
  it('frees the partitions, and a new assignment is due', () => {
    const group = settled('a', 'b');
    expect(group.leave('a')).toBe('left');
    group.clients.delete('a');
    expect(group.stateName).toBe('Assigning');
    group.settle();
    expect(group.shares).toBe('b: t0 t1 t2 t3 t4 t5');
  });

  it('also happens when a session ends', () => {
    const group = settled('a', 'b');
    expect(group.expire('a', 'z')).toEqual([true, false]);
    expect(group.last?.ended).toEqual(['a']);
    expect([...group.consumer.members.keys()]).toEqual(['b']);
  });

  it('opens the group to classic members after the last one', () => {
    const group = settled('a');
    group.leave('a');
    expect(listGroups(group.cluster.state)).toEqual([
      { groupId: 'g', protocolType: 'consumer', state: 'Empty', groupType: 'Consumer' },
    ]);
    const { epoch } = group.consumer;
    const classic = new TestGroup(group.cluster);
    classic.enter('c');
    expect(classic.take()).toEqual([`c: generation ${epoch + 1} leader c of c`]);
    expect(listGroups(group.cluster.state, new GroupFilter([], ['classic']))).toHaveLength(1);
    expect(brokenInvariants(group.cluster.state)).toEqual([]);
  });

  it('lets an empty group be deleted, and not one with members', () => {
    const group = settled('a');
    expect(group.cluster.do({ kind: 'delete-groups', groupIds: ['g'] }).errorCodes).toEqual([
      ErrorCode.NON_EMPTY_GROUP,
    ]);
    group.leave('a');
    expect(group.cluster.do({ kind: 'delete-groups', groupIds: ['g'] }).errorCodes).toEqual([0]);
  });
});

describe('a static member', () => {
  const withInstance = (): TestConsumerGroup => {
    const group = new TestConsumerGroup();
    group.join('a', ['t'], { instanceId: 'i' });
    group.join('b');
    group.settle();
    return group;
  };

  it('keeps its partitions when it leaves to return', () => {
    const group = withInstance();
    const { epoch } = group.consumer;
    expect(group.leave('a', -2)).toBe('left');
    expect(group.beat('b')).toBe(`b ${epoch}`);
    expect(group.join('a2', ['t'], { instanceId: 'i' })).toBe(`a2 ${epoch}: t0 t2 t4`);
    expect(group.last?.ended).toEqual(['a']);
    expect(group.consumer.epoch).toBe(epoch);
    expect(brokenInvariants(group.cluster.state)).toEqual([]);
  });

  it('cannot join while another has its instance id', () => {
    expect(withInstance().join('a2', ['t'], { instanceId: 'i' })).toBe(`error ${ErrorCode.UNRELEASED_INSTANCE_ID}`);
  });

  it('is fenced once another has taken its place', () => {
    const group = withInstance();
    group.leave('a', -2);
    group.join('a2', ['t'], { instanceId: 'i' });
    expect(group.beat('a')).toBe(`error ${ErrorCode.FENCED_INSTANCE_ID}`);
    expect(group.leave('a')).toBe(`error ${ErrorCode.FENCED_INSTANCE_ID}`);
  });

  it('that left is fenced with its old epoch', () => {
    const group = withInstance();
    group.leave('a', -2);
    expect(group.beat('a')).toBe(`error ${ErrorCode.FENCED_MEMBER_EPOCH}`);
  });

  it('loses its partitions if its session ends before it returns', () => {
    const group = withInstance();
    group.leave('a', -2);
    group.expire('a');
    group.clients.delete('a');
    group.settle();
    expect(group.shares).toBe('b: t0 t1 t2 t3 t4 t5');
  });
});

describe('a regular expression', () => {
  it('subscribes to its matches once it is resolved', () => {
    const group = new TestConsumerGroup();
    group.join('a', [], { subscribedRegex: 't|u' });
    expect(group.settle()).toBe(2);
    const regexes = [{ regex: 't|u', topics: ['t', 'u'] }];
    const resolve = { kind: 'resolve-group-regexes', groupId: 'g', regexes } as const;
    expect(group.cluster.outcome({ ...resolve, regexes })).toMatchObject({ changed: true });
    group.settle();
    expect(group.shares).toBe('a: t0 t1 t2 t3 t4 t5 u0 u1');
    expect(group.cluster.outcome({ ...resolve, regexes })).toMatchObject({ changed: false });
  });

  it('is forgotten with its last member', () => {
    const group = new TestConsumerGroup();
    group.join('a', [], { subscribedRegex: 't' });
    group.cluster.do({ kind: 'resolve-group-regexes', groupId: 'g', regexes: [{ regex: 't', topics: ['t'] }] });
    group.settle();
    group.beat('a', { subscribedRegex: '', subscribedTopics: ['u'] });
    group.settle();
    expect(group.consumer.regexes.size).toBe(0);
    expect(group.shares).toBe('a: u0 u1');
  });
});

describe('offsets', () => {
  const commit = (
    group: TestConsumerGroup,
    memberId: string,
    generationId: number,
    topic = 't',
    partition = 0,
  ): number =>
    group.cluster.do({
      kind: 'commit-offsets',
      groupId: 'g',
      generationId,
      memberId,
      groupInstanceId: null,
      knowsMemberEpochs: true,
      offsets: [{ topic, partition, offset: 5, leaderEpoch: -1, metadata: '' }],
    }).errorCode;

  it('are committed by members with their epoch', () => {
    const group = settled('a');
    expect(commit(group, 'a', 2)).toBe(0);
    expect(commit(group, 'a', 3)).toBe(ErrorCode.STALE_MEMBER_EPOCH);
    expect(commit(group, 'z', 2)).toBe(ErrorCode.UNKNOWN_MEMBER_ID);
    expect(commit(group, '', -1)).toBe(ErrorCode.UNKNOWN_MEMBER_ID);
  });

  it('accept an earlier epoch for partitions held at the time', () => {
    const group = settled('a');
    group.join('b');
    group.settle();
    expect(group.member('a').epoch).toBe(3);
    expect(commit(group, 'a', 2, 't', 0)).toBe(0);
    expect(commit(group, 'a', 1, 't', 0)).toBe(ErrorCode.STALE_MEMBER_EPOCH);
    expect(commit(group, 'a', 2, 't', 5)).toBe(ErrorCode.STALE_MEMBER_EPOCH);
    expect(commit(group, 'b', 2, 't', 5)).toBe(ErrorCode.STALE_MEMBER_EPOCH);
  });

  it('can be committed by any client to an empty group', () => {
    const group = settled('a');
    group.leave('a');
    expect(commit(group, '', -1)).toBe(0);
  });

  it('are refused for an unknown group with a member', () => {
    expect(commit(new TestConsumerGroup(), 'a', 2)).toBe(ErrorCode.GROUP_ID_NOT_FOUND);
  });

  it('cannot be deleted for topics that members read', () => {
    const group = settled('a');
    const partitions = [
      { topic: 't', partition: 0 },
      { topic: 'u', partition: 0 },
    ];
    expect(group.cluster.do({ kind: 'delete-offsets', groupId: 'g', partitions }).partitionErrorCodes).toEqual([
      ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC,
      0,
    ]);
  });
});

describe('descriptions', () => {
  it('name a group’s epochs, members and partitions', () => {
    const group = settled('a');
    expect(describeConsumerGroups(group.cluster.state, ['g', 'nope', ''])).toMatchObject([
      {
        errorCode: 0,
        state: 'Stable',
        groupEpoch: 2,
        assignmentEpoch: 2,
        assignorName: 'uniform',
        members: [{ memberId: 'a', memberEpoch: 2, assignment: [{ topicName: 't', partitions: [0, 1, 2, 3, 4, 5] }] }],
      },
      { errorCode: ErrorCode.GROUP_ID_NOT_FOUND, groupId: 'nope' },
      { errorCode: ErrorCode.INVALID_GROUP_ID, groupId: '' },
    ]);
  });

  it('by the classic call say that it is not a classic group', () => {
    expect(describeGroups(settled('a').cluster.state, ['g'])).toMatchObject([
      { errorCode: ErrorCode.GROUP_ID_NOT_FOUND, state: 'Dead', errorMessage: 'Group g is not a classic group.' },
    ]);
  });
});

describe('configs of groups', () => {
  const alter = (group: TestConsumerGroup, name: string, value: string | null, groupId = 'g'): number | undefined =>
    group.cluster.do({
      kind: 'alter-group-configs',
      groups: [{ groupId, ops: [{ name, value }] }],
      validateOnly: false,
    }).results[0]?.errorCode;

  it.each([
    ['consumer.session.timeout.ms', '50000', 0],
    ['consumer.session.timeout.ms', '5000', ErrorCode.INVALID_CONFIG],
    ['consumer.heartbeat.interval.ms', 'soon', ErrorCode.INVALID_CONFIG],
    ['consumer.assignor.offload.enable', 'false', 0],
    ['share.session.timeout.ms', '50000', ErrorCode.INVALID_CONFIG],
    ['consumer.session.timeout.ms', null, 0],
  ])('%s = %s is answered with %i', (name, value, errorCode) => {
    expect(alter(new TestConsumerGroup(), name, value)).toBe(errorCode);
  });

  it('need the id of a group', () => {
    expect(alter(new TestConsumerGroup(), 'consumer.session.timeout.ms', '50000', '')).toBe(ErrorCode.INVALID_REQUEST);
  });
});
