// For tests: members of consumer groups, with short helpers to join, sync and leave.
import type { JoinGroup, JoinGroupOutcomeAnswer, SyncGroupOutcomeAnswer } from '../model/groups.types.ts';
import type { Effects, GroupEffect, Outcome } from '../model/outcome.ts';
import { heartbeat } from '../queries/groups.ts';
import { TestCluster } from './cluster.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A group whose members are referred to by name: member `a` has the id `a` from its first join on. */
export class TestGroup {
  readonly cluster: TestCluster;
  /** Answers to parked calls, in order: `a: generation 1 leader a of a,b`, `a synced A`, `a: error 27`. */
  readonly heard: string[] = [];
  last: GroupEffect | undefined;

  constructor(cluster = new TestCluster()) {
    this.cluster = cluster;
  }

  join(name: string, change: Partial<JoinGroup> = {}): string {
    const outcome = this.#joining(name, change);
    this.#hear(outcome.effects);
    return describeJoin(outcome.answer);
  }

  /** A static member returns under a new id. */
  rejoin(name: string, groupInstanceId: string): Outcome<'join-group'> {
    return this.#joining(name, { groupInstanceId, memberId: '' });
  }

  #joining(name: string, change: Partial<JoinGroup>): Outcome<'join-group'> {
    return this.cluster.outcome({
      kind: 'join-group',
      groupId: 'g',
      sessionTimeoutMs: 10_000,
      rebalanceTimeoutMs: 60_000,
      memberId: name,
      newMemberId: name,
      groupInstanceId: null,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: bytesOf(`topics of ${name}`) }],
      clientId: 'client',
      clientHost: '/127.0.0.1',
      requireKnownMemberId: false,
      initialRebalanceDelayMs: 0,
      ...change,
    });
  }

  /** The first join of a member. */
  enter(name: string, change: Partial<JoinGroup> = {}): string {
    return this.join(name, { memberId: '', ...change });
  }

  /** `assignments`, for example `a=A b=B`; only a leader sends them. */
  sync(name: string, generationId: number, assignments = '', groupInstanceId: string | null = null): string {
    const outcome = this.cluster.outcome({
      kind: 'sync-group',
      groupId: 'g',
      generationId,
      memberId: name,
      groupInstanceId,
      protocolType: '',
      protocolName: '',
      assignments: assignments
        .split(' ')
        .filter((part) => part !== '')
        .map((part) => {
          const [memberId = '', assignment = ''] = part.split('=');
          return { memberId, assignment: bytesOf(assignment) };
        }),
    });
    this.#hear(outcome.effects);
    return describeSync(outcome.answer);
  }

  leave(...names: string[]): number[] {
    const members = names.map((memberId) => ({ memberId, groupInstanceId: null }));
    const outcome = this.cluster.outcome({ kind: 'leave-group', groupId: 'g', members });
    this.#hear(outcome.effects);
    return outcome.answer.memberErrorCodes;
  }

  expire(...names: string[]): boolean[] {
    const members = names.map((memberId) => ({ groupId: 'g', memberId }));
    const outcome = this.cluster.outcome({ kind: 'expire-members', members });
    this.#hear(outcome.effects);
    return outcome.answer.expired;
  }

  /** Advances time, then fires the group's timer if it is due. */
  pass(durationMs: number): boolean {
    this.cluster.nowMs += durationMs;
    const outcome = this.cluster.outcome({ kind: 'group-deadline', groupId: 'g' });
    this.#hear(outcome.effects);
    return outcome.answer.fired;
  }

  beat(name: string, generationId: number, groupInstanceId: string | null = null): number {
    return heartbeat(this.cluster.state, { groupId: 'g', generationId, memberId: name, groupInstanceId });
  }

  get stateName(): string {
    return this.cluster.state.groups.get('g')?.state ?? 'Dead';
  }

  /** The answers since the last call. */
  take(): string[] {
    return this.heard.splice(0);
  }

  /** Members a, b, ... stable in one generation with assignments A, B, ... */
  static stable(...names: string[]): TestGroup {
    const group = new TestGroup();
    for (const name of names) {
      group.enter(name, { initialRebalanceDelayMs: 100 });
    }
    while (group.stateName === 'PreparingRebalance') {
      group.pass(100);
    }
    const [leader = '', ...followers] = names;
    for (const name of followers) {
      group.sync(name, 1);
    }
    group.sync(leader, 1, names.map((name) => `${name}=${name.toUpperCase()}`).join(' '));
    group.take();
    return group;
  }

  #hear(effects: Effects): void {
    for (const effect of effects.groups ?? []) {
      this.last = effect;
      for (const { answerTo, answer } of effect.joined) {
        this.heard.push(`${answerTo}: ${describeJoin({ waiting: false, ...answer })}`);
      }
      for (const { answerTo, answer } of effect.synced) {
        this.heard.push(`${answerTo}: ${describeSync({ waiting: false, ...answer })}`);
      }
    }
  }
}

function describeJoin(answer: JoinGroupOutcomeAnswer): string {
  if (answer.waiting) {
    return 'waits';
  }
  if (answer.errorCode !== 0) {
    return `error ${answer.errorCode}`;
  }
  const others = answer.members.map(({ memberId }) => memberId).join(',');
  return `generation ${answer.generationId} leader ${answer.leader}${others === '' ? '' : ` of ${others}`}`;
}

function describeSync(answer: SyncGroupOutcomeAnswer): string {
  if (answer.waiting) {
    return 'waits';
  }
  return answer.errorCode === 0 ? `assigned ${text(answer.assignment)}` : `error ${answer.errorCode}`;
}
