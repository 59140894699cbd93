// The recorded calls of `packages/metadata-protocol/vectors`, played to a whole service. It runs on the service itself over its RPC, and on
// the one that simulations drive. Ids of topics, streams and files are the service's own, so they are translated on both ways.
import { readFileSync } from 'node:fs';
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { MetadataService, type WatchEvent, WatchEventSchema } from '@penstock/metadata-protocol';
import { describe, expect, test } from 'vitest';

interface Step {
  kind: 'create-topic' | 'delete-topic' | 'truncate' | 'watch' | 'news' | 'call';
  topicId?: string;
  name?: string;
  partitions?: number;
  partition?: number;
  beforeOffset?: number;
  call?: string;
  requestHex?: string;
  responseHex?: string;
  eventHex?: string;
}

interface Vectors {
  startMs: number;
  scenarios: { name: string; steps: Step[] }[];
}

const VECTORS = JSON.parse(
  readFileSync(new URL('../../../../packages/metadata-protocol/vectors/metadata-calls.json', import.meta.url), 'utf8'),
) as Vectors;
const AGENT_ID = 'agent';
/** Files of the recording are at most this old, or this far ahead. */
const MAX_FILE_AGE_MS = 10 * 86_400_000;
const ID_BYTES = 16;
const TIME_BYTES = 6;

/** One virtual cluster of its own, and one agent that calls. */
export interface RecordedCallsHarness {
  /** The time by the service's clock, in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** @throws when the call is refused */
  call(method: DescMethodUnary, request: Message): Promise<Message>;
  /** Opens a stream. Each call of `next` resolves to its next event. */
  watch(agentId: string): Promise<{ next(): Promise<WatchEvent> }>;
  close(): Promise<void>;
}

export function describeRecordedCalls(name: string, open: () => Promise<RecordedCallsHarness>): void {
  describe(`${name}: recorded calls`, () => {
    test.each(VECTORS.scenarios)('$name', async ({ steps }) => {
      const harness = await open();
      try {
        const player = new Player(harness);
        for (const step of steps) {
          await player.play(step);
        }
      } finally {
        await harness.close();
      }
    });
  });
}

class Player {
  readonly #harness: RecordedCallsHarness;
  readonly #fileShiftMs: number;
  /** The service's ids of topics by those of the recording, in hexadecimal; and the other way round. */
  readonly #topics = new Map<string, string>();
  readonly #recordedTopics = new Map<string, string>();
  #watchId = '';
  #events: { next(): Promise<WatchEvent> } | undefined;

  constructor(harness: RecordedCallsHarness) {
    this.#harness = harness;
    this.#fileShiftMs = harness.nowMs() - VECTORS.startMs;
  }

  async play(step: Step): Promise<void> {
    const { topicId = '', name = '', partitions = 0, partition = 0, beforeOffset = 0 } = step;
    const { createTopics, describeCluster, deleteTopics, deleteRecords } = MetadataService.method;
    switch (step.kind) {
      case 'create-topic': {
        await this.#harness.call(createTopics, create(createTopics.input, { topics: [{ name, partitions }] }));
        const answer = await this.#harness.call(describeCluster, create(describeCluster.input, { topicNames: [name] }));
        const [topic] = (answer as ReturnType<typeof create<typeof describeCluster.output>>).topics;
        const own = hexOf(topic?.topicId ?? new Uint8Array(0));
        this.#topics.set(topicId, own);
        this.#recordedTopics.set(own, topicId);
        return;
      }
      case 'delete-topic': {
        const topicIds = [this.#ownTopic(topicId)];
        await this.#harness.call(deleteTopics, create(deleteTopics.input, { topicIds }));
        return;
      }
      case 'truncate': {
        const target = { topicId: this.#ownTopic(topicId), partition, beforeOffset: BigInt(beforeOffset) };
        await this.#harness.call(deleteRecords, create(deleteRecords.input, { partitions: [target] }));
        return;
      }
      case 'watch': {
        this.#events = await this.#harness.watch(AGENT_ID);
        this.#watchId = (await this.#events.next()).watchId;
        return;
      }
      case 'news':
        expect(await this.#news()).toEqual(recorded(WatchEventSchema, step.eventHex));
        return;
      case 'call':
        await this.#call(step);
    }
  }

  async #call({ call = '', requestHex, responseHex }: Step): Promise<void> {
    const method = Object.values(MetadataService.method).find((one) => one.name === call) as DescMethodUnary;
    const asked = this.#translated(recorded(method.input, requestHex), this.#topics, this.#fileShiftMs);
    const response = await this.#harness.call(method, fromJson(method.input, asked));
    const answer = this.#translated(toJson(method.output, response), this.#recordedTopics, -this.#fileShiftMs);
    expect(comparable(call, answer)).toEqual(recorded(method.output, responseHex));
  }

  /** The next event that says something of partitions. Others keep the stream current. */
  async #news(): Promise<JsonValue> {
    for (;;) {
      const event = await this.#events?.next();
      if (event === undefined || event.partitions.length > 0) {
        const { partitions } = create(WatchEventSchema, event ?? {});
        const news = toJson(WatchEventSchema, create(WatchEventSchema, { partitions }));
        return this.#translated(news, this.#recordedTopics, -this.#fileShiftMs);
      }
    }
  }

  #ownTopic(topicId: string): Uint8Array {
    return Buffer.from(this.#topics.get(topicId) ?? '', 'hex');
  }

  /** Replaces the ids in a message. */
  #translated(value: JsonValue, topics: ReadonlyMap<string, string>, shiftMs: number): JsonValue {
    if (Array.isArray(value)) {
      return value.map((one) => this.#translated(one, topics, shiftMs));
    }
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, one]) => [key, this.#translated(one, topics, shiftMs)] as const);
      return Object.fromEntries(entries);
    }
    if (value === 'watch-1') {
      return this.#watchId;
    }
    return typeof value === 'string' ? translatedId(value, topics, shiftMs) : value;
  }
}

function translatedId(text: string, topics: ReadonlyMap<string, string>, shiftMs: number): string {
  const id = Buffer.from(text, 'base64');
  if (id.length !== ID_BYTES || id.toString('base64') !== text) {
    return text;
  }
  const topic = topics.get(hexOf(id));
  if (topic !== undefined) {
    return Buffer.from(topic, 'hex').toString('base64');
  }
  const madeMs = id.readUIntBE(0, TIME_BYTES);
  const recordedMs = shiftMs >= 0 ? madeMs : madeMs + shiftMs;
  if (Math.abs(recordedMs - VECTORS.startMs) < MAX_FILE_AGE_MS) {
    id.writeUIntBE(madeMs + shiftMs, 0, TIME_BYTES);
  }
  return id.toString('base64');
}

function recorded(schema: DescMessage, hex = ''): JsonValue {
  return toJson(schema, fromBinary(schema, Buffer.from(hex, 'hex')));
}

/** The recording has the topics alone of DescribeCluster, without their creation times. */
function comparable(call: string, answer: JsonValue): JsonValue {
  if (call !== 'DescribeCluster') {
    return answer;
  }
  const { topics = [] } = answer as { topics?: Record<string, JsonValue>[] };
  const withoutTimes = topics.map(({ createdAtMs: _created, ...topic }) => topic);
  return withoutTimes.length === 0 ? {} : { topics: withoutTimes };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
