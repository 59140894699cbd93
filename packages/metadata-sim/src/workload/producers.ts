// Producers and the agents that write their batches into files. An idempotent producer sends again what it has not heard of, in the
// same file or in another one; a plain one repeats only the very same file.
import type { CommitFile, CommitFileAnswer, InitProducerIdAnswer } from '@penstock/metadata-core';
import type { Payload, Placed } from '../auditor/log-auditor.ts';
import { fileName, type SimTopic, type World } from '../world.ts';

const IDEMPOTENT_PRODUCERS = 3;
const PLAIN_PRODUCERS = 1;
const MAX_LANES_PER_FILE = 4;

interface Producer {
  name: string;
  /** Null: plain. */
  requestId: Uint8Array | null;
  /** Null until InitProducerId is answered. */
  id: number | null;
}

interface Batch {
  payload: Payload;
  sequence: number;
}

/** One producer's way into one partition. */
interface Lane {
  producer: Producer;
  topic: SimTopic;
  partition: number;
  nextNumber: number;
  nextSequence: number;
  /** Sent and not acknowledged, in order. */
  open: Batch[];
  busy: boolean;
}

interface WrittenFile {
  command: CommitFile;
  placed: Placed[];
  lanes: Lane[];
}

export class Producers {
  readonly #world: World;
  readonly #producers: Producer[];
  readonly #lanes = new Map<string, Lane>();
  /** Commits that were met with silence. */
  #silent: WrittenFile[] = [];
  /** Offsets that were acknowledged, for truncation: any of them is within its log. */
  readonly acknowledged: { topic: SimTopic; partition: number; offset: number }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#producers = Array.from({ length: IDEMPOTENT_PRODUCERS + PLAIN_PRODUCERS }, (_, number) => ({
      name: `producer${number}`,
      requestId: number < IDEMPOTENT_PRODUCERS ? world.random.id() : null,
      id: null,
    }));
  }

  /** Batches that nobody has heard of yet. */
  get unsettled(): number {
    let batches = this.#silent.length;
    for (const lane of this.#lanes.values()) {
      batches += lane.open.length;
    }
    return batches;
  }

  /** The topic is being deleted: nobody produces to it any more, or waits for what was sent. */
  abandon(topic: SimTopic): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.topic === topic) {
        this.#lanes.delete(key);
      }
    }
  }

  /** @param onlySettle starts nothing new: repeats what is open. */
  async step(onlySettle: boolean): Promise<void> {
    const { random } = this.#world;
    const again = this.#silent.length > 0 && random.chance(0.5) ? this.#silent.shift() : undefined;
    if (again !== undefined) {
      const canMove = again.lanes.every(({ producer }) => producer.requestId !== null);
      if (canMove && random.chance(0.5)) {
        for (const lane of again.lanes) {
          lane.busy = false;
        }
      } else {
        await this.#commit(again);
      }
      return;
    }
    const producer = random.pick(this.#producers);
    if (producer === undefined) {
      return;
    }
    if (producer.requestId !== null && producer.id === null) {
      await this.#initialize(producer, producer.requestId);
      return;
    }
    await this.#write(onlySettle);
  }

  async #initialize(producer: Producer, requestId: Uint8Array): Promise<void> {
    const command = { kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId } as const;
    await this.#world.submit<InitProducerIdAnswer>(command, (heard) => {
      if (heard.kind === 'answer') {
        this.#world.auditor.producerIdGranted(producer.name, heard.answer.producerId);
        producer.id = heard.answer.producerId;
      }
    });
  }

  /** Writes one file with batches of some lanes that have nothing under way. */
  async #write(onlySettle: boolean): Promise<void> {
    const { random } = this.#world;
    const chosen = new Set<Lane>();
    for (let tries = 1 + random.below(MAX_LANES_PER_FILE); tries > 0; tries -= 1) {
      const lane = onlySettle ? this.#openLane() : this.#anyLane();
      if (lane !== undefined && !lane.busy) {
        chosen.add(lane);
      }
    }
    const lanes = [...chosen].filter((lane) => {
      if (lane.open.length === 0 && !onlySettle) {
        this.#produce(lane);
      }
      return lane.open.length > 0;
    });
    if (lanes.length > 0) {
      await this.#commit(this.#file(lanes));
    }
  }

  #openLane(): Lane | undefined {
    return this.#world.random.pick([...this.#lanes.values()].filter(({ open, busy }) => open.length > 0 && !busy));
  }

  #anyLane(): Lane | undefined {
    const { random, topics } = this.#world;
    const topic = random.pick(topics);
    const producer = random.pick(this.#producers);
    if (topic === undefined || producer === undefined || (producer.requestId !== null && producer.id === null)) {
      return undefined;
    }
    const partition = random.below(topic.partitions);
    const key = `${producer.name} ${topic.name}-${partition}`;
    const lane = this.#lanes.get(key) ?? {
      producer,
      topic,
      partition,
      nextNumber: 0,
      nextSequence: 0,
      open: [],
      busy: false,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  /** New batches for a lane: at most five, which is what Kafka's producers have in flight. */
  #produce(lane: Lane): void {
    const { random } = this.#world;
    for (let count = 1 + random.below(3); count > 0; count -= 1) {
      const records = 1 + random.below(5);
      const { producer, topic, partition, nextNumber: number } = lane;
      const payload: Payload = {
        name: `${producer.name}/${topic.name}-${partition}/${number}`,
        topic: topic.name,
        partition,
        records,
        bytes: 61 + random.below(100),
        uncompressedBytes: 61 + random.below(1_000),
        order: producer.requestId === null ? null : { producer: producer.name, number },
      };
      lane.open.push({ payload, sequence: lane.nextSequence });
      lane.nextNumber += 1;
      lane.nextSequence += records;
    }
  }

  #file(lanes: Lane[]): WrittenFile {
    const { random, nowMs } = this.#world;
    const batches = lanes.flatMap((lane) => lane.open.map((batch) => ({ lane, ...batch })));
    const topicIds = [...new Set(lanes.map(({ topic }) => topic.id))];
    const placed: Placed[] = [];
    let position = 0;
    const runPosition = lanes.map((lane) => {
      const start = position;
      for (const { payload } of lane.open) {
        placed.push({ payload, position });
        position += payload.bytes;
      }
      return start;
    });
    const producerOf = (lane: Lane): number => lane.producer.id ?? -1;
    const command: CommitFile = {
      kind: 'commit-file',
      fileId: random.fileId(nowMs),
      fileBytes: position,
      topicIds,
      runTopic: Uint32Array.from(lanes, ({ topic }) => topicIds.indexOf(topic.id)),
      runPartition: Uint32Array.from(lanes, ({ partition }) => partition),
      runPosition: Float64Array.from(runPosition),
      runBatches: Uint32Array.from(lanes, ({ open }) => open.length),
      batchBytes: Uint32Array.from(batches, ({ payload }) => payload.bytes),
      batchRecords: Uint32Array.from(batches, ({ payload }) => payload.records),
      batchMaxTimestampMs: Float64Array.from(batches, () => nowMs),
      batchUncompressedBytes: Float64Array.from(batches, ({ payload }) => payload.uncompressedBytes),
      producers: {
        id: Float64Array.from(batches, ({ lane }) => producerOf(lane)),
        epoch: Int32Array.from(batches, ({ lane }) => (lane.producer.id === null ? -1 : 0)),
        baseSequence: Int32Array.from(batches, ({ lane, sequence }) => (lane.producer.id === null ? -1 : sequence)),
      },
    };
    return { command, placed, lanes };
  }

  async #commit(file: WrittenFile): Promise<void> {
    for (const lane of file.lanes) {
      lane.busy = true;
    }
    this.#world.auditor.logs.attempted(fileName(file.command.fileId), file.placed);
    await this.#world.submit<CommitFileAnswer>(file.command, (heard) => {
      if (heard.kind === 'silence') {
        this.#silent.push(file);
      } else {
        this.#settle(file, heard.answer);
      }
    });
  }

  #settle(file: WrittenFile, answer: CommitFileAnswer): void {
    const acknowledged = new Set<Payload>();
    for (const [at, { payload }] of file.placed.entries()) {
      const isStored = answer.errorCode === 0 && (answer.batchErrorCode[at] ?? 0) === 0;
      const offset = isStored ? (answer.batchBaseOffset[at] ?? -1) : null;
      this.#world.auditor.logs.answered(payload, offset);
      if (offset !== null) {
        acknowledged.add(payload);
        const topic = file.lanes.find((lane) => lane.topic.name === payload.topic)?.topic;
        if (topic !== undefined) {
          this.acknowledged.push({ topic, partition: payload.partition, offset });
        }
      }
    }
    for (const lane of file.lanes) {
      lane.busy = false;
      // A plain producer does not know what became of a refused batch: it gives up.
      lane.open = lane.producer.requestId === null ? [] : lane.open.filter(({ payload }) => !acknowledged.has(payload));
    }
  }
}
