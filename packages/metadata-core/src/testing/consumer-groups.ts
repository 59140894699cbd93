// For tests: members of a group of the new protocol, which behave like real ones unless a test says otherwise.

import { computeTarget } from '../consumer-groups/compute-target.ts';
import type { ConsumerGroupHeartbeat, ConsumerGroupHeartbeatAnswer } from '../model/consumer-groups.types.ts';
import { idKey } from '../model/ids.ts';
import type { Effects, GroupEffect } from '../model/outcome.ts';
import { consumerGroupStateName } from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol } from '../state/group.types.ts';
import { id, TestCluster } from './cluster.ts';

/** The state that a member keeps, like a client. */
interface Client {
  epoch: number;
  instanceId: string | null;
  topics: string[];
  /** Topic name -> partitions. */
  owned: Map<string, number[]>;
}

/** The group `g` of a cluster with topic `t` of six partitions and topic `u` of two. */
export class TestConsumerGroup {
  readonly cluster = new TestCluster();
  readonly clients = new Map<string, Client>();
  last: GroupEffect | undefined;
  /** Whether the last command changed the state. */
  changed = false;

  constructor() {
    this.cluster.topic(1, 6, 't');
    this.cluster.topic(2, 2, 'u');
  }

  get consumer(): ConsumerProtocol {
    const consumer = this.cluster.state.groups.get('g')?.consumer;
    if (!consumer) {
      throw new Error('test group: it is not one of the new protocol');
    }
    return consumer;
  }

  get stateName(): string {
    return consumerGroupStateName(this.consumer);
  }

  member(name: string): ConsumerMember {
    const member = this.consumer.members.get(name);
    if (member === undefined) {
      throw new Error(`test group: ${name} is no member`);
    }
    return member;
  }

  send(change: Partial<ConsumerGroupHeartbeat>): ConsumerGroupHeartbeatAnswer {
    const outcome = this.cluster.outcome({
      kind: 'consumer-group-heartbeat',
      groupId: 'g',
      memberId: 'a',
      newMemberId: 'new-id',
      memberEpoch: 0,
      instanceId: null,
      rackId: null,
      rebalanceTimeoutMs: -1,
      subscribedTopics: null,
      subscribedRegex: null,
      serverAssignor: null,
      owned: null,
      apiVersion: 1,
      clientId: 'client',
      clientHost: '/127.0.0.1',
      principal: 'User:ANONYMOUS',
      ...change,
    });
    this.changed = outcome.changed;
    this.#note(outcome.effects);
    return outcome.answer;
  }

  /** The first heartbeat of a member. Returns its epoch and assignment, such as `a 1: t0 t1`, or `error 25`. */
  join(name: string, topics: string[] = ['t'], change: Partial<ConsumerGroupHeartbeat> = {}): string {
    const answer = this.send({
      memberId: name,
      rebalanceTimeoutMs: 60_000,
      subscribedTopics: topics,
      owned: [],
      ...change,
    });
    if (answer.errorCode === 0) {
      this.clients.set(name, { epoch: 0, instanceId: change.instanceId ?? null, topics, owned: new Map() });
    }
    return this.#heard(name, answer);
  }

  /** A heartbeat. The member takes over what it is given, and gives up the rest with its next one. */
  beat(name: string, change: Partial<ConsumerGroupHeartbeat> = {}): string {
    const client = this.#client(name);
    const answer = this.send({
      memberId: name,
      memberEpoch: client.epoch,
      instanceId: client.instanceId,
      owned: this.owned(name),
      ...change,
    });
    return this.#heard(name, answer);
  }

  leave(name: string, memberEpoch = -1): string {
    const { instanceId } = this.#client(name);
    const answer = this.send({ memberId: name, memberEpoch, instanceId });
    return answer.errorCode === 0 ? 'left' : `error ${answer.errorCode}`;
  }

  /** Computes and installs what is due. */
  assign(): void {
    const steps = computeTarget(this.cluster.state, 'g');
    for (let next = steps?.next(); next !== undefined; next = steps?.next()) {
      if (next.done === true) {
        this.cluster.do(next.value);
        return;
      }
    }
  }

  /** Lets all members send heartbeats until nothing changes. Returns how many rounds that took. */
  settle(limit = 50): number {
    for (let round = 1; round <= limit; round += 1) {
      this.assign();
      let isQuiet = true;
      for (const name of this.clients.keys()) {
        this.beat(name);
        isQuiet &&= !this.changed;
      }
      if (isQuiet) {
        return round;
      }
    }
    throw new Error(`test group: not quiet after ${limit} rounds`);
  }

  /** Everything that clients own: `a: t0 t1, b: t2`. */
  get shares(): string {
    return [...this.clients]
      .map(([name, { owned }]) => `${name}: ${describe(owned)}`)
      .sort()
      .join(', ');
  }

  /** As a heartbeat reports it. */
  owned(name: string): ConsumerGroupHeartbeat['owned'] {
    return [...this.#client(name).owned].map(([topic, partitions]) => ({
      topicId: id(topic === 't' ? 1 : 2),
      partitions,
    }));
  }

  expire(...names: string[]): boolean[] {
    const members = names.map((memberId) => ({ groupId: 'g', memberId }));
    const outcome = this.cluster.outcome({ kind: 'expire-members', members });
    this.#note(outcome.effects);
    return outcome.answer.expired;
  }

  /** Advances time, then fires the group's timer if it is due. */
  pass(durationMs: number): boolean {
    this.cluster.nowMs += durationMs;
    const outcome = this.cluster.outcome({ kind: 'group-deadline', groupId: 'g' });
    this.#note(outcome.effects);
    return outcome.answer.fired;
  }

  #client(name: string): Client {
    const client = this.clients.get(name);
    if (client === undefined) {
      throw new Error(`test group: ${name} never joined`);
    }
    return client;
  }

  #note(effects: Effects): void {
    for (const effect of effects.groups ?? []) {
      this.last = effect;
    }
  }

  #heard(name: string, answer: ConsumerGroupHeartbeatAnswer): string {
    if (answer.errorCode !== 0) {
      return `error ${answer.errorCode}`;
    }
    const client = this.#client(name);
    client.epoch = answer.memberEpoch;
    if (answer.assignment === null) {
      return `${name} ${answer.memberEpoch}`;
    }
    const given = answer.assignment.map(
      ({ topicId, partitions }) => [this.cluster.state.topics.get(idKey(topicId))?.name ?? '?', partitions] as const,
    );
    client.owned = new Map(given);
    return `${name} ${answer.memberEpoch}: ${describe(client.owned)}`;
  }
}

function describe(owned: ReadonlyMap<string, readonly number[]>): string {
  const all = [...owned].flatMap(([topic, partitions]) => partitions.map((partition) => `${topic}${partition}`));
  return all.length === 0 ? '-' : all.sort().join(' ');
}
