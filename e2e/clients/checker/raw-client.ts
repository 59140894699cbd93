// The checker's own Kafka client: a producer without idempotence that never resends, so every duplicate is the broker's fault; readers that
// switch brokers; and a poller of log ends.
import type { HistoryEvent } from './history.ts';
import { recordValue } from './history.ts';
import { delay, RawBroker, TIMEOUT_MS } from './raw-broker.ts';
import { RawReader } from './raw-reader.ts';
import {
  createTopic,
  deleteRecords,
  deleteTopic,
  EARLIEST,
  LATEST,
  listOffsets,
  produce,
  type TopicPartition,
} from './raw-requests.ts';
import { encodeBatch } from './record-batch.ts';

const BROKEN_CONNECTION = '-1000';
const TOPIC_ALREADY_EXISTS = 36;
const UNKNOWN_TOPIC = 3;

export interface RawClientOptions {
  bootstraps: readonly string[];
  /** Topics to read, with their numbers of partitions. */
  kept: Readonly<Record<string, number>>;
  /** A topic of one partition that is deleted and recreated. Undefined when there is none. */
  churned?: string;
  /** Compacted topics with their numbers of partitions: each batch has one record, with one of this many keys. */
  compacted?: Readonly<Record<string, number>>;
  keys?: number;
  /** Rate of the records to kept topics, per second. */
  recordsPerS: number;
  valueBytes: number;
  write(event: HistoryEvent): void;
}

export class RawClient {
  readonly #options: RawClientOptions;
  readonly #partitions: TopicPartition[];
  /** The position of the tail reader by partition. */
  readonly #positions = new Map<string, number>();
  readonly #work: Promise<void>[] = [];
  #isProducing = true;
  #isWatching = true;
  #follower: Promise<void> = Promise.resolve();
  #ends: ReadonlyMap<string, number> | undefined;

  constructor(options: RawClientOptions) {
    this.#options = options;
    const read = Object.entries({ ...options.kept, ...options.compacted });
    this.#partitions = read.flatMap(([topic, partitions]) =>
      Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
    );
  }

  start(): void {
    const { bootstraps, churned } = this.#options;
    for (const [index, partition] of this.#partitions.entries()) {
      // Several records per batch, and a few batches per second and partition.
      const batchRecords = this.#isCompacted(partition) ? 1 : 5;
      this.#work.push(this.#produce(partition, batchRecords, new RawBroker(bootstraps, index)));
    }
    if (churned !== undefined) {
      this.#work.push(this.#produce({ topic: churned, partition: 0 }, 1, new RawBroker(bootstraps)));
    }
    this.#work.push(this.#watch());
    this.#follower = this.#reader('raw-tail', bootstraps, this.#positions).readTo(() => this.#ends);
  }

  /** The tail reader's position: everything before it has been read. */
  position({ topic, partition }: TopicPartition): number {
    return this.#positions.get(`${topic}-${partition}`) ?? 0;
  }

  /** Stops sending and waits for the outstanding responses. */
  async stopProducing(): Promise<void> {
    this.#isProducing = false;
    this.#isWatching = false;
    await Promise.all(this.#work);
  }

  /** The start and end of all logs, once the broker returns them. */
  async ends(): Promise<(TopicPartition & { low: number; high: number })[]> {
    const broker = new RawBroker(this.#options.bootstraps);
    return await this.#insist(async () => {
      const [lows, highs] = await broker.use(async (connection) => [
        await listOffsets(connection, this.#partitions, EARLIEST, TIMEOUT_MS),
        await listOffsets(connection, this.#partitions, LATEST, TIMEOUT_MS),
      ]);
      if ([...(lows ?? []), ...(highs ?? [])].some(({ errorCode }) => errorCode !== 0)) {
        throw new Error('not yet');
      }
      const low = new Map(lows?.map((one) => [`${one.topic}-${one.partition}`, one.offset]));
      return (highs ?? []).map(({ topic, partition, offset }) => ({
        ...{ topic, partition },
        low: low.get(`${topic}-${partition}`) ?? 0,
        high: offset,
      }));
    });
  }

  /** Lets the tail reader reach the ends, then reads everything again. */
  async finish(ends: ReadonlyMap<string, number>): Promise<void> {
    this.#ends = ends;
    const { bootstraps } = this.#options;
    await Promise.all([this.#follower, this.#reader('raw-final', bootstraps).readTo(() => ends)]);
  }

  /** Reads everything again, from one broker. */
  async readAgain(client: string, bootstrap: string, ends: ReadonlyMap<string, number>): Promise<void> {
    await this.#reader(client, [bootstrap]).readTo(() => ends);
  }

  async createTopic(name: string, partitions: number, configs: Readonly<Record<string, string>> = {}): Promise<void> {
    const broker = new RawBroker(this.#options.bootstraps);
    await this.#insist(async () => {
      const code = await broker.use((connection) => createTopic(connection, name, partitions, configs, TIMEOUT_MS));
      if (code !== 0 && code !== TOPIC_ALREADY_EXISTS) {
        throw new Error(`CreateTopics: ${code}`);
      }
    });
  }

  async deleteTopic(name: string): Promise<void> {
    const broker = new RawBroker(this.#options.bootstraps);
    await this.#insist(async () => {
      const code = await broker.use((connection) => deleteTopic(connection, name, TIMEOUT_MS));
      if (code !== 0 && code !== UNKNOWN_TOPIC) {
        throw new Error(`DeleteTopics: ${code}`);
      }
    });
  }

  /** Sent once: the readers will see whether it was carried out. */
  async deleteRecords(partition: TopicPartition, beforeOffset: number): Promise<void> {
    this.#options.write({ t: 'truncate', ...partition, beforeOffset, asked_ms: Date.now() });
    const broker = new RawBroker(this.#options.bootstraps, Math.floor(Date.now() / 1_000));
    const asked = broker.use((connection) => deleteRecords(connection, partition, beforeOffset, TIMEOUT_MS));
    await asked.catch(() => undefined);
    broker.change();
  }

  /** Retries until it succeeds; two minutes are only for hangs. */
  async #insist<T>(work: () => Promise<T>): Promise<T> {
    const deadlineMs = Date.now() + 120_000;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (Date.now() > deadlineMs) {
          throw error;
        }
        await delay(200);
      }
    }
  }

  #isCompacted({ topic }: TopicPartition): boolean {
    return this.#options.compacted?.[topic] !== undefined;
  }

  #reader(client: string, bootstraps: readonly string[], positions = new Map<string, number>()): RawReader {
    const { valueBytes, write } = this.#options;
    return new RawReader({ client, bootstraps, partitions: this.#partitions, valueBytes, positions, write });
  }

  /** One batch at a time: the next is sent when the outcome of the previous one is known or given up on. */
  async #produce(to: TopicPartition, batchRecords: number, broker: RawBroker): Promise<void> {
    const { write, recordsPerS, valueBytes, keys = 1 } = this.#options;
    const isChurned = to.topic === this.#options.churned;
    const perPartition = isChurned ? 10 : recordsPerS / this.#partitions.length;
    const at = { client: 'raw', ...to };
    for (let sent = 0; this.#isProducing; sent += batchRecords) {
      const timestampMs = Date.now();
      const ids = Array.from({ length: batchRecords }, (_, index) => `raw/${to.topic}-${to.partition}/${sent + index}`);
      const key = this.#isCompacted(to) ? keyOf(sent % keys) : undefined;
      for (const id of ids) {
        write({
          t: 'send',
          ...at,
          id,
          timestamp_ms: timestampMs,
          ...(key !== undefined && { key }),
          at_ms: timestampMs,
        });
      }
      const bytes = isChurned ? CHURNED_VALUE_BYTES : valueBytes;
      const batch = encodeBatch(
        ids.map((id) => recordValue(id, bytes)),
        timestampMs,
        key,
      );
      const outcome = await broker
        .use((connection) => produce(connection, to, batch, TIMEOUT_MS))
        .catch(() => undefined);
      const atMs = Date.now();
      for (const [index, id] of ids.entries()) {
        if (outcome?.errorCode === 0) {
          write({ t: 'ack', ...at, id, offset: outcome.baseOffset + index, at_ms: atMs });
        } else {
          write({ t: 'fail', ...at, id, error: String(outcome?.errorCode ?? BROKEN_CONNECTION), at_ms: atMs });
        }
      }
      await delay(Math.max(0, (1_000 * batchRecords) / perPartition - (atMs - timestampMs)));
    }
    broker.change();
  }

  async #watch(): Promise<void> {
    const { write, bootstraps } = this.#options;
    const broker = new RawBroker(bootstraps);
    while (this.#isWatching) {
      const askedMs = Date.now();
      const answers = await broker
        .use((connection) => listOffsets(connection, this.#partitions, LATEST, TIMEOUT_MS))
        .catch(() => []);
      const atMs = Date.now();
      for (const { topic, partition, errorCode, offset } of answers) {
        if (errorCode === 0) {
          write({
            t: 'watermark',
            source: 'list',
            client: 'raw',
            topic,
            partition,
            high: offset,
            asked_ms: askedMs,
            at_ms: atMs,
          });
        }
      }
      broker.change();
      await delay(200);
    }
  }
}

/** Size of values in churned topics, whose batches all have the same size. */
export const CHURNED_VALUE_BYTES = 64;
/** All keys have the same length. */
function keyOf(number: number): string {
  return `key-${String(number).padStart(6, '0')}`;
}

/** The size of a batch with one keyed record. */
export function keyedBatchBytes(valueBytes: number): number {
  return encodeBatch([recordValue('any', valueBytes)], 0, keyOf(0)).length;
}

/** The size of this batch: the header, and one record of that value without key and headers. */
export const churnedBatchBytes = encodeBatch([recordValue('any', CHURNED_VALUE_BYTES)], 0).length;
