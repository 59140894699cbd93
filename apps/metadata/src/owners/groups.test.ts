import type { CommandOf, JoinAnswer } from '@penstock/metadata-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import { OwnerSteppedDown } from './errors.ts';
import type { Owner } from './owner.ts';
import { Superseded } from './parked-calls.ts';

const SESSION_MS = 10_000;
const INITIAL_DELAY_MS = 500;

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

function joinCommand(memberId = ''): CommandOf<'join-group'> {
  return {
    kind: 'join-group',
    groupId: 'billing',
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: 30_000,
    memberId,
    newMemberId: `client-${owner.ids.uuid()}`,
    groupInstanceId: null,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: new Uint8Array() }],
    clientId: 'client',
    clientHost: '/127.0.0.1',
    requireKnownMemberId: false,
    initialRebalanceDelayMs: INITIAL_DELAY_MS,
  };
}

/** Joins as the only member and syncs, so that the group is stable. */
async function stableMember(): Promise<JoinAnswer> {
  const joining = owner.groups.join(joinCommand());
  await settle();
  await fixture.clock.advance(INITIAL_DELAY_MS);
  const joined = await joining;
  await sync(joined);
  return joined;
}

function sync({ memberId, generationId }: JoinAnswer): ReturnType<Owner['groups']['sync']> {
  return owner.groups.sync({
    kind: 'sync-group',
    groupId: 'billing',
    generationId,
    memberId,
    groupInstanceId: null,
    protocolType: '',
    protocolName: '',
    assignments: [{ memberId, assignment: Uint8Array.of(7) }],
  });
}

function memberIds(of: Owner): Promise<string[]> {
  return of.read((state) => [...(state.groups.get('billing')?.members.keys() ?? [])]);
}

describe('joining', () => {
  test('answers first members together after the initial delay', async () => {
    const [first, second] = [owner.groups.join(joinCommand()), owner.groups.join(joinCommand())];
    await settle();
    await fixture.clock.advance(INITIAL_DELAY_MS * 2);
    const answers = await Promise.all([first, second]);
    expect(answers.map((answer) => answer.errorCode)).toEqual([0, 0]);
    const leader = answers.find((answer) => answer.memberId === answer.leader);
    expect(leader?.members.map((member) => member.memberId).sort()).toEqual(
      answers.map((answer) => answer.memberId).sort(),
    );
  });

  test('honours a group’s deadline within an older batch', async () => {
    const joining = owner.groups.join(joinCommand());
    await settle();
    fixture.journal.hold();
    // This append is in flight when the deadline passes; the command that opens the next batch arrives before that.
    const inFlight = fixture.createTopic(owner, 'first');
    await settle();
    const opensBatch = fixture.createTopic(owner, 'second');
    await fixture.clock.advance(INITIAL_DELAY_MS + 1);
    fixture.journal.release();
    await Promise.all([inFlight, opensBatch]);
    await fixture.clock.advance(INITIAL_DELAY_MS);
    expect((await joining).errorCode).toBe(0);
  });

  test('answers only the later of a member’s repeated calls', async () => {
    const stable = await stableMember();
    const { memberId } = await owner.groups.join({ ...joinCommand(), requireKnownMemberId: true });
    // The other member has not joined again yet, so the group waits.
    const first = owner.groups.join(joinCommand(memberId));
    const refused = expect(first).rejects.toThrow(Superseded);
    await settle();
    const second = owner.groups.join(joinCommand(memberId));
    await refused;
    const rejoined = owner.groups.join(joinCommand(stable.memberId));
    expect((await second).errorCode).toBe(0);
    expect((await rejoined).generationId).toBe(stable.generationId + 1);
  });

  test('waiting calls fail when the owner steps down', async () => {
    const waiting = owner.groups.join(joinCommand());
    await settle();
    owner.leaseLost();
    await expect(waiting).rejects.toThrow(OwnerSteppedDown);
  });
});

describe('sessions', () => {
  test('a silent member is removed after its session timeout', async () => {
    await stableMember();
    await fixture.clock.advance(SESSION_MS - 500);
    expect(await memberIds(owner)).toHaveLength(1);
    await fixture.clock.advance(1_500);
    expect(await memberIds(owner)).toHaveLength(0);
  });

  test('a session ends to the millisecond, not at the next timer', async () => {
    const { memberId } = await stableMember();
    // Not on a multiple of anything that sweeps.
    await fixture.clock.advance(1_237);
    owner.groups.touch({ groupId: 'billing', memberId });
    await fixture.clock.advance(SESSION_MS - 1);
    expect(await memberIds(owner)).toHaveLength(1);
    await fixture.clock.advance(1);
    expect(await memberIds(owner)).toHaveLength(0);
  });

  test('members that die together are removed by one command', async () => {
    const joining = Promise.all([owner.groups.join(joinCommand()), owner.groups.join(joinCommand())]);
    await settle();
    await fixture.clock.advance(INITIAL_DELAY_MS * 2);
    await Promise.all((await joining).map(sync));
    const { journalSeq } = owner;
    await fixture.clock.advance(SESSION_MS + 1);
    expect(await memberIds(owner)).toEqual([]);
    expect(owner.journalSeq).toBe(journalSeq + 1);
  });

  test('heartbeats keep members without being journaled', async () => {
    const { memberId } = await stableMember();
    const { journalSeq } = owner;
    for (let n = 0; n < 5; n += 1) {
      await fixture.clock.advance(SESSION_MS / 2);
      owner.groups.touch({ groupId: 'billing', memberId });
    }
    expect(await memberIds(owner)).toEqual([memberId]);
    // Retention and other background work runs meanwhile, but changes nothing here.
    expect(owner.journalSeq).toBe(journalSeq);
  });

  test('after a failover every member has a new session', async () => {
    const { memberId } = await stableMember();
    await fixture.clock.advance(SESSION_MS - 1_000);
    owner.leaseLost();
    owner = await fixture.open();
    await fixture.clock.advance(SESSION_MS - 1_000);
    expect(await memberIds(owner)).toEqual([memberId]);
    await fixture.clock.advance(2_000);
    expect(await memberIds(owner)).toEqual([]);
  });

  test('the next owner completes a join that its owner left behind', async () => {
    owner.groups.join(joinCommand()).catch(() => undefined);
    await settle();
    owner.leaseLost();
    owner = await fixture.open();
    await fixture.clock.advance(INITIAL_DELAY_MS * 2);
    expect(await owner.read((state) => state.groups.get('billing')?.state)).not.toBe('PreparingRebalance');
  });
});
