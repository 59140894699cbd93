// The records that retention.ms may have deleted so far, given to the judge as requested deletions.
import type { HistoryEvent } from './history.ts';
import type { Evidence } from './judge-evidence.ts';

const INTERVAL_MS = 1_000;

export class RetentionWatch {
  readonly #topic: string;
  readonly #retentionMs: number;
  readonly #evidence: Evidence;
  readonly #write: (event: HistoryEvent) => void;
  /** By partition: the number of acknowledgements processed, and the offsets of those that may not be deleted yet. */
  readonly #partitions: { seen: number; end: number; young: { offset: number; timestamp_ms: number }[] }[];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    topic: string,
    partitions: number,
    retentionMs: number,
    evidence: Evidence,
    write: (event: HistoryEvent) => void,
  ) {
    this.#topic = topic;
    this.#retentionMs = retentionMs;
    this.#evidence = evidence;
    this.#write = write;
    this.#partitions = Array.from({ length: partitions }, () => ({ seen: 0, end: 0, young: [] }));
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const askedMs = Date.now();
    // Until the next check, with a margin.
    const oldestMs = askedMs + 3 * INTERVAL_MS - this.#retentionMs;
    for (const [partition, known] of this.#partitions.entries()) {
      const { acknowledgements, sent } = this.#evidence.partition(this.#topic, partition);
      for (; known.seen < acknowledgements.length; known.seen += 1) {
        const { id, offset = -1 } = acknowledgements[known.seen] ?? {};
        const timestampMs = sent.get(id ?? '')?.timestamp_ms;
        if (offset >= 0 && timestampMs !== undefined) {
          known.young.push({ offset, timestamp_ms: timestampMs });
          known.end = Math.max(known.end, offset + 1);
        }
      }
      known.young = known.young.filter(({ timestamp_ms: timestampMs }) => timestampMs >= oldestMs);
      const beforeOffset = known.young.reduce((least, { offset }) => Math.min(least, offset), known.end);
      if (beforeOffset > 0) {
        this.#write({ t: 'truncate', topic: this.#topic, partition, beforeOffset, asked_ms: askedMs });
      }
    }
  }
}
