// The watch streams of one cluster's agents: how many there may be, what they follow, and what ends them.
import type { ClusterSettings, ClusterState, Effects, Id } from '@penstock/metadata-core';
import type { StateShare } from '../memory/state-budget.ts';
import type { AgentPresences } from './agent-presence.ts';
import type { Clock } from './clock.ts';
import { TooManyWatches } from './errors.ts';
import type { Ids } from './ids.ts';
import { WatchHub } from './watch-hub.ts';
import { INTEREST_BYTES, NEWS_ENTRY_BYTES } from './watch-limits.ts';
import type { WatchEnd, WatchStream, WatchStreamOptions } from './watch-stream.ts';

export interface WatchesOptions {
  state: ClusterState;
  clock: Clock;
  ids: Ids;
  presences: AgentPresences;
  /** The memory limit of the organization. Absent: no limit. */
  memory: StateShare | undefined;
  /** @throws when the owner may not serve calls now */
  requireOwner: () => void;
  /** Called when the memory held by the streams has changed. */
  onMemoryChanged: () => void;
}

export class Watches {
  readonly #options: WatchesOptions;
  readonly #hub = new WatchHub();

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#hub.size;
  }

  get memoryBytes(): number {
    return this.#hub.memoryBytes;
  }

  streams(): Iterable<WatchStream> {
    return this.#hub.streams();
  }

  /**
   * Opens a watch stream. Its first event is the whole catalogue: see `roomForFirst`.
   * @throws TooManyWatches
   */
  open(
    agentId: string,
    { keyId = '', cutOff = () => undefined }: Partial<Pick<WatchStreamOptions, 'keyId' | 'cutOff'>> = {},
  ): { stream: WatchStream; state: ClusterState } {
    const { memory, clock, ids, presences, state } = this.#options;
    this.#options.requireOwner();
    const surplus = this.#hub.surplus(agentId);
    if (surplus !== undefined) {
      this.close(surplus, 'replaced');
    }
    const refusal = this.#hub.refusal(keyId) ?? memory?.watchRefusal() ?? null;
    if (refusal !== null) {
      throw new TooManyWatches(refusal);
    }
    const stream = this.#hub.open({ watchId: ids.uuid(), agentId, keyId, clock, cutOff });
    memory?.watchOpened();
    this.#options.onMemoryChanged();
    presences.watchOpened(agentId);
    return { stream, state };
  }

  /** Resolves when the first event of a stream may be made: those of many agents at once would take too much memory. */
  async roomForFirst(stream: WatchStream): Promise<void> {
    const { topicChars, topics, agents } = this.#options.state;
    await this.#hub.roomForFirst(stream, topicChars + (topics.size + agents.size) * NEWS_ENTRY_BYTES);
  }

  close(stream: WatchStream, end: WatchEnd): void {
    if (this.#hub.get(stream.watchId) === stream) {
      this.#options.presences.watchClosed(stream.agentId);
      this.#options.memory?.watchClosed();
    }
    this.#hub.remove(stream, end);
    this.#options.onMemoryChanged();
  }

  /** The stream with this id; undefined when there is none, or no more. */
  get(watchId: string): WatchStream | undefined {
    return this.#hub.get(watchId);
  }

  /** @returns why the stream may not follow one more partition; null when it follows this one now */
  addInterest(stream: WatchStream, topicId: Id, partition: number): string | null {
    const { memory } = this.#options;
    const noMemory = (): string | null => memory?.refusal(INTEREST_BYTES) ?? null;
    const refusal = this.#hub.addInterest(stream, topicId, partition, noMemory);
    this.#options.onMemoryChanged();
    return refusal;
  }

  removeInterest(stream: WatchStream, topicId: Id, partition: number): void {
    this.#hub.removeInterest(stream, topicId, partition);
  }

  /** Tells the streams what changed. */
  publish(effects: Effects): void {
    this.#hub.publish(effects);
  }

  /** Tells the agents that clients are to be sent elsewhere: an agent's readiness, key or addresses have changed. */
  publishAgents(): void {
    this.#hub.publish({ catalogue: { topics: [], deletedTopicIds: [], agentsChanged: true } });
  }

  publishSettings(settings: ClusterSettings): void {
    for (const stream of this.#hub.streams()) {
      stream.pushSettings(settings);
    }
  }

  /** Ends streams whose readers do not keep up. */
  closeStuck(): void {
    for (const stream of [...this.#hub.streams()]) {
      if (stream.isStuck) {
        this.close(stream, 'too-slow');
      }
    }
  }

  /** Ends the streams of an agent that is given up. */
  closeOf(agentId: string): void {
    for (const stream of [...this.#hub.streams()]) {
      if (stream.agentId === agentId) {
        this.close(stream, 'closed');
      }
    }
  }

  closeAll(end: WatchEnd): void {
    this.#hub.closeAll(end);
  }
}
