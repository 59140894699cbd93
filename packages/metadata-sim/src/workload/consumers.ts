// Consumers in groups: they join, take turns leading, commit offsets, die and come back.
import type {
  CommitOffsetsAnswer,
  JoinAnswer,
  JoinGroupOutcomeAnswer,
  SyncAnswer,
  SyncGroupOutcomeAnswer,
} from '@penstock/metadata-core';
import type { Heard } from '../sim-owner.ts';
import type { World } from '../world.ts';

const GROUPS = ['g1', 'g2'];
const CONSUMERS_PER_GROUP = 3;
const UNKNOWN_MEMBER_ID = 25;
const MEMBER_ID_REQUIRED = 79;

interface Consumer {
  name: string;
  group: string;
  /** Empty: none yet. */
  memberId: string;
  phase: 'out' | 'waiting' | 'joined' | 'stable';
  generation: number;
  /** Given to the leader with its join: the members to assign to. */
  others: string[];
  assigned: string[];
}

export class Consumers {
  readonly #world: World;
  readonly #consumers: Consumer[];
  /** Members whose consumer has died: their session timers will fire. */
  readonly #dead: { groupId: string; memberId: string }[] = [];
  #stableRounds = 0;

  constructor(world: World) {
    this.#world = world;
    this.#consumers = GROUPS.flatMap((group) =>
      Array.from({ length: CONSUMERS_PER_GROUP }, (_, number) => ({
        name: `${group}-consumer${number}`,
        group,
        memberId: '',
        phase: 'out' as const,
        generation: -1,
        others: [],
        assigned: [],
      })),
    );
  }

  /** How often a consumer got its assignment. */
  get stableRounds(): number {
    return this.#stableRounds;
  }

  async step(): Promise<void> {
    const { random } = this.#world;
    const expired = random.chance(0.2) ? this.#dead.shift() : undefined;
    if (expired !== undefined) {
      await this.#world.submit({ kind: 'expire-members', members: [expired] }, () => {});
      return;
    }
    const consumer = random.pick(this.#consumers);
    switch (consumer?.phase) {
      case 'out':
        return this.#join(consumer);
      case 'joined':
        return this.#sync(consumer);
      case 'stable':
        return this.#live(consumer);
      default:
    }
  }

  async #join(consumer: Consumer): Promise<void> {
    const { random } = this.#world;
    consumer.phase = 'waiting';
    await this.#world.submit<JoinGroupOutcomeAnswer>(
      {
        kind: 'join-group',
        groupId: consumer.group,
        sessionTimeoutMs: 10_000,
        rebalanceTimeoutMs: 5_000,
        memberId: consumer.memberId,
        newMemberId: `${consumer.name}-${random.next()}`,
        groupInstanceId: null,
        protocolType: 'consumer',
        protocols: [{ name: 'range', metadata: new Uint8Array(0) }],
        clientId: consumer.name,
        clientHost: 'simulated',
        requireKnownMemberId: random.chance(0.7),
        initialRebalanceDelayMs: random.chance(0.5) ? 500 : 0,
      },
      (heard) => this.#heardJoin(consumer, heard as Heard<JoinAnswer>),
    );
  }

  #heardJoin(consumer: Consumer, heard: Heard<JoinAnswer>): void {
    consumer.phase = 'out';
    if (heard.kind === 'silence') {
      return;
    }
    const { errorCode, memberId, generationId, leader, members } = heard.answer;
    if (errorCode === 0) {
      this.#world.auditor.groups.joined(consumer.group, generationId, leader, memberId);
      Object.assign(consumer, { memberId, generation: generationId, phase: 'joined' });
      consumer.others = members.map((member) => member.memberId);
    } else if (errorCode === MEMBER_ID_REQUIRED) {
      consumer.memberId = memberId;
    } else {
      consumer.memberId = '';
    }
  }

  async #sync(consumer: Consumer): Promise<void> {
    consumer.phase = 'waiting';
    const partitions = this.#world.topics.flatMap(({ name, partitions: count }) =>
      Array.from({ length: count }, (_, number) => `${name}:${number}`),
    );
    const assignments = consumer.others.map((memberId, place) => ({
      memberId,
      assignment: new TextEncoder().encode(
        partitions.filter((_, number) => number % consumer.others.length === place).join(','),
      ),
    }));
    await this.#world.submit<SyncGroupOutcomeAnswer>(
      {
        kind: 'sync-group',
        groupId: consumer.group,
        generationId: consumer.generation,
        memberId: consumer.memberId,
        groupInstanceId: null,
        protocolType: 'consumer',
        protocolName: 'range',
        assignments,
      },
      (heard) => this.#heardSync(consumer, heard as Heard<SyncAnswer>),
    );
  }

  #heardSync(consumer: Consumer, heard: Heard<SyncAnswer>): void {
    consumer.phase = 'out';
    if (heard.kind === 'silence') {
      return;
    }
    const { errorCode, assignment } = heard.answer;
    if (errorCode === UNKNOWN_MEMBER_ID) {
      consumer.memberId = '';
    }
    if (errorCode !== 0) {
      return;
    }
    const text = new TextDecoder().decode(assignment);
    consumer.assigned = text === '' ? [] : text.split(',');
    consumer.phase = 'stable';
    this.#stableRounds += 1;
    this.#world.auditor.groups.assigned(consumer.group, consumer.generation, consumer.memberId, consumer.assigned);
  }

  /** A stable member heartbeats, commits, leaves, or dies. */
  async #live(consumer: Consumer): Promise<void> {
    const { random } = this.#world;
    const { group: groupId, memberId } = consumer;
    const dice = random.below(100);
    if (dice < 3) {
      this.#dead.push({ groupId, memberId });
      Object.assign(consumer, { memberId: '', phase: 'out' });
    } else if (dice < 6) {
      Object.assign(consumer, { memberId: '', phase: 'out' });
      const members = [{ memberId, groupInstanceId: null }];
      await this.#world.submit({ kind: 'leave-group', groupId, members }, () => {});
      // The request may be lost: the session timer is there for that.
      this.#dead.push({ groupId, memberId });
    } else if (dice < 45) {
      await this.#commit(consumer);
    } else if ((await this.#world.beat(groupId, consumer.generation, memberId)) !== 0) {
      consumer.phase = 'out';
    }
  }

  async #commit(consumer: Consumer): Promise<void> {
    const { random, auditor } = this.#world;
    const partitions = consumer.assigned.filter(() => random.chance(0.5));
    const offsets = partitions.map((partition) => {
      const [topic = '', number = ''] = partition.split(':');
      return { topic, partition: Number(number), offset: random.below(1_000), leaderEpoch: -1, metadata: '' };
    });
    const asked = offsets.map(({ offset }, at) =>
      auditor.groups.commitAsked(consumer.group, partitions[at] ?? '', offset),
    );
    await this.#world.submit<CommitOffsetsAnswer>(
      {
        kind: 'commit-offsets',
        groupId: consumer.group,
        generationId: consumer.generation,
        memberId: consumer.memberId,
        groupInstanceId: null,
        offsets,
      },
      (heard) => {
        if (heard.kind === 'silence') {
          return;
        }
        const { errorCode, offsetErrorCodes } = heard.answer;
        for (const [at, number] of asked.entries()) {
          const refused = errorCode !== 0 || (offsetErrorCodes[at] ?? 0) !== 0;
          const partition = partitions[at] ?? '';
          if (refused) {
            auditor.groups.commitRefused(consumer.group, partition, number);
          } else {
            auditor.groups.commitAcknowledged(consumer.group, partition, number);
          }
        }
      },
    );
  }
}
