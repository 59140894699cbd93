// Producers. An idempotent producer resends unacknowledged batches, in order and through any agent, and starts a new epoch when it gives
// up. A plain producer sends once.
import type { Agent, SimTopic } from '../agents/agent.ts';
import { CallFailed } from '../agents/metadata-client.ts';
import type { BatchOutcome } from '../agents/write-path.ts';
import type { Payload } from '../auditor/log-auditor.ts';
import type { World } from '../world.ts';

const LANES = 5;
const MAX_IN_FLIGHT = 5;
/** Few keys, so that compaction has something to remove. */
const KEYS = 3;
const PLAIN_SHARE = 0.25;
const THINK_MOST_MS = 900;
/** Impatient producers find more defects. */
const REQUEST_TIMEOUTS_MS = [3_000, 10_000, 30_000];
/** How often a producer with unsettled batches gives up. */
const GIVE_UP_CHANCE = 0.15;
const UNKNOWN_TOPIC_OR_PARTITION = 3;
const INVALID_PRODUCER_EPOCH = 47;
const OUT_OF_ORDER_SEQUENCE_NUMBER = 45;
const UNKNOWN_TOPIC_ID = 100;

interface Batch {
  payload: Payload;
  sequence: number;
}

export class Producers {
  readonly #lanes: Lane[];

  constructor(world: World) {
    this.#lanes = Array.from({ length: LANES }, (_, number) => new Lane(world, `producer${number}`));
  }

  /** Batches with an unknown outcome. */
  get unsettled(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.open.length, 0);
  }

  /** Sends nothing new; repeats open batches until they are answered. */
  finish(): void {
    for (const lane of this.#lanes) {
      lane.isFinishing = true;
    }
  }
}

/** One producer's batches for one partition. */
class Lane {
  isFinishing = false;
  /** Sent but not acknowledged, in order. */
  open: Batch[] = [];
  readonly #world: World;
  readonly #name: string;
  readonly #isPlain: boolean;
  readonly #timeoutMs: number;
  #topic: SimTopic | undefined;
  #partition = 0;
  #lane = 0;
  #agent: Agent;
  #producerId = -1;
  #epoch = 0;
  #nextNumber = 0;
  #nextSequence = 0;
  #inFlight = 0;
  /** Failures since the last attempt to send all of `open`. */
  #failures = new Map<Batch, BatchOutcome>();

  constructor(world: World, name: string) {
    this.#world = world;
    this.#name = name;
    this.#isPlain = world.random.chance(PLAIN_SHARE);
    this.#timeoutMs = world.random.pick(REQUEST_TIMEOUTS_MS) ?? 0;
    this.#agent = world.anyAgent();
    void this.#run();
  }

  async #run(): Promise<void> {
    const { scheduler, random, topics } = this.#world;
    for (;;) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      if (this.#agent.isDead) {
        this.#agent = this.#world.anyAgent();
      }
      if (this.#topic === undefined || !topics.includes(this.#topic)) {
        this.#abandon();
        this.#topic = this.isFinishing ? undefined : random.pick(topics);
        this.#partition = random.below(this.#topic?.partitions ?? 1);
        this.#lane += 1;
        continue;
      }
      if (!this.#isPlain && this.#producerId < 0) {
        await this.#initialize();
        continue;
      }
      if (this.#failures.size > 0) {
        if (this.#inFlight === 0) {
          this.#recover();
        }
      } else if (!this.isFinishing && this.#inFlight < (this.#isPlain ? 1 : MAX_IN_FLIGHT)) {
        this.#produce(this.#topic);
      }
    }
  }

  async #initialize(): Promise<void> {
    const requestId = this.#world.random.id();
    try {
      const request = { producerId: -1n, producerEpoch: -1, requestId };
      const { errorCode, producerId } = await this.#agent.client.call('initProducerId', request);
      if (errorCode === 0) {
        const name = `${this.#name} ${Buffer.from(requestId).toString('hex')}`;
        this.#world.guard(() => this.#world.auditor.producerIdGranted(name, Number(producerId)));
        this.#producerId = Number(producerId);
        this.#epoch = 0;
        this.#nextSequence = 0;
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) {
        throw error;
      }
    }
  }

  #produce(topic: SimTopic): void {
    const { random, scheduler } = this.#world;
    const records = 1 + random.below(5);
    const lane = `${this.#name}.${this.#lane}`;
    const payload: Payload = {
      name: `${lane}/${topic.name}-${this.#partition}/${this.#nextNumber}`,
      topic: topic.name,
      partition: this.#partition,
      key: `key${this.#nextNumber % KEYS}`,
      records,
      bytes: 61 + random.below(100),
      uncompressedBytes: 61 + 7 * records + random.below(1_000),
      timestampMs: Math.floor(scheduler.nowMs),
      order: this.#isPlain ? null : { producer: lane, number: this.#nextNumber },
    };
    this.#nextNumber += 1;
    const batch = { payload, sequence: this.#nextSequence };
    this.#nextSequence += records;
    this.open.push(batch);
    void this.#send(batch, topic);
  }

  async #send(batch: Batch, topic: SimTopic): Promise<void> {
    const { scheduler, auditor } = this.#world;
    this.#inFlight += 1;
    const sent = this.#agent.produce({
      payload: batch.payload,
      topicId: topic.id,
      producerId: this.#isPlain ? -1 : this.#producerId,
      producerEpoch: this.#isPlain ? -1 : this.#epoch,
      baseSequence: this.#isPlain ? -1 : batch.sequence,
    });
    const outcome = await Promise.race([
      sent,
      scheduler.sleep(this.#timeoutMs).then((): BatchOutcome => ({ kind: 'unknown' })),
    ]);
    this.#inFlight -= 1;
    if (outcome.kind === 'stored') {
      this.#world.guard(() => auditor.logs.acknowledged(batch.payload, outcome.offset));
      this.open = this.open.filter((one) => one !== batch);
    } else if (this.open.includes(batch)) {
      if (this.#isPlain && outcome.kind === 'refused') {
        this.#world.guard(() => auditor.logs.refused(batch.payload));
      }
      this.#failures.set(batch, outcome);
    }
  }

  /** Nothing is in flight, and something failed: resends everything that is open, or gives it up. */
  #recover(): void {
    const { random } = this.#world;
    const head = this.open[0];
    const outcome = head === undefined ? undefined : this.#failures.get(head);
    this.#failures = new Map();
    const isLost = this.#isPlain || random.chance(GIVE_UP_CHANCE) || (outcome !== undefined && isFatal(outcome));
    if (isLost) {
      this.#abandon();
      return;
    }
    if (random.chance(0.5)) {
      this.#agent = this.#world.anyAgent();
    }
    for (const batch of [...this.open]) {
      if (this.#topic !== undefined) {
        void this.#send(batch, this.#topic);
      }
    }
  }

  /** Gives up the open batches, which may or may not be stored. The next epoch fences those still in flight. */
  #abandon(): void {
    this.open = [];
    this.#failures = new Map();
    this.#epoch += 1;
    this.#nextSequence = 0;
    if (this.#world.random.chance(0.2)) {
      // A new producer id does not fence the one before, so a new order starts here.
      this.#producerId = -1;
      this.#lane += 1;
    }
  }
}

function isFatal(outcome: BatchOutcome): boolean {
  const fatal = [UNKNOWN_TOPIC_OR_PARTITION, OUT_OF_ORDER_SEQUENCE_NUMBER, INVALID_PRODUCER_EPOCH, UNKNOWN_TOPIC_ID];
  return outcome.kind === 'refused' && fatal.includes(outcome.errorCode);
}
