// A Kafka client of the checker's own: a producer without idempotence that never sends anything twice, so whatever is there twice is the
// broker's doing; readers that change from broker to broker; and somebody who keeps asking where the logs end.
import type { HistoryEvent } from './history.ts';
import { recordValue } from './history.ts';
import { RawConnection } from './raw-connection.ts';
import {
  createTopic,
  deleteRecords,
  deleteTopic,
  earliest,
  fetch,
  latest,
  listOffsets,
  produce,
  type TopicPartition,
} from './raw-requests.ts';
import { decodeBatches, encodeBatch } from './record-batch.ts';

/** How long a broker may take to answer, unless a request says so itself. */
const patience_ms = 5_000;
/** Readers change the broker after this, so that what one has told is held against the other. */
const changeAfter_ms = 3_000;
const brokenConnection = '-1000';
const offsetOutOfRange = 1;
const topicAlreadyExists = 36;
const unknownTopic = 3;

function delay(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms));
}

/** One connection at a time, to one broker after the other. */
class Broker {
  readonly #bootstraps: readonly string[];
  #index: number;
  #connection: RawConnection | undefined;
  #openedAt_ms = 0;

  constructor(bootstraps: readonly string[], index = 0) {
    this.#bootstraps = bootstraps;
    this.#index = index;
  }

  /** @throws what `work` throws; the next call goes to the next broker then */
  async use<T>(work: (connection: RawConnection) => Promise<T>): Promise<T> {
    try {
      if (this.#connection === undefined) {
        this.#openedAt_ms = Date.now();
        const bootstrap = this.#bootstraps[this.#index % this.#bootstraps.length] ?? '';
        this.#connection = await RawConnection.open(bootstrap, patience_ms);
      }
      return await work(this.#connection);
    } catch (error) {
      this.change();
      throw error;
    }
  }

  changeWhenDue(): void {
    if (Date.now() - this.#openedAt_ms > changeAfter_ms) {
      this.change();
    }
  }

  change(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#index += 1;
  }
}

export interface RawClientOptions {
  bootstraps: readonly string[];
  /** Topics that are read, with their numbers of partitions. */
  kept: Readonly<Record<string, number>>;
  /** A topic of one partition that comes and goes. */
  churned: string;
  /** Of the records of kept topics, per second. */
  recordsPer_s: number;
  valueBytes: number;
  write(event: HistoryEvent): void;
}

export class RawClient {
  readonly #options: RawClientOptions;
  readonly #partitions: TopicPartition[];
  /** Where the reader that follows is, by partition. */
  readonly #positions = new Map<string, number>();
  readonly #work: Promise<void>[] = [];
  #isProducing = true;
  #isWatching = true;
  #follower: Promise<void> = Promise.resolve();
  #ends: ReadonlyMap<string, number> | undefined;

  constructor(options: RawClientOptions) {
    this.#options = options;
    this.#partitions = Object.entries(options.kept).flatMap(([topic, partitions]) =>
      Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
    );
  }

  start(): void {
    const { bootstraps, churned } = this.#options;
    for (const [index, partition] of this.#partitions.entries()) {
      // Several records to a batch, and a few batches a second for each partition.
      this.#work.push(this.#produce(partition, 5, new Broker(bootstraps, index)));
    }
    this.#work.push(this.#produce({ topic: churned, partition: 0 }, 1, new Broker(bootstraps)));
    this.#work.push(this.#watch());
    this.#follower = this.#read('raw-tail', this.#positions, () => this.#ends);
  }

  /** Where the reader that follows is: everything before has been read. */
  position({ topic, partition }: TopicPartition): number {
    return this.#positions.get(`${topic}-${partition}`) ?? 0;
  }

  /** Sends no more, and waits for the answers that are missing. */
  async stopProducing(): Promise<void> {
    this.#isProducing = false;
    this.#isWatching = false;
    await Promise.all(this.#work);
  }

  /** Where all logs begin and end, once the broker says so. */
  async ends(): Promise<(TopicPartition & { low: number; high: number })[]> {
    const broker = new Broker(this.#options.bootstraps);
    return await this.#insist(async () => {
      const [lows, highs] = await broker.use(async (connection) => [
        await listOffsets(connection, this.#partitions, earliest, patience_ms),
        await listOffsets(connection, this.#partitions, latest, patience_ms),
      ]);
      if ([...(lows ?? []), ...(highs ?? [])].some(({ errorCode }) => errorCode !== 0)) throw new Error('not yet');
      const low = new Map(lows?.map((one) => [`${one.topic}-${one.partition}`, one.offset]));
      return (highs ?? []).map(({ topic, partition, offset }) => ({
        ...{ topic, partition },
        low: low.get(`${topic}-${partition}`) ?? 0,
        high: offset,
      }));
    });
  }

  /** Lets the reader that follows go on to the ends, then reads everything again. */
  async finish(ends: ReadonlyMap<string, number>): Promise<void> {
    this.#ends = ends;
    await Promise.all([this.#follower, this.#read('raw-final', new Map(), () => ends)]);
  }

  async createTopic(name: string, partitions: number): Promise<void> {
    const broker = new Broker(this.#options.bootstraps);
    await this.#insist(async () => {
      const code = await broker.use((connection) => createTopic(connection, name, partitions, patience_ms));
      if (code !== 0 && code !== topicAlreadyExists) throw new Error(`CreateTopics: ${code}`);
    });
  }

  async deleteTopic(name: string): Promise<void> {
    const broker = new Broker(this.#options.bootstraps);
    await this.#insist(async () => {
      const code = await broker.use((connection) => deleteTopic(connection, name, patience_ms));
      if (code !== 0 && code !== unknownTopic) throw new Error(`DeleteTopics: ${code}`);
    });
  }

  /** Once: whether it was carried out is seen by the readers. */
  async deleteRecords(partition: TopicPartition, beforeOffset: number): Promise<void> {
    this.#options.write({ t: 'truncate', ...partition, beforeOffset, asked_ms: Date.now() });
    const broker = new Broker(this.#options.bootstraps, Math.floor(Date.now() / 1_000));
    const asked = broker.use((connection) => deleteRecords(connection, partition, beforeOffset, patience_ms));
    await asked.catch(() => undefined);
    broker.change();
  }

  /** Until it succeeds; two minutes are only for what never does. */
  async #insist<T>(work: () => Promise<T>): Promise<T> {
    const deadline_ms = Date.now() + 120_000;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (Date.now() > deadline_ms) throw error;
        await delay(200);
      }
    }
  }

  /** One batch after the other: the next one is sent when the outcome of the one before is known, or is given up. */
  async #produce(to: TopicPartition, batchRecords: number, broker: Broker): Promise<void> {
    const { write, recordsPer_s, valueBytes } = this.#options;
    const isChurned = to.topic === this.#options.churned;
    const perPartition = isChurned ? 10 : recordsPer_s / this.#partitions.length;
    const at = { client: 'raw', ...to };
    for (let sent = 0; this.#isProducing; sent += batchRecords) {
      const timestamp_ms = Date.now();
      const ids = Array.from({ length: batchRecords }, (_, index) => `raw/${to.topic}-${to.partition}/${sent + index}`);
      for (const id of ids) {
        write({ t: 'send', ...at, id, timestamp_ms, at_ms: timestamp_ms });
      }
      const bytes = isChurned ? churnedValueBytes : valueBytes;
      const batch = encodeBatch(
        ids.map((id) => recordValue(id, bytes)),
        timestamp_ms,
      );
      const outcome = await broker
        .use((connection) => produce(connection, to, batch, patience_ms))
        .catch(() => undefined);
      const at_ms = Date.now();
      for (const [index, id] of ids.entries()) {
        if (outcome?.errorCode === 0) {
          write({ t: 'ack', ...at, id, offset: outcome.baseOffset + index, at_ms });
        } else {
          write({ t: 'fail', ...at, id, error: String(outcome?.errorCode ?? brokenConnection), at_ms });
        }
      }
      await delay(Math.max(0, (1_000 * batchRecords) / perPartition - (at_ms - timestamp_ms)));
    }
    broker.change();
  }

  async #watch(): Promise<void> {
    const { write, bootstraps } = this.#options;
    const broker = new Broker(bootstraps);
    while (this.#isWatching) {
      const asked_ms = Date.now();
      const answers = await broker
        .use((connection) => listOffsets(connection, this.#partitions, latest, patience_ms))
        .catch(() => []);
      const at_ms = Date.now();
      for (const { topic, partition, errorCode, offset } of answers) {
        if (errorCode === 0) {
          write({ t: 'watermark', source: 'list', client: 'raw', topic, partition, high: offset, asked_ms, at_ms });
        }
      }
      broker.change();
      await delay(200);
    }
  }

  /** Reads all partitions until it is told the ends and has reached them. */
  async #read(
    client: string,
    positions: Map<string, number>,
    ends: () => ReadonlyMap<string, number> | undefined,
  ): Promise<void> {
    const broker = new Broker(this.#options.bootstraps);
    const isAtEnd = ({ topic, partition }: TopicPartition): boolean => {
      const name = `${topic}-${partition}`;
      return (positions.get(name) ?? 0) >= (ends()?.get(name) ?? Number.POSITIVE_INFINITY);
    };
    let giveUpAt_ms = Number.POSITIVE_INFINITY;
    while (!this.#partitions.every(isAtEnd) && Date.now() < giveUpAt_ms) {
      if (ends() !== undefined && giveUpAt_ms === Number.POSITIVE_INFINITY) {
        giveUpAt_ms = Date.now() + 60_000;
      }
      try {
        await broker.use((connection) => this.#readOnce(client, connection, positions));
      } catch {
        await delay(100);
      }
      broker.changeWhenDue();
    }
    broker.change();
  }

  async #readOnce(client: string, connection: RawConnection, positions: Map<string, number>): Promise<void> {
    const { write } = this.#options;
    const asked_ms = Date.now();
    const wanted = this.#partitions.map((one) => ({
      ...one,
      offset: positions.get(`${one.topic}-${one.partition}`) ?? 0,
    }));
    const fetched = await fetch(connection, wanted, 250, 2 * patience_ms);
    const at_ms = Date.now();
    let failed = 0;
    for (const { topic, partition, errorCode, high, records } of fetched) {
      const at = { client, topic, partition };
      const name = `${topic}-${partition}`;
      const position = positions.get(name) ?? 0;
      if (errorCode === offsetOutOfRange) {
        write({ t: 'out-of-range', ...at, offset: position, at_ms });
        const [answer] = await listOffsets(connection, [{ topic, partition }], earliest, patience_ms);
        positions.set(name, Math.max(position, answer?.errorCode === 0 ? answer.offset : 0));
      } else if (errorCode !== 0) {
        failed += 1;
      } else {
        write({ t: 'watermark', source: 'fetch', client, topic, partition, high, asked_ms, at_ms });
        this.#take(at, decodeBatches(records), positions, at_ms);
      }
    }
    if (failed > 0) {
      await delay(100);
    }
  }

  #take(
    at: TopicPartition & { client: string },
    batches: ReturnType<typeof decodeBatches>,
    positions: Map<string, number>,
    at_ms: number,
  ): void {
    const { write } = this.#options;
    const name = `${at.topic}-${at.partition}`;
    for (const { baseOffset, lastOffset, storedBytes, uncompressedBytes, records } of batches) {
      const position = positions.get(name) ?? 0;
      write({ t: 'batch', ...at, offset: baseOffset, records: records.length, storedBytes, uncompressedBytes });
      for (const { offset, timestamp_ms, value } of records) {
        // A fetch may begin with a batch that holds earlier offsets, too.
        if (offset >= position) {
          const id = value.slice(0, value.indexOf('|'));
          const isDamaged = value !== recordValue(id, this.#options.valueBytes);
          write({ t: 'read', ...at, offset, id, timestamp_ms, at_ms, ...(isDamaged && { isDamaged }) });
        }
      }
      positions.set(name, Math.max(position, lastOffset + 1));
    }
  }
}

/** Of the values of churned topics, whose batches are all equally large. */
export const churnedValueBytes = 64;
/** What such a batch takes: header, and a record of that value with neither key nor headers. */
export const churnedBatchBytes = encodeBatch([recordValue('any', churnedValueBytes)], 0).length;
