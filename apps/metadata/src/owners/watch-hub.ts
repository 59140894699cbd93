// Which watch streams follow which partitions. The work for a commit is proportional to its runs times the streams that follow them.
import { type AppendedMarker, type Effects, type Id, idKey, type PartitionBounds } from '@penstock/metadata-core';
import type { WatchEnd, WatchStream } from './watch-stream.ts';

export class WatchHub {
  readonly #streams = new Map<string, WatchStream>();
  readonly #interested = new Map<string, Set<WatchStream>>();

  get size(): number {
    return this.#streams.size;
  }

  add(stream: WatchStream): void {
    this.#streams.set(stream.watchId, stream);
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
    for (const key of stream.interest) {
      this.#forget(stream, key);
    }
    stream.interest.clear();
  }

  closeAll(end: WatchEnd): void {
    for (const stream of [...this.#streams.values()]) {
      this.remove(stream, end);
    }
  }

  addInterest(stream: WatchStream, topicId: Id, partition: number): void {
    const key = partitionKey(idKey(topicId), partition);
    if (stream.interest.has(key)) {
      return;
    }
    stream.interest.add(key);
    const interested = this.#interested.get(key);
    if (interested === undefined) {
      this.#interested.set(key, new Set([stream]));
    } else {
      interested.add(stream);
    }
  }

  removeInterest(stream: WatchStream, topicId: Id, partition: number): void {
    const key = partitionKey(idKey(topicId), partition);
    if (stream.interest.delete(key)) {
      this.#forget(stream, key);
    }
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
      const key = partitionKey(topicKeys[appended.topic[run] ?? 0] ?? '', appended.partition[run] ?? 0);
      const interested = this.#interested.get(key);
      if (interested === undefined) {
        continue;
      }
      for (const stream of interested) {
        stream.pushRun(key, appended, run);
      }
    }
  }

  #publishMarker(marker: AppendedMarker): void {
    const key = partitionKey(idKey(marker.topicId), marker.partition);
    for (const stream of this.#interested.get(key) ?? []) {
      stream.pushMarker(key, marker);
    }
  }

  #publishBounds(bounds: PartitionBounds): void {
    const key = partitionKey(idKey(bounds.topicId), bounds.partition);
    for (const stream of this.#interested.get(key) ?? []) {
      stream.pushBounds(key, bounds);
    }
  }

  #forget(stream: WatchStream, key: string): void {
    const interested = this.#interested.get(key);
    interested?.delete(stream);
    if (interested?.size === 0) {
      this.#interested.delete(key);
    }
  }
}

function partitionKey(topicKey: string, partition: number): string {
  return `${topicKey}:${partition}`;
}
