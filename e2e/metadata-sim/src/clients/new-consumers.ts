// Consumer groups over the new protocol (KIP-848): members that the service assigns partitions, that give them up slowly, commit, leave, die,
// and commit once more what is no longer theirs. They work in every fifth seed.
import { CallFailed } from '../agents/metadata-client.ts';
import type { Response } from '../metadata/metadata-process.ts';
import type { World } from '../world.ts';

const GROUP = 'modern';
const CONSUMERS = 5;
const STATIC_CONSUMERS = 2;
const SESSION_TIMEOUT_MS = 6_000;
const REBALANCE_TIMEOUT_MS = 4_000;
const THINK_MOST_MS = 1_200;
/** The timeout of the only attempt: a member whose call failed starts anew, because a late heartbeat could undo a later one. */
const CALL_TIMEOUT_MS = 5_000;
/** A call through an agent that is dead never ends. */
const TIMEOUT_MS = 10_000;
const DEATH_CHANCE = 0.03;
const LEAVE_CHANCE = 0.03;
const COMMIT_CHANCE = 0.4;
/** How often a member still works on what it must give up. */
const HESITATION_CHANCE = 0.4;

const NONE = 0;
const FENCED_MEMBER_EPOCH = 110;

type Answer = Response<'consumerGroupHeartbeat'>;
type Keeps = ReturnType<World['auditor']['ownership']['gives']>;

export class NewConsumers {
  readonly #world: World;
  isFinishing = false;

  constructor(world: World, isAtWork: boolean) {
    this.#world = world;
    if (isAtWork) {
      void this.#start();
    }
  }

  async #start(): Promise<void> {
    const { scheduler, random } = this.#world;
    const values = { 'consumer.session.timeout.ms': SESSION_TIMEOUT_MS, 'consumer.heartbeat.interval.ms': 1_000 };
    const ops = Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
    for (let isSet = false; !isSet; ) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      isSet =
        (await patiently(this.#world, (client) =>
          client.call('alterGroupConfigs', { groups: [{ groupId: GROUP, ops }] }),
        )) !== undefined;
    }
    for (let number = 0; number < CONSUMERS; number += 1) {
      void this.#run(number);
    }
  }

  async #run(number: number): Promise<void> {
    const { scheduler, random } = this.#world;
    for (let life = 0; !this.isFinishing; life += 1) {
      const member = new Member(this.#world, number, life);
      while (member.isAlive && !this.isFinishing) {
        await scheduler.sleep(1 + random.below(THINK_MOST_MS));
        await member.step();
      }
    }
  }
}

/** One process of a consumer, from its start to its end. */
class Member {
  isAlive = true;
  readonly #world: World;
  readonly #memberId: string;
  readonly #instanceId: string | undefined;
  #epoch = 0;
  /** The partitions that the member uses, by topic id and number. */
  readonly #owned = new Map<string, Keeps>();
  /** The partitions that it must revoke and has not confirmed yet. */
  readonly #dismissed = new Set<string>();
  /** The partitions that it had at some time, with the last epoch of that time. */
  readonly #past = new Map<string, number>();

  constructor(world: World, number: number, life: number) {
    this.#world = world;
    this.#memberId = `modern${number}-${life}`;
    this.#instanceId = number < STATIC_CONSUMERS ? `modern-static${number}` : undefined;
  }

  get #who(): string {
    return this.#instanceId ?? this.#memberId;
  }

  async step(): Promise<void> {
    const { random, scheduler } = this.#world;
    if (this.#epoch > 0 && random.chance(DEATH_CHANCE)) {
      this.isAlive = false;
      await scheduler.sleep(random.below(2 * SESSION_TIMEOUT_MS));
    } else if (this.#epoch > 0 && random.chance(LEAVE_CHANCE)) {
      await this.#leave();
    } else if (this.#epoch > 0 && random.chance(COMMIT_CHANCE)) {
      await this.#commit();
    } else {
      await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    const { random, auditor } = this.#world;
    for (const partition of this.#dismissed) {
      if (!random.chance(HESITATION_CHANCE)) {
        this.#dismissed.delete(partition);
        this.#owned.delete(partition);
      }
    }
    const joins = this.#epoch === 0;
    const owned = [...this.#owned];
    const askedAt = auditor.ownership.now();
    const answer = await this.#call({
      memberEpoch: this.#epoch,
      rebalanceTimeoutMs: joins ? REBALANCE_TIMEOUT_MS : -1,
      ...(joins ? { subscribedTopicNames: { names: this.#world.topics.map(({ name }) => name) } } : {}),
      topicPartitions: { topics: listsOf(owned.map(([partition]) => partition)) },
    });
    if (answer === undefined) {
      return;
    }
    this.#world.guard(() => {
      for (const [, { keeps }] of owned) {
        keeps(askedAt);
      }
      this.#take(answer, askedAt);
    });
  }

  #take({ memberEpoch, assignment }: Answer, askedAt: number): void {
    this.#epoch = memberEpoch;
    for (const partition of this.#owned.keys()) {
      this.#past.set(partition, memberEpoch);
    }
    if (assignment === undefined) {
      return;
    }
    const given = new Set(
      assignment.topics.flatMap(({ topicId, partitions }) =>
        partitions.map((partition) => `${Buffer.from(topicId).toString('hex')}:${partition}`),
      ),
    );
    for (const partition of this.#owned.keys()) {
      if (given.has(partition)) {
        this.#dismissed.delete(partition);
      } else {
        this.#dismissed.add(partition);
      }
    }
    for (const partition of given) {
      this.#past.set(partition, memberEpoch);
      if (!this.#owned.has(partition)) {
        this.#owned.set(partition, this.#world.auditor.ownership.gives(partition, this.#who, askedAt));
      }
    }
  }

  async #leave(): Promise<void> {
    this.isAlive = false;
    await this.#call({ memberEpoch: this.#instanceId === undefined ? -1 : -2, rebalanceTimeoutMs: -1 });
  }

  /**
   * Commits one of its partitions or, with the epoch of that time, one that it had before. As in Kafka, a commit with the present epoch is
   * taken for any partition, so a member that is still at the same epoch does not commit what it has given up.
   */
  async #commit(): Promise<void> {
    const { random, auditor, topics } = this.#world;
    const committable = [...this.#past].filter(([one, epoch]) => this.#owned.has(one) || epoch < this.#epoch);
    const [partition, generationId] = random.pick(committable) ?? [];
    const [topicId, number] = partition?.split(':') ?? [];
    const topic = topics.find((one) => Buffer.from(one.id).toString('hex') === topicId);
    if (partition === undefined || generationId === undefined || topic === undefined) {
      return;
    }
    const askedAt = auditor.ownership.now();
    const offsets = [{ topic: topic.name, partition: Number(number), offset: 1n, leaderEpoch: -1, metadata: '' }];
    const request = { groupId: GROUP, memberId: this.#memberId, generationId, offsets, knowsMemberEpochs: true };
    const answer = await patiently(this.#world, (client) => client.call('commitOffsets', request, CALL_TIMEOUT_MS));
    if (answer === undefined) {
      this.isAlive = false;
    } else if (answer.errorCode === NONE && (answer.offsetErrorCodes[0] ?? NONE) === NONE) {
      this.#world.guard(() => auditor.ownership.committed(partition, this.#who, askedAt));
    }
  }

  /** Undefined: the member is to join again, or is gone. */
  async #call(change: {
    memberEpoch: number;
    rebalanceTimeoutMs: number;
    subscribedTopicNames?: { names: string[] };
    topicPartitions?: { topics: { topicId: Uint8Array; partitions: number[] }[] };
  }): Promise<Answer | undefined> {
    const request = {
      groupId: GROUP,
      memberId: this.#memberId,
      apiVersion: 1,
      clientId: 'modern',
      clientHost: 'simulated',
      principal: 'User:ANONYMOUS',
      ...(this.#instanceId === undefined ? {} : { instanceId: this.#instanceId }),
      ...change,
    };
    const answer = await patiently(this.#world, (client) =>
      client.call('consumerGroupHeartbeat', request, CALL_TIMEOUT_MS),
    );
    if (answer?.errorCode === NONE) {
      return answer;
    }
    this.#owned.clear();
    this.#dismissed.clear();
    this.#past.clear();
    this.#epoch = 0;
    this.isAlive &&= answer?.errorCode === FENCED_MEMBER_EPOCH;
    return undefined;
  }
}

function listsOf(partitions: readonly string[]): { topicId: Uint8Array; partitions: number[] }[] {
  const byTopic = Map.groupBy(partitions, (partition) => partition.split(':')[0] ?? '');
  return [...byTopic].map(([topicId, keys]) => ({
    topicId: Buffer.from(topicId, 'hex'),
    partitions: keys.map((key) => Number(key.split(':')[1])),
  }));
}

/** Undefined: the call failed, or is not answered. */
async function patiently<T>(
  world: World,
  call: (client: ReturnType<World['anyAgent']>['client']) => Promise<T>,
): Promise<T | undefined> {
  const answer = call(world.anyAgent().client).catch((error: unknown) => {
    if (error instanceof CallFailed) {
      return undefined;
    }
    throw error;
  });
  return await Promise.race([answer, world.scheduler.sleep(TIMEOUT_MS).then(() => undefined)]);
}
