// Indexes a history by partition, for the judge's lookups.
import type {
  AcknowledgementEvent,
  BatchEvent,
  EndEvent,
  HistoryEvent,
  LookupEvent,
  OutOfRangeEvent,
  ReadEvent,
  SendEvent,
  TruncationEvent,
  WatermarkEvent,
} from './history.ts';

/** Everything known about a partition from all clients. */
export interface Partition {
  name: string;
  sends: SendEvent[];
  /** The sent records, by id. */
  sent: Map<string, SendEvent>;
  acknowledgements: AcknowledgementEvent[];
  reads: ReadEvent[];
  batches: BatchEvent[];
  watermarks: WatermarkEvent[];
  lookups: LookupEvent[];
  outOfRange: OutOfRangeEvent[];
  truncations: TruncationEvent[];
  end: EndEvent | undefined;
  /** By offset, as first read by any reader. */
  records: Map<number, ReadEvent>;
}

export class Evidence {
  readonly partitions = new Map<string, Partition>();

  static of(history: readonly HistoryEvent[]): Evidence {
    const evidence = new Evidence();
    for (const event of history) {
      evidence.add(event);
    }
    return evidence;
  }

  /** Empty for a partition that no event has named yet. */
  partition(topic: string, number: number): Partition {
    const name = `${topic}-${number}`;
    let partition = this.partitions.get(name);
    if (partition === undefined) {
      partition = {
        ...{ name, sends: [], sent: new Map(), acknowledgements: [], reads: [], batches: [], watermarks: [] },
        ...{ lookups: [], outOfRange: [], truncations: [], end: undefined, records: new Map() },
      };
      this.partitions.set(name, partition);
    }
    return partition;
  }

  add(event: HistoryEvent): void {
    switch (event.t) {
      case 'send': {
        const partition = this.partition(event.topic, event.partition);
        partition.sends.push(event);
        partition.sent.set(event.id, event);
        break;
      }
      case 'ack':
        this.partition(event.topic, event.partition).acknowledgements.push(event);
        break;
      case 'read': {
        const partition = this.partition(event.topic, event.partition);
        partition.reads.push(event);
        if (!partition.records.has(event.offset)) {
          partition.records.set(event.offset, event);
        }
        break;
      }
      case 'batch':
        this.partition(event.topic, event.partition).batches.push(event);
        break;
      case 'watermark':
        this.partition(event.topic, event.partition).watermarks.push(event);
        break;
      case 'lookup':
        this.partition(event.topic, event.partition).lookups.push(event);
        break;
      case 'out-of-range':
        this.partition(event.topic, event.partition).outOfRange.push(event);
        break;
      case 'truncate':
        this.partition(event.topic, event.partition).truncations.push(event);
        break;
      case 'end':
        this.partition(event.topic, event.partition).end = event;
        break;
      case 'fail':
      case 'fatal':
      case 'usage':
        break;
    }
  }
}

/** The furthest possible start of the log at a time: the furthest requested deletion. */
export function furthestStart(partition: Partition, atMs: number): number {
  return partition.truncations
    .filter(({ asked_ms: askedMs }) => askedMs <= atMs)
    .reduce((furthest, { beforeOffset }) => Math.max(furthest, beforeOffset), 0);
}
