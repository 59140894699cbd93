// The checker's own reader: fetches from the brokers in turn and records what it gets.

import type { RawConnection } from '../support/raw-connection.ts';
import type { HistoryEvent } from './history.ts';
import { recordValue } from './history.ts';
import { delay, RawBroker, TIMEOUT_MS } from './raw-broker.ts';
import { EARLIEST, fetch, listOffsets, type TopicPartition } from './raw-requests.ts';
import { decodeBatches } from './record-batch.ts';

const OFFSET_OUT_OF_RANGE = 1;
/** A value for an unknown high watermark: the response says nothing about the end. */
const UNKNOWN_OFFSET = -1;
/** Only for hangs: once the ends are known, a reader should reach them sooner. */
const GIVE_UP_AFTER_MS = 60_000;

export interface RawReaderOptions {
  /** The client name in its events. */
  client: string;
  /** A single broker means that the reader stays with it. */
  bootstraps: readonly string[];
  partitions: readonly TopicPartition[];
  valueBytes: number;
  /** Start positions by `topic-partition`, 0 when absent. Updated while it reads. */
  positions?: Map<string, number>;
  /** Bytes per partition and response; 1 MiB when absent. */
  maxBytes?: number;
  write(event: HistoryEvent): void;
}

export class RawReader {
  readonly #options: RawReaderOptions;
  readonly #positions: Map<string, number>;
  readonly #broker: RawBroker;

  constructor(options: RawReaderOptions) {
    this.#options = options;
    this.#positions = options.positions ?? new Map();
    this.#broker = new RawBroker(options.bootstraps);
  }

  /** Reads until it knows the ends and has reached them. */
  async readTo(ends: () => ReadonlyMap<string, number> | undefined): Promise<void> {
    const isAtEnd = ({ topic, partition }: TopicPartition): boolean => {
      const name = `${topic}-${partition}`;
      return (this.#positions.get(name) ?? 0) >= (ends()?.get(name) ?? Number.POSITIVE_INFINITY);
    };
    let giveUpAtMs = Number.POSITIVE_INFINITY;
    while (!this.#options.partitions.every(isAtEnd) && Date.now() < giveUpAtMs) {
      if (ends() !== undefined && giveUpAtMs === Number.POSITIVE_INFINITY) {
        giveUpAtMs = Date.now() + GIVE_UP_AFTER_MS;
      }
      await this.readOnce();
    }
    this.close();
  }

  /** One request; after an error the next one goes to another broker. */
  async readOnce(): Promise<void> {
    try {
      await this.#broker.use((connection) => this.#ask(connection));
    } catch {
      await delay(100);
    }
    this.#broker.changeWhenDue();
  }

  close(): void {
    this.#broker.change();
  }

  async #ask(connection: RawConnection): Promise<void> {
    const { client, partitions, maxBytes, write } = this.#options;
    const askedMs = Date.now();
    const wanted = partitions.map((one) => ({
      ...one,
      offset: this.#positions.get(`${one.topic}-${one.partition}`) ?? 0,
    }));
    const fetched = await fetch(connection, wanted, 250, 2 * TIMEOUT_MS, maxBytes);
    const atMs = Date.now();
    let failed = 0;
    for (const { topic, partition, errorCode, high, records } of fetched) {
      const at = { client, topic, partition };
      const name = `${topic}-${partition}`;
      const position = this.#positions.get(name) ?? 0;
      if (errorCode === OFFSET_OUT_OF_RANGE) {
        write({ t: 'out-of-range', ...at, offset: position, at_ms: atMs });
        const [answer] = await listOffsets(connection, [{ topic, partition }], EARLIEST, TIMEOUT_MS);
        this.#positions.set(name, Math.max(position, answer?.errorCode === 0 ? answer.offset : 0));
      } else if (errorCode !== 0) {
        failed += 1;
      } else {
        if (high !== UNKNOWN_OFFSET) {
          write({ t: 'watermark', source: 'fetch', client, topic, partition, high, asked_ms: askedMs, at_ms: atMs });
        }
        this.#take(at, decodeBatches(records), atMs);
      }
    }
    if (failed > 0) {
      await delay(100);
    }
  }

  #take(at: TopicPartition & { client: string }, batches: ReturnType<typeof decodeBatches>, atMs: number): void {
    const { valueBytes, write } = this.#options;
    const name = `${at.topic}-${at.partition}`;
    for (const { baseOffset, lastOffset, storedBytes, uncompressedBytes, records } of batches) {
      const position = this.#positions.get(name) ?? 0;
      write({ t: 'batch', ...at, offset: baseOffset, records: records.length, storedBytes, uncompressedBytes });
      for (const { offset, timestamp_ms: timestampMs, key, value } of records) {
        // The first batch of a fetch may contain earlier offsets.
        if (offset >= position) {
          const id = value.slice(0, value.indexOf('|'));
          const isDamaged = value !== recordValue(id, valueBytes);
          const read = { t: 'read', ...at, offset, id, timestamp_ms: timestampMs, at_ms: atMs } as const;
          write({ ...read, ...(key !== undefined && { key }), ...(isDamaged && { isDamaged }) });
        }
      }
      this.#positions.set(name, Math.max(position, lastOffset + 1));
    }
  }
}
