// Which watch streams follow which partitions, and how much that may be. The work for a commit is proportional to its runs times the streams
// that follow them.
import { type AppendedMarker, type Effects, type Id, idKey, type PartitionBounds } from '@penstock/metadata-core';
import {
  INTEREST_BYTES,
  KEY_SHARE,
  MAX_INTEREST_PER_AGENT,
  MAX_INTEREST_PER_CLUSTER,
  MAX_NEWS_BYTES,
  MAX_OPENING_BYTES,
  MAX_STREAMS_PER_AGENT,
  MAX_STREAMS_PER_CLUSTER,
  STREAM_BYTES,
} from './watch-limits.ts';
import { type WatchEnd, WatchStream, type WatchStreamOptions } from './watch-stream.ts';

/** The memory used by the streams of one agent or one key together. */
interface Taken {
  streams: number;
  interest: number;
}

export class WatchHub {
  readonly #streams = new Map<string, WatchStream>();
  /** By topic and partition. */
  readonly #interested = new Map<string, Map<number, Set<WatchStream>>>();
  readonly #byAgent = new Map<string, Taken>();
  readonly #byKey = new Map<string, Taken>();
  #interest = 0;
  #newsBytes = 0;
  /** Bytes of first events that are being sent. */
  #openingBytes = 0;
  #waitingForRoom: (() => void)[] = [];

  get size(): number {
    return this.#streams.size;
  }

  /** About the bytes of all streams, of what they follow and of what waits for them. */
  get memoryBytes(): number {
    return this.#streams.size * STREAM_BYTES + this.#interest * INTEREST_BYTES + this.#newsBytes + this.#openingBytes;
  }

  /** Why no stream may be opened with the key. Null: one may. */
  refusal(keyId: string): string | null {
    if (this.#streams.size >= MAX_STREAMS_PER_CLUSTER) {
      return `the virtual cluster has ${MAX_STREAMS_PER_CLUSTER} watch streams, the most that it may have: stop agents that are not needed`;
    }
    const { streams } = takenBy(this.#byKey, keyId);
    if (streams >= MAX_STREAMS_PER_CLUSTER * KEY_SHARE) {
      return `the agent key has ${streams} watch streams open, the most that one key may have: stop agents that use it, or revoke it if others do`;
    }
    return null;
  }

  /** The oldest stream of an agent that has as many as it may. */
  surplus(agentId: string): WatchStream | undefined {
    if (takenBy(this.#byAgent, agentId).streams < MAX_STREAMS_PER_AGENT) {
      return undefined;
    }
    return [...this.#streams.values()].find((stream) => stream.agentId === agentId);
  }

  open(options: Omit<WatchStreamOptions, 'onHeld'>): WatchStream {
    const stream = new WatchStream({ ...options, onHeld: (bytes) => this.#countNews(bytes) });
    this.#streams.set(stream.watchId, stream);
    this.#count(stream, 1, 0);
    return stream;
  }

  /**
   * Resolves when there is room for the stream's first event, which holds the whole catalogue, or when the stream has ended.
   * @param bytes about what the event takes; counted until its reader has taken it
   */
  async roomForFirst(stream: WatchStream, bytes: number): Promise<void> {
    while (
      this.#openingBytes > 0 &&
      this.#openingBytes + bytes > MAX_OPENING_BYTES &&
      this.#streams.has(stream.watchId)
    ) {
      await new Promise<void>((resolve) => {
        this.#waitingForRoom.push(resolve);
      });
    }
    if (stream.end === undefined) {
      this.#openingBytes += bytes;
      stream.sendFirst(() => {
        this.#openingBytes -= bytes;
        this.#wakeWaiting();
      });
    }
  }

  get(watchId: string): WatchStream | undefined {
    return this.#streams.get(watchId);
  }

  /** Ends a stream and removes its interest. */
  remove(stream: WatchStream, end: WatchEnd): void {
    stream.close(end);
    if (!this.#streams.delete(stream.watchId)) {
      return;
    }
    let count = 0;
    for (const [topicKey, partitions] of stream.interest) {
      count += partitions.size;
      for (const partition of partitions) {
        this.#forget(stream, topicKey, partition);
      }
    }
    stream.interest.clear();
    this.#count(stream, -1, -count);
    this.#wakeWaiting();
  }

  closeAll(end: WatchEnd): void {
    for (const stream of [...this.#streams.values()]) {
      this.remove(stream, end);
    }
  }

  /**
   * @param otherRefusal what else may stand against one more partition
   * @returns why the stream may not follow one more partition; null when it follows this one now
   */
  addInterest(
    stream: WatchStream,
    topicId: Id,
    partition: number,
    otherRefusal: () => string | null = () => null,
  ): string | null {
    const topicKey = idKey(topicId);
    let followed = stream.interest.get(topicKey);
    if (followed?.has(partition) === true) {
      return null;
    }
    const refusal = this.#interestRefusal(stream) ?? otherRefusal();
    if (refusal !== null) {
      return refusal;
    }
    if (followed === undefined) {
      followed = new Set();
      stream.interest.set(topicKey, followed);
    }
    followed.add(partition);
    this.#count(stream, 0, 1);
    let partitions = this.#interested.get(topicKey);
    if (partitions === undefined) {
      partitions = new Map();
      this.#interested.set(topicKey, partitions);
    }
    const streams = partitions.get(partition);
    if (streams === undefined) {
      partitions.set(partition, new Set([stream]));
    } else {
      streams.add(stream);
    }
    return null;
  }

  removeInterest(stream: WatchStream, topicId: Id, partition: number): void {
    const topicKey = idKey(topicId);
    const followed = stream.interest.get(topicKey);
    if (followed?.delete(partition) !== true) {
      return;
    }
    if (followed.size === 0) {
      stream.interest.delete(topicKey);
    }
    this.#count(stream, 0, -1);
    this.#forget(stream, topicKey, partition);
  }

  /** Publishes the effects of a durable command. The owner publishes settings itself, because it has them. */
  publish(effects: Effects): void {
    if (this.#streams.size === 0) {
      return;
    }
    if (effects.appended !== undefined) {
      this.#publishRuns(effects.appended);
    }
    for (const marker of effects.markers ?? []) {
      this.#publishMarker(marker);
    }
    for (const bounds of effects.truncated ?? []) {
      this.#publishBounds(bounds);
    }
    if (effects.catalogue !== undefined) {
      for (const stream of this.#streams.values()) {
        stream.pushCatalogue(effects.catalogue);
      }
      for (const topicId of effects.catalogue.deletedTopicIds) {
        this.#forgetTopic(idKey(topicId));
      }
    }
  }

  streams(): Iterable<WatchStream> {
    return this.#streams.values();
  }

  #publishRuns(appended: NonNullable<Effects['appended']>): void {
    if (this.#interested.size === 0) {
      return;
    }
    const topicKeys = appended.topicIds.map(idKey);
    for (let run = 0; run < appended.count; run += 1) {
      const topicKey = topicKeys[appended.topic[run] ?? 0] ?? '';
      const partition = appended.partition[run] ?? 0;
      const interested = this.#interested.get(topicKey)?.get(partition);
      if (interested === undefined) {
        continue;
      }
      const key = newsKey(topicKey, partition);
      for (const stream of interested) {
        stream.pushRun(key, appended, run);
      }
    }
  }

  #publishMarker(marker: AppendedMarker): void {
    const topicKey = idKey(marker.topicId);
    for (const stream of this.#interested.get(topicKey)?.get(marker.partition) ?? []) {
      stream.pushMarker(newsKey(topicKey, marker.partition), marker);
    }
  }

  #publishBounds(bounds: PartitionBounds): void {
    const topicKey = idKey(bounds.topicId);
    for (const stream of this.#interested.get(topicKey)?.get(bounds.partition) ?? []) {
      stream.pushBounds(newsKey(topicKey, bounds.partition), bounds);
    }
  }

  #interestRefusal({ agentId, keyId }: WatchStream): string | null {
    if (this.#interest >= MAX_INTEREST_PER_CLUSTER) {
      return `The agents of the virtual cluster follow ${MAX_INTEREST_PER_CLUSTER} partitions together, the most that they may.`;
    }
    if (takenBy(this.#byAgent, agentId).interest >= MAX_INTEREST_PER_AGENT) {
      return `The agent follows ${MAX_INTEREST_PER_AGENT} partitions, the most that it may. Use more agents for these consumers.`;
    }
    if (takenBy(this.#byKey, keyId).interest >= MAX_INTEREST_PER_CLUSTER * KEY_SHARE) {
      return `The agents with this key follow ${MAX_INTEREST_PER_CLUSTER * KEY_SHARE} partitions together, the most that one key may.`;
    }
    return null;
  }

  #count({ agentId, keyId }: WatchStream, streams: number, interest: number): void {
    this.#interest += interest;
    for (const [all, name] of [
      [this.#byAgent, agentId],
      [this.#byKey, keyId],
    ] as const) {
      const taken = takenBy(all, name);
      const next = { streams: taken.streams + streams, interest: taken.interest + interest };
      if (next.streams === 0) {
        all.delete(name);
      } else {
        all.set(name, next);
      }
    }
  }

  #wakeWaiting(): void {
    const waiting = this.#waitingForRoom;
    this.#waitingForRoom = [];
    for (const wake of waiting) {
      wake();
    }
  }

  /** Ends the stream that holds the most when all of them hold too much. */
  #countNews(bytes: number): void {
    this.#newsBytes += bytes;
    if (bytes <= 0 || this.#newsBytes <= MAX_NEWS_BYTES) {
      return;
    }
    let largest: WatchStream | undefined;
    for (const stream of this.#streams.values()) {
      if (largest === undefined || stream.heldBytes > largest.heldBytes) {
        largest = stream;
      }
    }
    largest?.close('too-slow');
  }

  #forget(stream: WatchStream, topicKey: string, partition: number): void {
    const partitions = this.#interested.get(topicKey);
    const streams = partitions?.get(partition);
    streams?.delete(stream);
    if (streams?.size === 0) {
      partitions?.delete(partition);
      if (partitions?.size === 0) {
        this.#interested.delete(topicKey);
      }
    }
  }

  #forgetTopic(topicKey: string): void {
    for (const [partition, streams] of this.#interested.get(topicKey) ?? []) {
      for (const stream of streams) {
        stream.interest.get(topicKey)?.delete(partition);
        if (stream.interest.get(topicKey)?.size === 0) {
          stream.interest.delete(topicKey);
        }
        this.#count(stream, 0, -1);
      }
    }
    this.#interested.delete(topicKey);
  }
}

const NOTHING: Readonly<Taken> = { streams: 0, interest: 0 };

function takenBy(all: ReadonlyMap<string, Taken>, name: string): Readonly<Taken> {
  return all.get(name) ?? NOTHING;
}

function newsKey(topicKey: string, partition: number): string {
  return `${topicKey}:${partition}`;
}
