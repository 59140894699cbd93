import { describe, expect, it } from 'vitest';
import type { JoinGroup } from '../model/groups.types.ts';
import { describeGroups, groupTimers, listGroups, sessionTimeoutMs } from '../queries/groups.ts';
import { TestGroup } from '../testing/groups.ts';

const noMetadata = new Uint8Array(0);
const protocol = (...names: string[]) => ({ protocols: names.map((name) => ({ name, metadata: noMetadata })) });

describe('joining', () => {
  it('the first member of a group leads it alone', () => {
    const group = new TestGroup();
    expect(group.enter('a')).toBe('waits');
    expect(group.take()).toEqual(['a: generation 1 leader a of a']);
    expect(group.sync('a', 1, 'a=A')).toBe('assigned A');
    expect(group.stateName).toBe('Stable');
  });

  // Each extends the wait once.
  it('members joining in the initial delay share one generation', () => {
    const group = new TestGroup();
    const delay = { initialRebalanceDelayMs: 500 };
    group.enter('a', delay);
    expect(group.last?.deadlineMs).toBe(group.cluster.nowMs + 500);
    expect(group.pass(400)).toBe(false);
    group.enter('b', delay);
    expect(group.pass(100)).toBe(true);
    expect(group.take()).toEqual([]);
    expect(group.last?.deadlineMs).toBe(group.cluster.nowMs + 500);
    expect(group.pass(500)).toBe(true);
    expect(group.take()).toEqual(['a: generation 1 leader a of a,b', 'b: generation 1 leader a']);
  });

  it('a new member starts a rebalance that ends once all rejoin', () => {
    const group = TestGroup.stable('a', 'b');
    expect(group.enter('c')).toBe('waits');
    expect([group.beat('a', 1), group.beat('b', 1)]).toEqual([27, 27]);
    group.join('b');
    expect(group.take()).toEqual([]);
    group.join('a');
    expect(group.take()).toEqual([
      'a: generation 2 leader a of a,b,c',
      'b: generation 2 leader a',
      'c: generation 2 leader a',
    ]);
  });

  it('a leader that does not rejoin in time is replaced', () => {
    const group = TestGroup.stable('a', 'b');
    group.enter('c');
    group.join('b');
    expect(group.pass(59_999)).toBe(false);
    expect(group.pass(1)).toBe(true);
    expect(group.take()).toEqual(['b: generation 2 leader b of b,c', 'c: generation 2 leader b']);
    expect(group.last?.ended).toEqual(['a']);
    expect(group.beat('a', 1)).toBe(25);
  });

  it('a rebalance waits for a member that was just given its id', () => {
    const group = TestGroup.stable('a');
    expect(group.enter('b', { requireKnownMemberId: true })).toBe('error 79');
    expect(sessionTimeoutMs(group.cluster.state, 'g', 'b')).toBe(10_000);
    group.enter('c');
    group.join('a');
    expect(group.take()).toEqual([]);
    expect(group.join('b')).toBe('waits');
    expect(group.take()).toHaveLength(3);
  });

  it('an unused member id expires and the rebalance continues', () => {
    const group = TestGroup.stable('a');
    group.enter('b', { requireKnownMemberId: true });
    expect(group.stateName).toBe('Stable');
    group.enter('c');
    group.join('a');
    expect(group.expire('b')).toEqual([true]);
    expect(group.take()).toHaveLength(2);
  });

  it('the expiry of an unused id does not disturb a stable group', () => {
    const group = TestGroup.stable('a');
    group.enter('b', { requireKnownMemberId: true });
    group.expire('b');
    expect(group.stateName).toBe('Stable');
    group.enter('b', { requireKnownMemberId: true });
    expect(group.leave('b')).toEqual([0]);
    expect(group.stateName).toBe('Stable');
  });

  // A follower that does keeps the generation.
  it('only a leader that rejoins unchanged starts a rebalance', () => {
    const group = TestGroup.stable('a', 'b');
    expect(group.join('b')).toBe('generation 1 leader a');
    expect(group.stateName).toBe('Stable');
    expect(group.join('a')).toBe('waits');
    expect(group.stateName).toBe('PreparingRebalance');
  });

  it('a follower with new subscriptions starts a rebalance', () => {
    const group = TestGroup.stable('a', 'b');
    expect(group.join('b', protocol('range'))).toBe('waits');
    expect(group.stateName).toBe('PreparingRebalance');
  });

  it('a lost answer of the join phase is repeated', () => {
    const group = new TestGroup();
    group.enter('a');
    expect(group.join('a')).toBe('generation 1 leader a of a');
    expect(group.stateName).toBe('CompletingRebalance');
  });

  it.each<[string, Partial<JoinGroup>, string]>([
    ['an empty group id', { groupId: '' }, 'error 24'],
    ['a session timeout below 6 s', { sessionTimeoutMs: 5_999 }, 'error 26'],
    ['a session timeout above 30 min', { sessionTimeoutMs: 1_800_001 }, 'error 26'],
    ['a group id before a session timeout', { groupId: '', sessionTimeoutMs: 0 }, 'error 24'],
    ['a member id that is not known', { memberId: 'zz' }, 'error 25'],
    ['a member id in a group that does not exist', { groupId: 'other', memberId: 'zz' }, 'error 25'],
    ['another protocol type', { protocolType: 'connect' }, 'error 23'],
    ['no protocol in common', protocol('sticky'), 'error 23'],
    ['no protocol at all', { protocols: [] }, 'error 23'],
    ['an instance id that nobody has, with a member id', { memberId: 'a', groupInstanceId: 'i' }, 'error 25'],
    [
      'metadata beyond a MiB',
      { protocols: [{ name: 'range', metadata: new Uint8Array(1024 * 1024 + 1) }] },
      'error 42',
    ],
  ])('refuses %s and leaves the group unchanged', (_why, change, expected) => {
    const group = TestGroup.stable('a');
    expect(group.enter('z', change)).toBe(expected);
    expect(group.stateName).toBe('Stable');
    expect(listGroups(group.cluster.state)).toHaveLength(1);
  });

  it('chooses the most preferred protocol that all support', () => {
    const group = new TestGroup();
    const delay = { initialRebalanceDelayMs: 100 };
    group.enter('a', { ...delay, ...protocol('x', 'y', 'z') });
    group.enter('b', { ...delay, ...protocol('z', 'y') });
    group.enter('c', { ...delay, ...protocol('w', 'z', 'y') });
    group.pass(100);
    group.pass(100);
    group.sync('a', 1);
    expect(describeGroups(group.cluster.state, ['g'])[0]?.protocolName).toBe('z');
  });
});

describe('syncing', () => {
  it('followers wait for the leader, then get their assignments', () => {
    const group = TestGroup.stable('a', 'b', 'c');
    group.join('a');
    group.join('b');
    group.join('c');
    group.take();
    expect(group.sync('c', 2)).toBe('waits');
    expect(group.sync('a', 2, 'a=1 c=3')).toBe('assigned 1');
    expect(group.take()).toEqual(['c: assigned 3']);
    expect(group.last?.deadlineMs).not.toBeNull();
    expect(group.sync('b', 2)).toBe('assigned ');
    expect(group.last?.deadlineMs).toBeNull();
    expect(group.sync('c', 2)).toBe('assigned 3');
  });

  it('a waiting member is sent back when a new member joins first', () => {
    const group = TestGroup.stable('a', 'b');
    group.join('a');
    group.join('b');
    group.take();
    group.sync('b', 2);
    group.enter('c');
    expect(group.take()).toEqual(['b: error 27']);
    expect(group.sync('a', 2, 'a=1')).toBe('error 27');
  });

  it('removes a member that misses the deadline to sync', () => {
    const group = TestGroup.stable('a', 'b');
    group.join('a');
    group.join('b');
    group.sync('a', 2, 'a=1 b=2');
    expect(group.pass(60_000)).toBe(true);
    expect(group.last?.ended).toEqual(['b']);
    expect(group.stateName).toBe('PreparingRebalance');
    group.take();
    group.join('a');
    expect(group.take()).toEqual(['a: generation 3 leader a of a']);
  });

  it.each<[string, string, number, string | null, string]>([
    ['an unknown member', 'zz', 1, null, 'error 25'],
    ['an older generation', 'b', 0, null, 'error 22'],
    ['a later generation', 'b', 2, null, 'error 22'],
    ['an unknown instance before the generation', 'b', 0, 'i', 'error 25'],
  ])('refuses %s', (_why, name, generation, instance, expected) => {
    expect(TestGroup.stable('a', 'b').sync(name, generation, '', instance)).toBe(expected);
  });
});

describe('leaving', () => {
  it('rebalances those who remain or leaves the group empty', () => {
    const group = TestGroup.stable('a', 'b');
    expect(group.leave('a', 'zz')).toEqual([0, 25]);
    expect(group.stateName).toBe('PreparingRebalance');
    group.join('b');
    expect(group.take()).toEqual(['b: generation 2 leader b of b']);
    expect(group.leave('b')).toEqual([0]);
    expect(group.stateName).toBe('Empty');
    expect(groupTimers(group.cluster.state)).toEqual([]);
  });

  it('ends a rebalance that waited for the member that left', () => {
    const group = TestGroup.stable('a', 'b');
    group.enter('c');
    group.join('a');
    group.leave('b');
    expect(group.take()).toEqual(['a: generation 2 leader a of a,c', 'c: generation 2 leader a']);
  });

  it('by session timeout spares members that await an answer', () => {
    const group = TestGroup.stable('a', 'b');
    group.enter('c');
    expect(group.expire('c', 'b', 'zz')).toEqual([false, true, false]);
    group.join('a');
    expect(group.take()).toEqual(['a: generation 2 leader a of a,c', 'c: generation 2 leader a']);
  });

  it('answers a parked call of the member that leaves', () => {
    const group = TestGroup.stable('a', 'b');
    group.enter('c');
    group.leave('c');
    expect(group.take()).toEqual(['c: error 25']);
  });
});

describe('static members', () => {
  const instance = (name: string) => ({ groupInstanceId: name, memberId: '' });
  const stable = () => {
    const group = new TestGroup();
    const delay = { initialRebalanceDelayMs: 100 };
    group.enter('a', { ...instance('i'), ...delay });
    group.enter('b', { ...instance('j'), ...delay });
    group.pass(100);
    group.pass(100);
    group.sync('b', 1, '', 'j');
    group.sync('a', 1, 'a=A b=B', 'i');
    group.take();
    return group;
  };

  it('return under a new member id without a rebalance', () => {
    const group = stable();
    expect(group.join('b2', instance('j'))).toBe('generation 1 leader a');
    expect(group.stateName).toBe('Stable');
    expect(group.sync('b2', 1, '', 'j')).toBe('assigned B');
    expect(group.last?.ended).toEqual(['b']);
  });

  it('fence the process that had the id before', () => {
    const group = stable();
    group.join('b2', instance('j'));
    expect(group.beat('b', 1, 'j')).toBe(82);
    expect(group.sync('b', 1, '', 'j')).toBe('error 82');
    expect(group.join('b', { groupInstanceId: 'j' })).toBe('error 82');
  });

  // So that they do not assign again.
  it('that lead and return see the old leader id', () => {
    const group = stable();
    expect(group.join('a2', instance('i'))).toBe('generation 1 leader a');
    group.enter('c');
    group.join('b', { groupInstanceId: 'j' });
    group.join('a2', { groupInstanceId: 'i' });
    expect(group.take()).toContain('a2: generation 2 leader a2 of b,a2,c');
  });

  it('that lead and return skip assignment if the client can', () => {
    const answerOf = (name: string, groupInstanceId: string) => {
      const { answer } = stable().rejoin(name, groupInstanceId);
      return answer.waiting ? undefined : answer.ifSkipping;
    };
    expect(answerOf('a2', 'i')).toMatchObject({ leader: 'a2', members: [{ memberId: 'b' }, { memberId: 'a2' }] });
    expect(answerOf('b2', 'j')).toBeUndefined();
  });

  it('keep their place through a rebalance until session expiry', () => {
    const group = stable();
    group.enter('c');
    group.join('a', { groupInstanceId: 'i' });
    group.pass(60_000);
    expect(group.take()).toEqual(['a: generation 2 leader a of a,b,c', 'c: generation 2 leader a']);
    expect(group.expire('b')).toEqual([true]);
    expect(group.stateName).toBe('PreparingRebalance');
  });

  it('are fenced at once, even while their call is parked', () => {
    const group = stable();
    group.enter('c');
    group.join('b', { groupInstanceId: 'j' });
    group.join('b2', instance('j'));
    expect(group.take()).toEqual(['b: error 82']);
  });

  it('can be removed by an operator who knows only the instance id', () => {
    const group = stable();
    const members = [{ memberId: '', groupInstanceId: 'j' }];
    expect(group.cluster.do({ kind: 'leave-group', groupId: 'g', members }).memberErrorCodes).toEqual([0]);
  });
});

describe('heartbeats', () => {
  it.each<[string, string, number, number]>([
    ['a member', 'a', 1, 0],
    ['an unknown member', 'zz', 1, 25],
    ['another generation', 'a', 2, 22],
  ])('of %s', (_who, name, generation, errorCode) => {
    expect(TestGroup.stable('a').beat(name, generation)).toBe(errorCode);
  });
});

describe('a new owner', () => {
  it('restores every timer from the state alone', () => {
    const group = TestGroup.stable('a');
    group.enter('b', { requireKnownMemberId: true, sessionTimeoutMs: 7_000 });
    expect(groupTimers(group.cluster.state)).toEqual([
      {
        groupId: 'g',
        deadlineMs: null,
        sessions: [
          { memberId: 'a', sessionTimeoutMs: 10_000 },
          { memberId: 'b', sessionTimeoutMs: 7_000 },
        ],
      },
    ]);
  });
});
