// Which agents are alive, and what they last reported. Not journaled: after a failover every registered agent gets a new grace period, and
// its counters return with its next heartbeat.
import { isDeepStrictEqual } from 'node:util';
import type { AgentStats } from '@penstock/metadata-protocol';
import type { Clock } from './clock.ts';

/** Interval at which agents must send heartbeats. */
export const HEARTBEAT_INTERVAL_MS = 3_000;
/** An agent without a heartbeat for this long is considered gone: three missed heartbeats and one second. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** An agent whose Watch stream broke reconnects at once if it is alive. */
const WATCH_RECONNECT_MS = 3_000;

/** Where Kafka clients reach one listener of an agent. */
export interface ListenerAddress {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** The mechanisms, by Kafka's names. */
  readonly saslMechanisms: readonly string[];
}

/** Where the other agents of its zone reach an agent. */
export interface InternalAddress {
  /** Empty when they cannot. */
  readonly url: string;
  /** SHA-256 of the public key that the agent shows there. Empty when they cannot. */
  readonly keySha256: Uint8Array;
}

/** The report of an agent when it registers, and with every heartbeat. */
export interface AgentReport {
  keyId: string;
  /** Its key serves consumers only. */
  isReadOnly: boolean;
  /** Why clients should not use it; null: they may. Absent when it registers, which does not say. */
  notReady?: string | null;
  /** Where browsers reach its message browser. Empty when it is disabled. */
  messageBrowserUrl: string;
  internal: InternalAddress;
  listeners: readonly ListenerAddress[];
  landingZones: readonly string[] | undefined;
}

const NO_INTERNAL_ADDRESS: InternalAddress = { url: '', keySha256: new Uint8Array() };

interface Presence {
  /** The key that the agent registered with. */
  keyId: string;
  lastSeenMs: number;
  lastSignMs: number;
  stats: AgentStats | undefined;
  messageBrowserUrl: string;
  internal: InternalAddress;
  /** Where clients reach each of its listeners. Empty when it has one. */
  listeners: readonly ListenerAddress[];
  /** The zones of its landing buckets. Undefined until it says so. */
  landingZones: readonly string[] | undefined;
  /** The agent reports that clients should use other agents. */
  isNotReady: boolean;
  openWatches: number;
  watchBrokeAtMs: number | undefined;
}

export class AgentPresences {
  readonly #clock: Clock;
  readonly #agents = new Map<string, Presence>();
  #readOnlyKeys: ReadonlySet<string> = new Set();
  #writesThrottledAtMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Call when the agent registers, or is found registered when the cluster is opened. */
  welcome(agentId: string, keyId: string): void {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      const [lastSeenMs, lastSignMs] = [this.#clock.nowMs(), this.#clock.monotonicMs()];
      this.#agents.set(agentId, {
        keyId,
        lastSeenMs,
        lastSignMs,
        stats: undefined,
        messageBrowserUrl: '',
        internal: NO_INTERNAL_ADDRESS,
        listeners: [],
        landingZones: undefined,
        isNotReady: false,
        openWatches: 0,
        watchBrokeAtMs: undefined,
      });
    } else {
      this.#sign(presence);
      presence.watchBrokeAtMs = undefined;
    }
  }

  /**
   * Whether a call with this key can be from the agent. An agent's id is new in each process, and the process keeps its key, so the first key
   * that an owner sees with an agent is the agent's.
   */
  isOf(agentId: string, keyId: string): boolean {
    const known = this.#agents.get(agentId)?.keyId;
    return known === undefined || known === keyId;
  }

  /**
   * Records what an agent says of itself; nothing for one that is not registered.
   * @returns whether something changed that the other agents have to know: whether clients may use it, or where they and agents reach it
   */
  report(agentId: string, { keyId, isReadOnly, notReady, ...report }: AgentReport): boolean {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return false;
    }
    const facts = (): unknown[] => [
      this.isReadOnly(agentId),
      presence.isNotReady,
      presence.internal,
      presence.listeners,
    ];
    const before = facts();
    if (isReadOnly && !this.#readOnlyKeys.has(keyId)) {
      this.#readOnlyKeys = new Set([...this.#readOnlyKeys, keyId]);
    }
    if (notReady !== undefined) {
      presence.isNotReady = notReady !== null;
    }
    presence.messageBrowserUrl = report.messageBrowserUrl;
    presence.internal = report.internal;
    presence.listeners = report.listeners;
    presence.landingZones = report.landingZones;
    return !isDeepStrictEqual(facts(), before);
  }

  /** The keys of agents that serve consumers only. A scope only narrows, so a key stays one. */
  learnReadOnlyKeys(keyIds: ReadonlySet<string>): void {
    this.#readOnlyKeys = keyIds;
  }

  /** Whether the agent serves consumers only: producers must not be sent there. */
  isReadOnly(agentId: string): boolean {
    const keyId = this.#agents.get(agentId)?.keyId;
    return keyId !== undefined && this.#readOnlyKeys.has(keyId);
  }

  /** Records a heartbeat. Returns the bytes that the agent has served since the previous one; 0 for the first. */
  heartbeat(agentId: string, stats: AgentStats | undefined): number {
    const presence = this.#agents.get(agentId);
    if (presence === undefined) {
      return 0;
    }
    this.#sign(presence);
    const before = presence.stats?.fetchedBytes;
    const throttledBefore = presence.stats?.throttledWritesMs;
    presence.stats = stats;
    if (stats !== undefined && throttledBefore !== undefined && stats.throttledWritesMs > throttledBefore) {
      this.#writesThrottledAtMs = presence.lastSeenMs;
    }
    if (stats === undefined || before === undefined || stats.fetchedBytes < before) {
      return 0;
    }
    return Number(stats.fetchedBytes - before);
  }

  /** When an agent last said that it had slowed producers down because of the cluster's mode. */
  get writesThrottledAtMs(): number | undefined {
    return this.#writesThrottledAtMs;
  }

  /** Whether the agent reports that clients should use others. */
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
  ):
    | Readonly<Pick<Presence, 'lastSeenMs' | 'stats' | 'messageBrowserUrl' | 'internal' | 'listeners' | 'landingZones'>>
    | undefined {
    return this.#agents.get(agentId);
  }

  /** Whether the agent has been silent, or without its stream, for so long that it is considered dead. */
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

  /** Forgets the agents that the cluster has forgotten. Those that left stay for an hour, with what they last reported. */
  keepOnly(known: { has(agentId: string): boolean }): void {
    for (const agentId of this.#agents.keys()) {
      if (!known.has(agentId)) {
        this.#agents.delete(agentId);
      }
    }
  }

  #sign(presence: Presence): void {
    presence.lastSeenMs = this.#clock.nowMs();
    presence.lastSignMs = this.#clock.monotonicMs();
  }
}
