// Holds the leases of one process. It renews all leases of a cell with one statement, independently of other cells, tracks until when each
// lease certainly holds, and keeps the time by the control database's clock. It knows nothing of threads; `LeaseThread` runs one in a
// worker thread.
import type { HeldLease, LeaseOwner, Leases, Renewal } from '@penstock/metadata-journal';
import { every } from '@penstock/platform';
import type { HostClock } from './clock.ts';
import { DatabaseClock, type DatabaseReading, MAX_CLOCK_ERROR_MS } from './database-clock.ts';
import { HostTimes, isBefore, type Moment } from './host-times.ts';

/** The part of the TTL given up for clocks that run at slightly different rates: 2 %. */
const CLOCK_RATE_MARGIN = 0.02;

/** Events of a lease that its holder does not cause. */
export interface LeaseEvents {
  /** Another process may hold the lease from now on. */
  onLost: (reason: string) => void;
  /** This process must not own clusters for now: the holder finishes its work and releases the lease. */
  onGiveUp: (reason: string) => void;
}

/** Events of a keeper, with one more for the lease thread, which shares it with its main thread in memory. */
export interface KeeperEvents extends LeaseEvents {
  /** Until when the lease certainly holds. Called before the lease is returned, with each renewal, and at its end. */
  onValidUntil?: (until: Moment) => void;
}

export interface KeptLease {
  readonly clusterId: string;
  /** Whether no other process can have become the owner yet. Called for every read. */
  isValid(): boolean;
  /** Releases the lease, so that another process can acquire it at once. No effect on a lease that was lost or acquired again since. */
  release(): Promise<void>;
  /** Like `release`, but only this process can acquire it, until the time of a lease has passed. */
  handOver(to: LeaseOwner): Promise<void>;
}

export type LeaseAnswer =
  | { outcome: 'acquired'; lease: KeptLease }
  | { outcome: 'held-by-other'; ownerUrl: string; adminUrl?: string | undefined; expiresInMs: number }
  /** No process can own the cluster for some milliseconds: it is moving to another cell. */
  | { outcome: 'moving' }
  /** This process must not own clusters for now. */
  | { outcome: 'refused'; reason: string };

/** The operations that the owners in a process need from their lease keeper. */
export interface LeaseHolder {
  acquire(clusterId: string, events: LeaseEvents): Promise<LeaseAnswer>;
  /** The database's time in whole milliseconds since the Unix epoch, never ahead of its clock. Available once a lease was acquired. */
  nowMs(): number;
  /** Whether `nowMs` is available yet. */
  readonly hasTime: boolean;
  /** Why this process must not own clusters for now. */
  readonly obstacle: string | undefined;
  /** How far this host's clock is ahead of the database's, at least; negative when behind. */
  readonly clockErrorMs: number;
  /** Stops renewing. Leases that were not released expire. */
  stop(): void | Promise<void>;
}

export interface LeaseKeeperOptions {
  leases: Leases;
  owner: LeaseOwner;
  ttlMs: number;
  clock: HostClock;
  /** The renewal of a cell failed as a whole. Its leases stay until they expire; the next renewal tries again. */
  onRenewalFailed: (error: unknown, cell: string) => void;
  /** The machine was suspended. No lease is valid until the database has confirmed it. */
  onSuspended?: (forMs: number) => void;
  /** The obstacle appeared or cleared. */
  onObstacle?: (obstacle: string | undefined) => void;
  /** The database's clock was read. */
  onTime?: (time: { reading: DatabaseReading; clockErrorMs: number }) => void;
}

/** The cell whose clock is read, whether it holds leases or not. */
const CLOCK_CELL = 'main';

/** Earlier than any moment. */
const NEVER: Moment = { monotonicMs: -1, wallMs: -1, bootMs: -1 };

class Kept {
  readonly lease: HeldLease;
  readonly events: KeeperEvents;
  /** The holder was asked to give the cluster up, because it moves to another cell. */
  isLeaving = false;
  #validUntil = NEVER;

  constructor(lease: HeldLease, events: KeeperEvents) {
    this.lease = lease;
    this.events = events;
  }

  get validUntil(): Moment {
    return this.#validUntil;
  }

  set validUntil(until: Moment) {
    this.#validUntil = until;
    this.events.onValidUntil?.(until);
  }
}

export class LeaseKeeper implements LeaseHolder {
  /** Resolves after the first attempt to read the time, successful or not. */
  readonly started: Promise<void>;
  readonly #options: LeaseKeeperOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #host: HostTimes;
  readonly #database = new DatabaseClock();
  readonly #stop: () => void;
  #obstacle: string | undefined;
  /** Renewals in flight, by cell. One that hangs does not delay the others. */
  readonly #renewals = new Map<string, Promise<void>>();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#host = new HostTimes(options.clock, (forMs) => this.#suspended(forMs));
    this.#stop = every(options.ttlMs / 3, () => void this.#renew(), { timers: options.clock });
    this.started = this.#renew();
  }

  async acquire(clusterId: string, events: KeeperEvents): Promise<LeaseAnswer> {
    const { leases, owner, ttlMs } = this.#options;
    if (!this.#database.isSet) {
      await this.#renewIn(CLOCK_CELL);
    }
    if (this.#obstacle !== undefined) {
      return { outcome: 'refused', reason: this.#obstacle };
    }
    const sent = this.#host.read();
    const attempt = await leases.acquire(clusterId, owner, ttlMs);
    this.#readDatabase(attempt.databaseMs, sent);
    if (attempt.outcome === 'held-by-other') {
      const { ownerUrl, adminUrl, expiresInMs } = attempt;
      // Our own address: the owner here has closed for a move and is about to release its lease.
      if (ownerUrl === owner.ownerUrl) {
        return { outcome: 'moving' };
      }
      return { outcome: 'held-by-other', ownerUrl, adminUrl, expiresInMs };
    }
    if (attempt.outcome !== 'acquired') {
      return { outcome: 'moving' };
    }
    const earlier = this.#kept.get(clusterId);
    if (earlier !== undefined) {
      earlier.validUntil = NEVER;
    }
    const kept = new Kept(attempt.lease, events);
    kept.validUntil = this.#validUntil(sent);
    this.#kept.set(clusterId, kept);
    const lease: KeptLease = {
      clusterId,
      isValid: () => this.#kept.get(clusterId) === kept && isBefore(this.#host.now(), kept.validUntil),
      release: () => this.#end(kept, (lease) => leases.release(lease, owner)),
      handOver: (to) => this.#end(kept, (lease) => leases.handOver(lease, owner, to, ttlMs)),
    };
    if (this.#obstacle === undefined) {
      return { outcome: 'acquired', lease };
    }
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

  async #end(kept: Kept, end: (lease: HeldLease) => Promise<void>): Promise<void> {
    const { clusterId } = kept.lease;
    if (this.#kept.get(clusterId) !== kept) {
      return;
    }
    this.#kept.delete(clusterId);
    kept.validUntil = NEVER;
    await end(kept.lease);
  }

  async #renew(): Promise<void> {
    const cells = new Set([CLOCK_CELL]);
    for (const { lease } of this.#kept.values()) {
      cells.add(lease.cell);
    }
    await Promise.all([...cells].map((cell) => this.#renewIn(cell)));
  }

  /** One at a time per cell: callers that arrive meanwhile share the renewal in flight. */
  #renewIn(cell: string): Promise<void> {
    let renewal = this.#renewals.get(cell);
    if (renewal === undefined) {
      renewal = this.#renewAllIn(cell).finally(() => this.#renewals.delete(cell));
      this.#renewals.set(cell, renewal);
    }
    return renewal;
  }

  /** Runs even without leases, because it reads the clock. */
  async #renewAllIn(cell: string): Promise<void> {
    const { leases, owner, ttlMs, onRenewalFailed } = this.#options;
    const asked = [...this.#kept.values()].filter(({ lease }) => lease.cell === cell);
    const sent = this.#host.read();
    let renewal: Renewal;
    try {
      renewal = await leases.renew(
        asked.map((kept) => kept.lease),
        owner,
        ttlMs,
      );
      this.#readDatabase(renewal.databaseMs, sent);
    } catch (error) {
      onRenewalFailed(error, cell);
      return;
    }
    for (const kept of asked) {
      const { clusterId } = kept.lease;
      // The lease was released, or acquired again with a later epoch, during the renewal.
      if (this.#kept.get(clusterId) !== kept) {
        continue;
      }
      if (!renewal.held.has(clusterId)) {
        this.#kept.delete(clusterId);
        kept.validUntil = NEVER;
        kept.events.onLost('another process holds the lease');
        continue;
      }
      kept.validUntil = this.#validUntil(sent);
      if (!renewal.leaving.has(clusterId) || kept.isLeaving) {
        continue;
      }
      kept.isLeaving = true;
      kept.events.onGiveUp('the cluster moves to another cell');
    }
  }

  #readDatabase(databaseMs: number | undefined, sent: Moment): void {
    if (databaseMs === undefined) {
      return;
    }
    this.#database.read(databaseMs, sent, this.#host.read());
    const { hostErrorMs: errorMs, reading } = this.#database;
    if (reading !== undefined) {
      this.#options.onTime?.({ reading, clockErrorMs: errorMs });
    }
    const obstacle = this.#database.isHostOff ? obstacleOf(errorMs) : undefined;
    const hasChanged = (obstacle === undefined) !== (this.#obstacle === undefined);
    this.#obstacle = obstacle;
    if (!hasChanged) {
      return;
    }
    this.#options.onObstacle?.(obstacle);
    if (obstacle !== undefined) {
      for (const kept of [...this.#kept.values()]) {
        kept.events.onGiveUp(obstacle);
      }
    }
  }

  #suspended(forMs: number): void {
    for (const kept of this.#kept.values()) {
      kept.validUntil = NEVER;
    }
    this.#options.onSuspended?.(forMs);
    void this.#renew();
  }

  /**
   * Measured from before the call was sent, so it ends before the lease does in the database, however slow the answer is. If the machine
   * was suspended meanwhile, two of the clocks show it.
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
