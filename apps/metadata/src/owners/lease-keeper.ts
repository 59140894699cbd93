// Holds the leases of one process: renews them all with one statement, knows up to which moment each is certainly ours, and what time
// it is by the database's clock. It knows nothing of threads; `LeaseThread` runs it in one of its own.
import type { HeldLease, LeaseOwner, Leases } from '@penstock/metadata-journal';
import { type HostClock, repeat } from './clock.ts';
import { DatabaseClock, MAX_CLOCK_ERROR_MS } from './database-clock.ts';
import { HostTimes, isBefore, type Moment } from './host-times.ts';

/** A part of the TTL that is given up for clocks that tick at slightly different rates: 2 %. */
const CLOCK_RATE_MARGIN = 0.02;

/** What becomes of a lease without its holder's doing. */
export interface LeaseEvents {
  /** Another process has the lease. */
  onLost: () => void;
  /** This process must not own anything for the time being: the holder ends its work in good order and releases the lease. */
  onGiveUp: (reason: string) => void;
}

export interface KeptLease {
  readonly clusterId: string;
  /** Whether nobody else can have become the owner up to now. Asked for every read. */
  isValid(): boolean;
  /** Gives the lease up, so that another process can take it at once. Does nothing to one that was lost or taken anew since. */
  release(): Promise<void>;
}

export type LeaseAnswer =
  | { outcome: 'acquired'; lease: KeptLease }
  | { outcome: 'held-by-other'; ownerUrl: string; expiresInMs: number }
  /** This process must not own anything for the time being. */
  | { outcome: 'refused'; reason: string };

/** What the owners of a process need of whoever keeps their leases. */
export interface LeaseHolder {
  acquire(clusterId: string, events: LeaseEvents): Promise<LeaseAnswer>;
  /** The database's time in whole milliseconds since the Unix epoch, never ahead of its clock. There is one once a lease was acquired. */
  nowMs(): number;
  /** Whether `nowMs` has an answer yet. */
  readonly hasTime: boolean;
  /** Why this process must not own anything for the time being. */
  readonly obstacle: string | undefined;
  /** How far this host's clock is ahead of the database's, at least; negative: behind. */
  readonly clockErrorMs: number;
  /** Stops renewing. Leases that were not released lapse. */
  stop(): void | Promise<void>;
}

export interface LeaseKeeperOptions {
  leases: Leases;
  owner: LeaseOwner;
  ttlMs: number;
  clock: HostClock;
  /** A renewal failed as a whole. The leases stay until they lapse; the next renewal tries again. */
  onRenewalFailed: (error: unknown) => void;
  /** The machine was suspended. No lease is valid until the database has confirmed it. */
  onSuspended?: (forMs: number) => void;
  /** The obstacle came or went. */
  onObstacle?: (obstacle: string | undefined) => void;
}

interface Kept extends LeaseEvents {
  lease: HeldLease;
  validUntil: Moment;
}

/** Before any moment. */
const NEVER: Moment = { monotonicMs: -1, wallMs: -1, bootMs: -1 };

export class LeaseKeeper implements LeaseHolder {
  /** Resolves once the time was asked for the first time, in vain or not. */
  readonly started: Promise<void>;
  readonly #options: LeaseKeeperOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #host: HostTimes;
  readonly #database = new DatabaseClock();
  readonly #stop: () => void;
  #obstacle: string | undefined;
  #renewal: Promise<void> | undefined;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#host = new HostTimes(options.clock, (forMs) => this.#suspended(forMs));
    this.#stop = repeat(options.clock, options.ttlMs / 3, () => this.#renew());
    this.started = this.#renew();
  }

  async acquire(clusterId: string, events: LeaseEvents): Promise<LeaseAnswer> {
    const { leases, owner, ttlMs } = this.#options;
    if (!this.#database.isSet) await this.#renew();
    if (this.#obstacle !== undefined) return { outcome: 'refused', reason: this.#obstacle };
    const sent = this.#host.read();
    const attempt = await leases.acquire(clusterId, owner, ttlMs);
    this.#readDatabase(attempt.databaseMs, sent);
    if (attempt.outcome === 'held-by-other') {
      const { ownerUrl, expiresInMs } = attempt;
      return { outcome: 'held-by-other', ownerUrl, expiresInMs };
    }
    const kept: Kept = { ...events, lease: attempt.lease, validUntil: this.#validUntil(sent) };
    this.#kept.set(clusterId, kept);
    const lease: KeptLease = {
      clusterId,
      isValid: () => this.#kept.get(clusterId) === kept && isBefore(this.#host.now(), kept.validUntil),
      release: () => this.#release(kept),
    };
    if (this.#obstacle === undefined) return { outcome: 'acquired', lease };
    await lease.release();
    return { outcome: 'refused', reason: this.#obstacle };
  }

  nowMs(): number {
    return this.#database.nowMs(this.#options.clock.monotonicMs());
  }

  get hasTime(): boolean {
    return this.#database.isSet;
  }

  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  get clockErrorMs(): number {
    return this.#database.hostErrorMs;
  }

  stop(): void {
    this.#stop();
  }

  async #release(kept: Kept): Promise<void> {
    const { clusterId } = kept.lease;
    if (this.#kept.get(clusterId) !== kept) return;
    this.#kept.delete(clusterId);
    await this.#options.leases.release(kept.lease, this.#options.owner);
  }

  /** One at a time: who asks meanwhile waits for the one under way. */
  #renew(): Promise<void> {
    this.#renewal ??= this.#renewAll().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Without leases, too: it reads the clock. */
  async #renewAll(): Promise<void> {
    const { leases, owner, ttlMs, onRenewalFailed } = this.#options;
    const asked = [...this.#kept.values()];
    const sent = this.#host.read();
    let held: ReadonlySet<string>;
    try {
      const renewal = await leases.renew(
        asked.map((kept) => kept.lease),
        owner,
        ttlMs,
      );
      held = renewal.held;
      this.#readDatabase(renewal.databaseMs, sent);
    } catch (error) {
      onRenewalFailed(error);
      return;
    }
    for (const kept of asked) {
      const { clusterId } = kept.lease;
      // It was released, or taken anew with a later epoch, while the renewal was under way.
      if (this.#kept.get(clusterId) !== kept) continue;
      if (held.has(clusterId)) {
        kept.validUntil = this.#validUntil(sent);
      } else {
        this.#kept.delete(clusterId);
        kept.onLost();
      }
    }
  }

  #readDatabase(databaseMs: number, sent: Moment): void {
    this.#database.read(databaseMs, sent, this.#host.read());
    const errorMs = this.#database.hostErrorMs;
    const obstacle = this.#database.isHostOff ? obstacleOf(errorMs) : undefined;
    const hasChanged = (obstacle === undefined) !== (this.#obstacle === undefined);
    this.#obstacle = obstacle;
    if (!hasChanged) return;
    this.#options.onObstacle?.(obstacle);
    if (obstacle !== undefined) for (const kept of [...this.#kept.values()]) kept.onGiveUp(obstacle);
  }

  #suspended(forMs: number): void {
    for (const kept of this.#kept.values()) kept.validUntil = NEVER;
    this.#options.onSuspended?.(forMs);
    void this.#renew();
  }

  /**
   * Measured from before the call was sent, so it ends before the lease does in the database, however long the answer took. A machine that was
   * suspended meanwhile is found out by two of the clocks.
   */
  #validUntil(sent: Moment): Moment {
    const validMs = this.#options.ttlMs * (1 - CLOCK_RATE_MARGIN);
    return {
      monotonicMs: sent.monotonicMs + validMs,
      wallMs: sent.wallMs + validMs,
      bootMs: sent.bootMs + validMs,
    };
  }
}

function obstacleOf(errorMs: number): string {
  const seconds = (Math.abs(errorMs) / 1_000).toFixed(1);
  const direction = errorMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this host is ${seconds} s ${direction} the database's, more than ${MAX_CLOCK_ERROR_MS / 1_000} s: set it`;
}
