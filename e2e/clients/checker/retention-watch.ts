// Which records retention.ms may have deleted at a time, told to the judge as deletions that were asked for.
import type { HistoryEvent } from './history.ts';
import type { Evidence } from './judge-evidence.ts';

const interval_ms = 1_000;

export class RetentionWatch {
  readonly #topic: string;
  readonly #retention_ms: number;
  readonly #evidence: Evidence;
  readonly #write: (event: HistoryEvent) => void;
  /** By partition: how many acknowledgements were looked at, and of those that may not be deleted yet where each is. */
  readonly #partitions: { seen: number; end: number; young: { offset: number; timestamp_ms: number }[] }[];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    topic: string,
    partitions: number,
    retention_ms: number,
    evidence: Evidence,
    write: (event: HistoryEvent) => void,
  ) {
    this.#topic = topic;
    this.#retention_ms = retention_ms;
    this.#evidence = evidence;
    this.#write = write;
    this.#partitions = Array.from({ length: partitions }, () => ({ seen: 0, end: 0, young: [] }));
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), interval_ms);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const asked_ms = Date.now();
    // Until the next look and some more.
    const oldest_ms = asked_ms + 3 * interval_ms - this.#retention_ms;
    for (const [partition, known] of this.#partitions.entries()) {
      const { acknowledgements, sent } = this.#evidence.partition(this.#topic, partition);
      for (; known.seen < acknowledgements.length; known.seen += 1) {
        const { id, offset = -1 } = acknowledgements[known.seen] ?? {};
        const timestamp_ms = sent.get(id ?? '')?.timestamp_ms;
        if (offset >= 0 && timestamp_ms !== undefined) {
          known.young.push({ offset, timestamp_ms });
          known.end = Math.max(known.end, offset + 1);
        }
      }
      known.young = known.young.filter(({ timestamp_ms }) => timestamp_ms >= oldest_ms);
      const beforeOffset = known.young.reduce((least, { offset }) => Math.min(least, offset), known.end);
      if (beforeOffset > 0) {
        this.#write({ t: 'truncate', topic: this.#topic, partition, beforeOffset, asked_ms });
      }
    }
  }
}
