// Readers of old data while it is merged: one from the start repeatedly, one from the start slowly, one at random positions. Their reads
// are judged at once and not kept, because they are many times what was written.
import type { Anomaly } from './anomaly.ts';
import type { HistoryEvent, ReadEvent } from './history.ts';
import type { Evidence } from './judge-evidence.ts';
import { judgeReads } from './judge-reads.ts';
import { delay } from './raw-broker.ts';
import { RawReader } from './raw-reader.ts';
import type { TopicPartition } from './raw-requests.ts';

const BETWEEN_PASSES_MS = 2_000;
const BETWEEN_REQUESTS_MS = 100;
const SLOW_MS = 1_000;
const SLOW_BYTES = 16 * 1024;
const REQUESTS_PER_SEEK = 3;

export interface AgainReadersOptions {
  bootstraps: readonly string[];
  partitions: readonly TopicPartition[];
  /** Compacted topics, whose offsets have gaps. */
  compacted: ReadonlySet<string>;
  valueBytes: number;
  /** The evidence so far, including the reads of `follower`, which reads at the tail. */
  evidence: Evidence;
  follower: string;
  /** Draws from 0 to 1 to choose positions. */
  random(): number;
}

export interface AgainCounts {
  passes: number;
  seeks: number;
  slowRecords: number;
  records: number;
}

export class AgainReaders {
  readonly anomalies: Anomaly[] = [];
  readonly counts: AgainCounts = { passes: 0, seeks: 0, slowRecords: 0, records: 0 };
  readonly #options: AgainReadersOptions;
  /** By partition: how many of the follower's reads are settled, and where they end. */
  readonly #settled = new Map<string, { reads: number; end: number }>();
  #isOver = false;
  #work: Promise<void>[] = [];

  constructor(options: AgainReadersOptions) {
    this.#options = options;
  }

  start(): void {
    this.#work = [this.#again(), this.#slowly(), this.#anywhere()];
  }

  /** Stops all readers where they are. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  async #again(): Promise<void> {
    for (let pass = 1; !this.#isOver; pass += 1) {
      if (await this.#pass(`again-${pass}`, BETWEEN_REQUESTS_MS)) {
        this.counts.passes += 1;
      }
      await delay(BETWEEN_PASSES_MS);
    }
  }

  async #slowly(): Promise<void> {
    for (let pass = 1; !this.#isOver; pass += 1) {
      await this.#pass(`slow-${pass}`, SLOW_MS, SLOW_BYTES);
      await delay(SLOW_MS);
    }
  }

  async #anywhere(): Promise<void> {
    const { random, partitions } = this.#options;
    for (let seek = 1; !this.#isOver; seek += 1) {
      const ends = this.#ends();
      const positions = new Map<string, number>();
      for (const { topic, partition } of partitions) {
        const name = `${topic}-${partition}`;
        positions.set(name, Math.floor(random() * (ends.get(name) ?? 0)));
      }
      const reader = this.#reader(`seek-${seek}`, positions, ends);
      for (let request = 0; request < REQUESTS_PER_SEEK; request += 1) {
        await reader.readOnce();
      }
      reader.close();
      this.counts.seeks += 1;
      await delay(5 * BETWEEN_REQUESTS_MS);
    }
  }

  /** Takes all settled evidence. Returns whether the end was reached. */
  async #pass(client: string, pauseMs: number, maxBytes?: number): Promise<boolean> {
    const ends = this.#ends();
    const positions = new Map<string, number>();
    const reader = this.#reader(client, positions, ends, maxBytes);
    const isAtEnd = (): boolean => [...ends].every(([name, end]) => (positions.get(name) ?? 0) >= end);
    while (!this.#isOver && !isAtEnd()) {
      await reader.readOnce();
      await delay(pauseMs);
    }
    reader.close();
    return isAtEnd();
  }

  /** Judges reads before the settled ends, from the positions it starts at. */
  #reader(
    client: string,
    positions: Map<string, number>,
    ends: ReadonlyMap<string, number>,
    maxBytes?: number,
  ): RawReader {
    const { bootstraps, partitions, compacted, valueBytes, evidence } = this.#options;
    const next = new Map(
      partitions.map(({ topic, partition }) => {
        const name = `${topic}-${partition}`;
        return [name, new Map([[client, positions.get(name) ?? 0]])] as const;
      }),
    );
    const judged = (event: HistoryEvent): void => {
      if (event.t !== 'read' && event.t !== 'out-of-range') {
        return;
      }
      const name = `${event.topic}-${event.partition}`;
      // Later records are new, and their sender may not be known yet.
      if (event.t === 'read' && event.offset >= (ends.get(name) ?? 0)) {
        return;
      }
      const readings = event.t === 'read' ? { reads: [event], outOfRange: [] } : { reads: [], outOfRange: [event] };
      const partition = evidence.partition(event.topic, event.partition);
      this.anomalies.push(...judgeReads(partition, readings, compacted.has(event.topic), next.get(name)));
      this.counts.records += readings.reads.length;
      this.counts.slowRecords += maxBytes === undefined ? 0 : readings.reads.length;
    };
    return new RawReader({
      ...{ client, bootstraps, partitions, valueBytes, positions, write: judged },
      ...(maxBytes !== undefined && { maxBytes }),
    });
  }

  /** By partition: the offset up to which the follower's records are known to have been sent. */
  #ends(): Map<string, number> {
    const { partitions, evidence, follower } = this.#options;
    return new Map(
      partitions.map(({ topic, partition: number }) => {
        const partition = evidence.partition(topic, number);
        const settled = this.#settled.get(partition.name) ?? { reads: 0, end: 0 };
        this.#settled.set(partition.name, settled);
        for (; settled.reads < partition.reads.length; settled.reads += 1) {
          const { client, id, offset } = partition.reads[settled.reads] as ReadEvent;
          if (client === follower) {
            if (!partition.sent.has(id)) {
              break;
            }
            settled.end = offset + 1;
          }
        }
        return [partition.name, settled.end] as const;
      }),
    );
  }
}
