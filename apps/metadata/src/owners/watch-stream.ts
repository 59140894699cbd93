// The events waiting for one agent's Watch stream. Pushes within a few milliseconds become one event. A reader that falls too far behind, or
// does not take an event, loses its stream and starts over, which bounds the owner's memory.
import type {
  AppendedMarker,
  AppendedRuns,
  CatalogueChange,
  ClusterSettings,
  Id,
  PartitionBounds,
  SecurityDescription,
  TopicDescription,
} from '@penstock/metadata-core';
import type { Clock } from './clock.ts';
import { NEWS_ENTRY_BYTES, SEND_TIMEOUT_MS, WAITING_RUN_BYTES } from './watch-limits.ts';

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
  /** The runs, in offset order. */
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
/** Topics that wait for one reader, new, changed or deleted. */
const MAX_WAITING_TOPICS = 100_000;
/** Runs become messages in one step: about 6 ms. */
const MAX_RUNS_PER_EVENT = 4_000;

export type WatchEnd =
  | 'closed'
  | 'too-slow'
  | 'replaced'
  | 'owner-stepped-down'
  | 'key-revoked'
  | 'key-changed'
  | 'cluster-deleted'
  | 'cluster-stopped';

export interface WatchStreamOptions {
  watchId: string;
  agentId: string;
  /** The key of the caller. */
  keyId: string;
  clock: Clock;
  /** Breaks the connection's stream, for a reader that does not take what it is sent. */
  cutOff: () => void;
  /** Receives each change of `heldBytes`. */
  onHeld: (bytes: number) => void;
}

/**
 * Waiting catalogue changes. A topic that was changed twice, or changed and then deleted, is sent once, in its last
 * state.
 */
interface WaitingCatalogue {
  topics: Map<string, TopicDescription>;
  deleted: Map<string, Id>;
  agentsChanged: boolean;
}

export class WatchStream {
  readonly watchId: string;
  readonly agentId: string;
  readonly keyId: string;
  /** The partitions that it follows, by topic. */
  readonly interest = new Map<string, Set<number>>();

  readonly #clock: Clock;
  readonly #cutOff: () => void;
  readonly #onHeld: (bytes: number) => void;
  readonly #partitions = new Map<string, PartitionNews>();
  #catalogue: WaitingCatalogue | undefined;
  #settings: ClusterSettings | undefined;
  #security: SecurityDescription | undefined;
  #isKeepaliveDue = false;
  #isFirst = true;
  #waitingRuns = 0;
  #waitingBytes = 0;
  #sendingBytes = 0;
  /** When the event was taken that is being sent. */
  #sendingSinceMs: number | undefined;
  #onFirstSent: (() => void) | undefined;
  #end: WatchEnd | undefined;
  #wake: (() => void) | undefined;

  constructor({ watchId, agentId, keyId, clock, cutOff, onHeld }: WatchStreamOptions) {
    this.watchId = watchId;
    this.agentId = agentId;
    this.keyId = keyId;
    this.#clock = clock;
    this.#cutOff = cutOff;
    this.#onHeld = onHeld;
  }

  get end(): WatchEnd | undefined {
    return this.#end;
  }

  /** About the bytes of what waits to be sent, and of what is being sent. */
  get heldBytes(): number {
    return this.#waitingBytes + this.#sendingBytes;
  }

  /** Whether its reader has not taken an event for so long that it is not expected to. */
  get isStuck(): boolean {
    const sinceMs = this.#sendingSinceMs;
    return sinceMs !== undefined && this.#clock.monotonicMs() - sinceMs > SEND_TIMEOUT_MS;
  }

  /** Call before the first event is made, which does not come from `next`. @param onSent called once, when its reader has it or never will */
  sendFirst(onSent: () => void): void {
    this.#sendingSinceMs = this.#clock.monotonicMs();
    this.#onFirstSent = onSent;
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
    Object.assign(news, marksAfter({ commit, run }));
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
    if (this.#end !== undefined) {
      return;
    }
    const news = this.#partition(key, bounds.topicId, bounds.partition);
    news.logStartOffset = bounds.logStartOffset;
    news.highWatermark = bounds.highWatermark;
    news.lastStableOffset = bounds.lastStableOffset;
    this.#signal();
  }

  pushCatalogue({ topics, deletedTopicIds, agentsChanged }: CatalogueChange): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#catalogue ??= { topics: new Map(), deleted: new Map(), agentsChanged: false };
    const waiting = this.#catalogue;
    const before = waiting.topics.size + waiting.deleted.size;
    for (const id of deletedTopicIds) {
      waiting.topics.delete(text(id));
      waiting.deleted.set(text(id), id);
    }
    for (const topic of topics) {
      // Moved to the end, so that topics are sent in the order of their changes.
      waiting.topics.delete(text(topic.topicId));
      waiting.topics.set(text(topic.topicId), topic);
    }
    waiting.agentsChanged ||= agentsChanged;
    const entries = waiting.topics.size + waiting.deleted.size;
    this.#hold(this.#waitingBytes + (entries - before) * NEWS_ENTRY_BYTES, this.#sendingBytes);
    if (entries > MAX_WAITING_TOPICS) {
      this.close('too-slow');
    }
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
    if (this.#end === undefined) {
      this.#end = end;
      if (this.#sendingSinceMs !== undefined) {
        // Nobody can say when the reader takes the rest of the event, and with it the reason for the end.
        this.#cutOff();
      }
    }
    this.#partitions.clear();
    this.#catalogue = undefined;
    this.#waitingRuns = 0;
    this.#firstSent();
    this.#hold(0, 0);
    this.#signal();
  }

  /** Resolves with the next event when there is one; undefined once the stream has ended. */
  async next(): Promise<WatchNews | undefined> {
    this.#sendingSinceMs = undefined;
    this.#firstSent();
    this.#hold(this.#waitingBytes, 0);
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
      this.#hold(this.#waitingBytes + NEWS_ENTRY_BYTES, this.#sendingBytes);
    }
    return news;
  }

  #countRun(): void {
    this.#waitingRuns += 1;
    this.#hold(this.#waitingBytes + WAITING_RUN_BYTES, this.#sendingBytes);
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
    const partitions = this.#takePartitions();
    const news: WatchNews = {
      isFirst: this.#isFirst,
      catalogue: this.#catalogue && {
        topics: [...this.#catalogue.topics.values()],
        deletedTopicIds: [...this.#catalogue.deleted.values()],
        agentsChanged: this.#catalogue.agentsChanged,
      },
      settings: this.#settings,
      security: this.#security,
      partitions,
    };
    this.#isFirst = false;
    this.#catalogue = undefined;
    this.#settings = undefined;
    this.#security = undefined;
    this.#isKeepaliveDue = false;
    const leftBytes = this.#waitingRuns * WAITING_RUN_BYTES + this.#partitions.size * NEWS_ENTRY_BYTES;
    this.#sendingSinceMs = this.#clock.monotonicMs();
    this.#hold(leftBytes, this.#waitingBytes - leftBytes);
    return news;
  }

  /**
   * Takes the partition updates for one event: the runs of a partition stay in order, and its watermarks are those
   * after its last run.
   */
  #takePartitions(): PartitionNews[] {
    const taken: PartitionNews[] = [];
    let room = MAX_RUNS_PER_EVENT;
    for (const [key, news] of this.#partitions) {
      if (news.runs.length > room) {
        if (room > 0) {
          taken.push(upTo(news, room));
          this.#waitingRuns -= room;
          news.runs = news.runs.slice(room);
        }
        break;
      }
      room -= news.runs.length;
      this.#waitingRuns -= news.runs.length;
      this.#partitions.delete(key);
      taken.push(news);
    }
    return taken;
  }

  #firstSent(): void {
    const onSent = this.#onFirstSent;
    this.#onFirstSent = undefined;
    onSent?.();
  }

  #hold(waitingBytes: number, sendingBytes: number): void {
    const before = this.heldBytes;
    this.#waitingBytes = waitingBytes;
    this.#sendingBytes = sendingBytes;
    this.#onHeld(this.heldBytes - before);
  }

  #signal(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/** The first runs of a partition's news, with the watermarks after them. */
function upTo(news: PartitionNews, count: number): PartitionNews {
  const runs = news.runs.slice(0, count);
  const last = runs.at(-1);
  if (last === undefined) {
    throw new Error('an event takes at least one run of a partition that has some');
  }
  const { logStartOffset, highWatermark, lastStableOffset } = 'commit' in last ? marksAfter(last) : last;
  return { ...news, logStartOffset, highWatermark, lastStableOffset, runs };
}

type Watermarks = Pick<PartitionNews, 'logStartOffset' | 'highWatermark' | 'lastStableOffset'>;

function marksAfter({ commit, run }: RunReference): Watermarks {
  return {
    logStartOffset: commit.logStartOffset[run] ?? 0,
    highWatermark: commit.highWatermark[run] ?? 0,
    lastStableOffset: commit.lastStableOffset === null ? -1 : (commit.lastStableOffset[run] ?? -1),
  };
}

function text(id: Id): string {
  return Buffer.from(id).toString('latin1');
}
