// What the clients of a simulated cluster stand in: a clock, a network that loses and repeats, two processes that may both believe to
// own the cluster, and the journal between them.
import { type Command, groupTimers, heartbeat, type Id, idKey } from '@penstock/metadata-core';
import type { ClusterIdentity, Journal } from '@penstock/metadata-journal';
import type { Auditor } from './auditor/auditor.ts';
import type { Behaviour } from './behaviour.ts';
import type { Random } from './random.ts';
import { type FlushFate, type Heard, SimOwner } from './sim-owner.ts';
import type { Trace } from './trace.ts';

export const CLUSTER: ClusterIdentity = { clusterId: 'simulated', organizationId: 'simulated' };
const START_MS = 1_790_000_000_000;

/** Shares of requests that go wrong. */
const LOST_REQUESTS = 0.03;
const LOST_ANSWERS = 0.05;
const REPEATED_REQUESTS = 0.05;
const REQUESTS_TO_THE_OTHER_OWNER = 0.08;

export interface SimTopic {
  id: Id;
  name: string;
  partitions: number;
}

export class World {
  readonly random: Random;
  readonly auditor: Auditor;
  readonly trace: Trace;
  readonly topics: SimTopic[] = [];
  nowMs = START_MS;
  /** While false the network and the processes are well: everything gets its answer. */
  faulty = true;
  readonly #owners: readonly [SimOwner, SimOwner];
  #leader: 0 | 1 = 0;

  constructor(random: Random, auditor: Auditor, trace: Trace, journal: Journal, behaviour: Behaviour) {
    this.random = random;
    this.auditor = auditor;
    this.trace = trace;
    this.#owners = [new SimOwner('one', CLUSTER, journal, behaviour), new SimOwner('two', CLUSTER, journal, behaviour)];
  }

  /** A request of a client. It hears the answer once that is durable, or silence; never both, never twice. */
  async submit<A>(command: Command, hear: (heard: Heard<A>) => void): Promise<void> {
    const { random, trace } = this;
    const happens = (share: number): boolean => this.faulty && random.chance(share);
    if (happens(LOST_REQUESTS)) {
      trace.add(`${command.kind} lost`);
      hear({ kind: 'silence' });
      return;
    }
    const owner = this.#owner(happens(REQUESTS_TO_THE_OTHER_OWNER));
    const losesAnswer = happens(LOST_ANSWERS);
    trace.add(`${command.kind} to ${owner.name}`);
    await owner.submit<A>(command, this.nowMs, (heard) => {
      const given: Heard<A> = losesAnswer ? { kind: 'silence' } : heard;
      trace.add(`${command.kind} heard ${describe(given)}`);
      hear(given);
    });
    // A call that waits is the client's own: a repeated one would take its place.
    if (command.kind !== 'join-group' && command.kind !== 'sync-group' && happens(REPEATED_REQUESTS)) {
      trace.add(`${command.kind} repeated`);
      await owner.submit(command, this.nowMs, () => {});
    }
  }

  /** The answer to a heartbeat, from whoever leads. */
  async beat(groupId: string, generationId: number, memberId: string): Promise<number> {
    const state = await this.#owner(false).state();
    return heartbeat(state, { groupId, generationId, memberId, groupInstanceId: null });
  }

  /** Fires the group timers that are due, as the owner's own clock would. */
  async fireTimers(): Promise<void> {
    const owner = this.#owner(false);
    const due = groupTimers(await owner.state()).filter(
      ({ deadlineMs }) => deadlineMs !== null && deadlineMs <= this.nowMs,
    );
    for (const { groupId } of due) {
      this.trace.add(`deadline of ${groupId}`);
      await owner.submit({ kind: 'group-deadline', groupId }, this.nowMs, () => {});
    }
  }

  async flush(other: boolean, fate: FlushFate = 'completes'): Promise<void> {
    const owner = this.#owner(other);
    if (owner.hasPending) {
      this.trace.add(`flush of ${owner.name}: ${await owner.flush(fate)}`);
    }
  }

  crash(other: boolean): void {
    const owner = this.#owner(other);
    this.trace.add(`crash of ${owner.name}`);
    owner.crash();
  }

  async snapshot(): Promise<void> {
    const owner = this.#owner(false);
    if (!owner.hasPending) {
      await owner.snapshot();
      this.trace.add(`snapshot at ${owner.lastSeq}`);
    }
  }

  /** The other process takes the cluster; the one before does not know it yet. */
  switchLeader(): void {
    this.#leader = this.#leader === 0 ? 1 : 0;
    this.trace.add(`leader is ${this.#owner(false).name}`);
  }

  #owner(other: boolean): SimOwner {
    const [one, two] = this.#owners;
    return (this.#leader === 0) === other ? two : one;
  }
}

function describe(heard: Heard<unknown>): string {
  return heard.kind === 'silence'
    ? 'silence'
    : JSON.stringify(heard.answer, (_key, value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value));
}

/** Name of a file in the object store. */
export const fileName = (fileId: Id): string => idKey(fileId);
