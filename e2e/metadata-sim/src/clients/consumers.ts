// Consumer groups over the classic protocol: dynamic and static members that join, share the partitions, commit, leave, and die.
import { CallFailed } from '../agents/metadata-client.ts';
import type { World } from '../world.ts';

const GROUPS = ['group0', 'group1'];
const CONSUMERS = 5;
const STATIC_SHARE = 0.4;
const SESSION_TIMEOUT_MS = 6_000;
const REBALANCE_TIMEOUT_MS = 4_000;
const JOIN_TIMEOUT_MS = 20_000;
/** The timeout of the only attempt. A second attempt could be overtaken by the first, and commits made in between would be lost. */
const COMMIT_TIMEOUT_MS = 5_000;
const THINK_MOST_MS = 2_500;

const NONE = 0;
const UNKNOWN_MEMBER_ID = 25;
const MEMBER_ID_REQUIRED = 79;
const FENCED_INSTANCE_ID = 82;

export class Consumers {
  isFinishing = false;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    for (let number = 0; number < CONSUMERS; number += 1) {
      const group = world.random.pick(GROUPS) ?? '';
      const instance = world.random.chance(STATIC_SHARE) ? `static${number}` : undefined;
      void this.#run(new Consumer(world, group, `consumer${number}`, instance));
    }
  }

  async #run(consumer: Consumer): Promise<void> {
    const { scheduler, random } = this.#world;
    while (!this.isFinishing) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      try {
        await consumer.step();
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
        consumer.lostTouch();
      }
    }
  }
}

class Consumer {
  readonly #world: World;
  readonly #group: string;
  readonly #clientId: string;
  readonly #instance: string | undefined;
  #memberId = '';
  #generation = -1;
  /** Undefined: not in the group, as far as the member knows. */
  #assigned: string[] | undefined;

  constructor(world: World, group: string, clientId: string, instance: string | undefined) {
    this.#world = world;
    this.#group = group;
    this.#clientId = clientId;
    this.#instance = instance;
  }

  async step(): Promise<void> {
    const { random } = this.#world;
    if (this.#assigned === undefined) {
      return await this.#join();
    }
    const dice = random.below(100);
    if (dice < 4) {
      // The member dies, or restarts: a static member returns under its instance id.
      this.#memberId = '';
      this.#assigned = undefined;
      await this.#world.scheduler.sleep(random.below(2 * SESSION_TIMEOUT_MS));
    } else if (dice < 7 && this.#instance === undefined) {
      await this.#leave();
    } else if (dice < 40) {
      await this.#commit();
    } else if (dice < 60) {
      await this.#fetchOffsets();
    } else {
      await this.#beat();
    }
  }

  /** A call failed permanently, so its outcome is unknown. */
  lostTouch(): void {
    this.#assigned = undefined;
  }

  get #member(): { groupId: string; memberId: string; generationId: number; groupInstanceId?: string } {
    const { groupInstanceId } = this.#identity;
    return {
      groupId: this.#group,
      memberId: this.#memberId,
      generationId: this.#generation,
      ...(groupInstanceId === undefined ? {} : { groupInstanceId }),
    };
  }

  get #identity(): { groupInstanceId?: string } {
    return this.#instance === undefined ? {} : { groupInstanceId: this.#instance };
  }

  async #join(): Promise<void> {
    const { auditor, random } = this.#world;
    const { client } = this.#world.anyAgent();
    const joined = auditor.groups.joinStarted(this.#group);
    const request = {
      groupId: this.#group,
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
      rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      memberId: this.#memberId,
      ...this.#identity,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: new Uint8Array(0) }],
      clientId: this.#clientId,
      clientHost: 'simulated',
      requireKnownMemberId: random.chance(0.7),
    };
    const answer = await client.call('joinGroup', request, JOIN_TIMEOUT_MS);
    if (answer.errorCode === MEMBER_ID_REQUIRED) {
      this.#memberId = answer.memberId;
      return;
    }
    if (answer.errorCode !== NONE) {
      this.#heed(answer.errorCode);
      return;
    }
    this.#world.guard(() => joined(answer.generationId, identityOf(answer.leader)));
    this.#memberId = answer.memberId;
    this.#generation = answer.generationId;
    const isLeader = answer.leader === answer.memberId;
    await this.#sync(isLeader ? answer.members.map(({ memberId }) => memberId) : []);
  }

  async #sync(members: readonly string[]): Promise<void> {
    const partitions = this.#world.topics.flatMap(({ name, partitions: count }) =>
      Array.from({ length: count }, (_, number) => `${name}:${number}`),
    );
    const assignments = members.map((memberId, place) => ({
      memberId,
      assignment: Buffer.from(partitions.filter((_, number) => number % members.length === place).join(',')),
    }));
    const request = { ...this.#member, protocolType: 'consumer', protocolName: 'range', assignments };
    const answer = await this.#world.anyAgent().client.call('syncGroup', request, JOIN_TIMEOUT_MS);
    if (answer.errorCode !== NONE) {
      this.#heed(answer.errorCode);
      return;
    }
    const text = Buffer.from(answer.assignment).toString();
    const assigned = text === '' ? [] : text.split(',');
    this.#assigned = assigned;
    this.#world.guard(() =>
      this.#world.auditor.groups.assigned(this.#group, this.#generation, identityOf(this.#memberId), assigned),
    );
  }

  async #beat(): Promise<void> {
    const { errorCode } = await this.#world.anyAgent().client.call('groupHeartbeat', this.#member);
    this.#heed(errorCode);
  }

  async #leave(): Promise<void> {
    const members = [{ memberId: this.#memberId }];
    this.#memberId = '';
    this.#assigned = undefined;
    await this.#world.anyAgent().client.call('leaveGroup', { groupId: this.#group, members });
  }

  async #commit(): Promise<void> {
    const { random, auditor } = this.#world;
    const partitions = (this.#assigned ?? []).filter(() => random.chance(0.5));
    const offsets = partitions.map((partition) => {
      const [topic = '', number = ''] = partition.split(':');
      return { topic, partition: Number(number), offset: BigInt(random.below(100_000)), leaderEpoch: -1, metadata: '' };
    });
    const asked = offsets.map(({ offset }, at) =>
      auditor.groups.commitAsked(this.#group, partitions[at] ?? '', Number(offset)),
    );
    const request = { ...this.#member, offsets };
    const answer = await this.#world.anyAgent().client.call('commitOffsets', request, COMMIT_TIMEOUT_MS);
    for (const [at, kept] of asked.entries()) {
      if (answer.errorCode === NONE && (answer.offsetErrorCodes[at] ?? NONE) === NONE) {
        kept();
      }
    }
    this.#heed(answer.errorCode);
  }

  async #fetchOffsets(): Promise<void> {
    await checkCommitted(this.#world, this.#group, this.#assigned ?? []);
  }

  #heed(errorCode: number): void {
    if (errorCode !== NONE) {
      this.#assigned = undefined;
    }
    if (errorCode === UNKNOWN_MEMBER_ID || errorCode === FENCED_INSTANCE_ID) {
      this.#memberId = '';
    }
  }
}

/** Fetches a group's committed offsets, and checks them against the promises. */
export async function checkCommitted(world: World, groupId: string, topicPartitions: readonly string[]): Promise<void> {
  const notes = topicPartitions.map((topicPartition) => world.auditor.groups.readStarted(groupId, topicPartition));
  const partitions = topicPartitions.map((topicPartition) => {
    const [topic = '', number = ''] = topicPartition.split(':');
    return { topic, partition: Number(number) };
  });
  const { offsets } = await world.anyAgent().client.call('fetchOffsets', { groupId, partitions });
  world.guard(() => {
    for (const [at, { offset }] of offsets.entries()) {
      notes[at]?.(Number(offset));
    }
  });
}

/** A static member gets a new member id with every start: its instance id and a random part. */
function identityOf(memberId: string): string {
  return memberId.startsWith('static') ? memberId.slice(0, memberId.lastIndexOf('-')) : memberId;
}
