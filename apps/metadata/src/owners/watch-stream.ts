// The events waiting for one agent's Watch stream. Pushes within a few milliseconds become one event. A reader that falls too far behind
// loses its stream and starts over, which bounds the owner's memory.
import type {
  AppendedMarker,
  AppendedRuns,
  CatalogueChange,
  ClusterSettings,
  Id,
  PartitionBounds,
  SecurityDescription,
} from '@penstock/metadata-core';
import type { Clock } from './clock.ts';

/** A run of a commit, by its index in the commit's columns. Watchers share it; it becomes a message when sent. */
export interface RunReference {
  commit: AppendedRuns;
  run: number;
}

export interface PartitionNews {
  topicId: Id;
  partition: number;
  logStartOffset: number;
  highWatermark: number;
  /** -1: the high watermark. */
  lastStableOffset: number;
  /** In offset order. */
  runs: (RunReference | AppendedMarker)[];
}

export interface WatchNews {
  /** The event holds the whole catalogue. Only the first one does. */
  isFirst: boolean;
  catalogue: CatalogueChange | undefined;
  settings: ClusterSettings | undefined;
  /** Users, ACLs and quotas, whole. */
  security: SecurityDescription | undefined;
  partitions: PartitionNews[];
}

/** How long the first push of an event waits for more. */
const COALESCE_MS = 5;

/** The most runs that may wait for one reader: some seconds' worth at full speed, about 20 MB. */
const MAX_WAITING_RUNS = 200_000;

export type WatchEnd =
  | 'closed'
  | 'too-slow'
  | 'owner-stepped-down'
  | 'key-revoked'
  | 'key-changed'
  | 'cluster-deleted'
  | 'cluster-stopped';

export class WatchStream {
  readonly watchId: string;
  readonly agentId: string;
  readonly interest = new Set<string>();

  readonly #clock: Clock;
  readonly #partitions = new Map<string, PartitionNews>();
  #catalogue: CatalogueChange | undefined;
  #settings: ClusterSettings | undefined;
  #security: SecurityDescription | undefined;
  #isKeepaliveDue = false;
  #isFirst = true;
  #waitingRuns = 0;
  #end: WatchEnd | undefined;
  #wake: (() => void) | undefined;

  constructor(watchId: string, agentId: string, clock: Clock) {
    this.watchId = watchId;
    this.agentId = agentId;
    this.#clock = clock;
  }

  get end(): WatchEnd | undefined {
    return this.#end;
  }

  pushRun(key: string, commit: AppendedRuns, run: number): void {
    if (this.#end !== undefined) {
      return;
    }
    const topicId = commit.topicIds[commit.topic[run] ?? 0];
    if (topicId === undefined) {
      throw new Error('a run names a topic that its commit does not list');
    }
    const news = this.#partition(key, topicId, commit.partition[run] ?? 0);
    news.logStartOffset = commit.logStartOffset[run] ?? 0;
    news.highWatermark = commit.highWatermark[run] ?? 0;
    news.lastStableOffset = commit.lastStableOffset === null ? -1 : (commit.lastStableOffset[run] ?? -1);
    news.runs.push({ commit, run });
    this.#countRun();
  }

  /** @param marker wakes readers at read_committed, too: the last stable offset has moved */
  pushMarker(key: string, marker: AppendedMarker): void {
    if (this.#end !== undefined) {
      return;
    }
    const news = this.#partition(key, marker.topicId, marker.partition);
    news.logStartOffset = marker.logStartOffset;
    news.highWatermark = marker.highWatermark;
    news.lastStableOffset = marker.lastStableOffset;
    news.runs.push(marker);
    this.#countRun();
  }

  pushBounds(key: string, bounds: PartitionBounds): void {
    const news = this.#partition(key, bounds.topicId, bounds.partition);
    news.logStartOffset = bounds.logStartOffset;
    news.highWatermark = bounds.highWatermark;
    news.lastStableOffset = bounds.lastStableOffset;
    this.#signal();
  }

  pushCatalogue(change: CatalogueChange): void {
    // A topic that was changed twice, or changed and then deleted, is sent once, in its last state.
    const gone = new Set(change.deletedTopicIds.map(text));
    const renewed = new Set(change.topics.map((topic) => text(topic.topicId)));
    const waiting = this.#catalogue;
    this.#catalogue = {
      topics: [
        ...(waiting?.topics.filter(({ topicId }) => !gone.has(text(topicId)) && !renewed.has(text(topicId))) ?? []),
        ...change.topics,
      ],
      deletedTopicIds: [...(waiting?.deletedTopicIds ?? []), ...change.deletedTopicIds],
      agentsChanged: (waiting?.agentsChanged ?? false) || change.agentsChanged,
    };
    this.#signal();
  }

  pushSettings(settings: ClusterSettings): void {
    this.#settings = settings;
    this.#signal();
  }

  /** @param security replaces what waits to be sent; all streams share it */
  pushSecurity(security: SecurityDescription): void {
    this.#security = security;
    this.#signal();
  }

  /** Sends an event even if there is no news. */
  keepAlive(): void {
    this.#isKeepaliveDue = true;
    this.#signal();
  }

  close(end: WatchEnd): void {
    this.#end ??= end;
    this.#partitions.clear();
    this.#waitingRuns = 0;
    this.#signal();
  }

  /** Resolves with the next event when there is one; undefined once the stream has ended. */
  async next(): Promise<WatchNews | undefined> {
    for (;;) {
      if (this.#end !== undefined) {
        return undefined;
      }
      if (this.#hasNews()) {
        if (!this.#isFirst) {
          await new Promise<void>((resolve) => this.#clock.after(COALESCE_MS, resolve));
        }
        if (this.#end !== undefined) {
          return undefined;
        }
        return this.#take();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #partition(key: string, topicId: Id, partition: number): PartitionNews {
    let news = this.#partitions.get(key);
    if (news === undefined) {
      news = { topicId, partition, logStartOffset: 0, highWatermark: 0, lastStableOffset: -1, runs: [] };
      this.#partitions.set(key, news);
    }
    return news;
  }

  #countRun(): void {
    this.#waitingRuns += 1;
    if (this.#waitingRuns > MAX_WAITING_RUNS) {
      this.close('too-slow');
    }
    this.#signal();
  }

  #hasNews(): boolean {
    return (
      this.#catalogue !== undefined ||
      this.#settings !== undefined ||
      this.#security !== undefined ||
      this.#partitions.size > 0 ||
      this.#isKeepaliveDue
    );
  }

  #take(): WatchNews {
    const news: WatchNews = {
      isFirst: this.#isFirst,
      catalogue: this.#catalogue,
      settings: this.#settings,
      security: this.#security,
      partitions: [...this.#partitions.values()],
    };
    this.#isFirst = false;
    this.#catalogue = undefined;
    this.#settings = undefined;
    this.#security = undefined;
    this.#isKeepaliveDue = false;
    this.#partitions.clear();
    this.#waitingRuns = 0;
    return news;
  }

  #signal(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

function text(id: Id): string {
  return Buffer.from(id).toString('latin1');
}
