// Which agents gave a sign of life, and what they last reported. Not journaled: after a failover every registered agent has a
// fresh grace, and its counters come back with its next heartbeat.
import type { AgentStats } from '@penstock/metadata-protocol';
import type { Clock } from './clock.ts';

/** What an agent is told to keep to. */
export const HEARTBEAT_INTERVAL_MS = 3_000;
/** Without a heartbeat for this long an agent is given up: three that are missing, and one second. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** An agent whose Watch stream broke reconnects at once when it lives. */
const WATCH_RECONNECT_MS = 3_000;

interface Presence {
  lastSeenMs: number;
  lastSignMs: number;
  stats: AgentStats | undefined;
  /** Where browsers reach its message browser; empty while it is off. */
  messageBrowserUrl: string;
  /** Where the other agents of its zone reach it; empty when they do not. */
  internalUrl: string;
  /** It says itself that clients should use other agents. */
  isNotReady: boolean;
  openWatches: number;
  watchBrokeAtMs: number | undefined;
}

export class AgentPresences {
  readonly #clock: Clock;
  readonly #agents = new Map<string, Presence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The agent registered, or was found registered when the cluster was opened. */
  welcome(agentId: string): void {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      const [lastSeenMs, lastSignMs] = [this.#clock.nowMs(), this.#clock.monotonicMs()];
      this.#agents.set(agentId, {
        lastSeenMs,
        lastSignMs,
        stats: undefined,
        messageBrowserUrl: '',
        internalUrl: '',
        isNotReady: false,
        openWatches: 0,
        watchBrokeAtMs: undefined,
      });
    } else {
      this.#sign(presence);
      presence.watchBrokeAtMs = undefined;
    }
  }

  /** Notes a heartbeat. Returns the bytes that the agent served since the one before, 0 when there was none. */
  heartbeat(agentId: string, stats: AgentStats | undefined): number {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return 0;
    }
    this.#sign(presence);
    const before = presence.stats?.fetchedBytes;
    presence.stats = stats;
    if (stats === undefined || before === undefined || stats.fetchedBytes < before) {
      return 0;
    }
    return Number(stats.fetchedBytes - before);
  }

  /** Notes what the agent says of its message browser. */
  advertiseMessageBrowser(agentId: string, url: string): void {
    const presence = this.#agents.get(agentId);
    if (presence !== undefined) {
      presence.messageBrowserUrl = url;
    }
  }

  /** Notes where the other agents of its zone reach the agent. Returns whether that is news. */
  advertiseInternalUrl(agentId: string, url: string): boolean {
    const presence = this.#agents.get(agentId);
    if (presence === undefined || presence.internalUrl === url) {
      return false;
    }
    presence.internalUrl = url;
    return true;
  }

  /** Notes whether clients may use the agent. Returns whether that is news. */
  noteReadiness(agentId: string, isReady: boolean): boolean {
    const presence = this.#agents.get(agentId);
    if (presence === undefined || presence.isNotReady === !isReady) {
      return false;
    }
    presence.isNotReady = !isReady;
    return true;
  }

  /** Whether the agent says that clients should use others. */
  isNotReady(agentId: string): boolean {
    return this.#agents.get(agentId)?.isNotReady === true;
  }

  watchOpened(agentId: string): void {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return;
    }
    presence.openWatches += 1;
    presence.watchBrokeAtMs = undefined;
  }

  watchClosed(agentId: string): void {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return;
    }
    presence.openWatches -= 1;
    if (presence.openWatches === 0) {
      presence.watchBrokeAtMs = this.#clock.monotonicMs();
    }
  }

  get(
    agentId: string,
  ): Readonly<Pick<Presence, 'lastSeenMs' | 'stats' | 'messageBrowserUrl' | 'internalUrl'>> | undefined {
    return this.#agents.get(agentId);
  }

  /** Whether the agent has been silent for so long, or without its stream, that it must be taken for dead. */
  isGone(agentId: string): boolean {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return true;
    }
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - presence.lastSignMs > HEARTBEAT_TIMEOUT_MS) {
      return true;
    }
    return presence.watchBrokeAtMs !== undefined && nowMs - presence.watchBrokeAtMs > WATCH_RECONNECT_MS;
  }

  forget(agentId: string): void {
    this.#agents.delete(agentId);
  }

  #sign(presence: Presence): void {
    presence.lastSeenMs = this.#clock.nowMs();
    presence.lastSignMs = this.#clock.monotonicMs();
  }
}
