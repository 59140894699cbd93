// Readers of single partitions. Some follow the tail through an agent's cache; some ask the owner for the bounds and for records at any
// offset.
import type { FetchedRun, SimTopic } from '../agents/agent.ts';
import { CallFailed } from '../agents/metadata-client.ts';
import { Machine } from '../kernel/machine.ts';
import type { Response } from '../metadata/metadata-process.ts';
import type { World } from '../world.ts';

const READERS = 3;
const THINK_MOST_MS = 1_200;
const THINK_MOST_AT_TAKEOVER_MS = 40;
const OFFSET_OUT_OF_RANGE = 1;
/** An object outlives its last run by a minute. A reader that located it less than this ago must find it. */
const GRACE_MS = 45_000;

interface OffsetQuery {
  topicId: Uint8Array;
  partition: number;
  timestampMs: bigint;
}

export class Readers {
  readonly #world: World;
  #runsRead = 0;

  constructor(world: World) {
    this.#world = world;
    for (let number = 0; number < READERS; number += 1) {
      void this.#follow();
    }
    void this.#ask();
    void this.#askAnyProcess();
  }

  get runsRead(): number {
    return this.#runsRead;
  }

  /** Follows one partition at a time from some offset on. */
  async #follow(): Promise<void> {
    const { scheduler, random } = this.#world;
    for (;;) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      const topic = random.pick(this.#world.topics);
      if (topic === undefined) {
        continue;
      }
      const partition = random.below(topic.partitions);
      let offset = 0;
      for (let turns = 2 + random.below(30); turns > 0; turns -= 1) {
        offset = await this.#fetch(topic, partition, offset);
        await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      }
    }
  }

  /** Reads at this offset, and returns the next one to read. */
  async #fetch(topic: SimTopic, partition: number, offset: number): Promise<number> {
    const { random, auditor, scheduler } = this.#world;
    const agent = this.#world.anyAgent();
    const asksOwner = random.chance(0.3);
    const note = auditor.logs.readStarted(topic.name, partition);
    const startedMs = scheduler.nowMs;
    const fetched = await (asksOwner ? agent.locate(topic, partition, offset) : agent.fetch(topic, partition, offset));
    if (fetched.kind === 'failed') {
      return offset;
    }
    if (fetched.kind === 'refused') {
      return fetched.errorCode === OFFSET_OUT_OF_RANGE ? Math.max(0, fetched.bounds.logStartOffset) : 0;
    }
    const { bounds, runs } = fetched;
    if (bounds !== undefined) {
      this.#world.guard(() => note(bounds));
    }
    let next = offset;
    for (const found of runs) {
      if (!this.#check(topic, partition, found, next, scheduler.nowMs - startedMs)) {
        break;
      }
      next = found.run.baseOffset + found.run.records;
    }
    return next;
  }

  #check(topic: SimTopic, partition: number, found: FetchedRun, next: number, tookMs: number): boolean {
    const { auditor } = this.#world;
    const { run, content, isLocated } = found;
    if (content === undefined) {
      if (isLocated && tookMs < GRACE_MS) {
        this.#world.guard(() => auditor.logs.missing(topic.name, partition, run));
      }
      // A run in the tail may have been removed long ago: the owner knows better.
      return false;
    }
    this.#world.guard(() => {
      auditor.logs.reached(topic.name, partition, run, next);
      auditor.logs.found(topic.name, partition, run, content);
    });
    this.#runsRead += 1;
    return true;
  }

  /** Requests the latest and the earliest offsets, as agents do. */
  async #ask(): Promise<void> {
    const { scheduler, random } = this.#world;
    for (;;) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      const question = this.#question();
      if (question === undefined) {
        continue;
      }
      try {
        question.check(
          (await this.#world.anyAgent().client.call('listOffsets', { queries: question.queries })).answers,
        );
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
    }
  }

  /** Asks any process, whether or not it owns the cluster, like an agent that keeps asking an earlier owner. */
  async #askAnyProcess(): Promise<void> {
    const { scheduler, random, network } = this.#world;
    const machine = new Machine('prober', scheduler, { rate: 1, offsetMs: 0 });
    for (;;) {
      const thinkMostMs = this.#world.isTakeoverExpected ? THINK_MOST_AT_TAKEOVER_MS : THINK_MOST_MS;
      await scheduler.sleep(1 + random.below(thinkMostMs));
      const question = this.#question();
      if (question !== undefined) {
        const { queries } = question;
        const call = { name: 'listOffsets', request: { queries }, witnessed: null } as const;
        network.call(machine, random.pick(network.urls) ?? '', call, (reply) => {
          if (reply.ok) {
            question.check(reply.answer.answers);
          }
        });
      }
    }
  }

  /** A query for the bounds of some partition, and the check of its answers. Undefined while there is no topic. */
  #question(): { queries: OffsetQuery[]; check: (answers: Response<'listOffsets'>['answers']) => void } | undefined {
    const { random, auditor, topics } = this.#world;
    const topic = random.pick(topics);
    if (topic === undefined) {
      return undefined;
    }
    const partition = random.below(topic.partitions);
    const queries = [-1n, -2n].map((timestampMs) => ({ topicId: topic.id, partition, timestampMs }));
    const note = auditor.logs.readStarted(topic.name, partition);
    const check = ([latest, earliest]: Response<'listOffsets'>['answers']): void => {
      if (latest?.errorCode === 0 && earliest?.errorCode === 0) {
        const bounds = { logStartOffset: Number(earliest.offset), highWatermark: Number(latest.offset) };
        this.#world.guard(() => note(bounds));
      }
    };
    return { queries, check };
  }
}
