// Holds the leases of one process: renews those of a cell with one statement, each cell's apart from the others', knows up to which
// moment each is certainly ours, and what time it is by the control database's clock. It knows nothing of threads; `LeaseThread` runs one
// in a worker thread.
import type { HeldLease, LeaseOwner, Leases, Renewal } from '@penstock/metadata-journal';
import { every } from '@penstock/platform';
import type { HostClock } from './clock.ts';
import { DatabaseClock, type DatabaseReading, MAX_CLOCK_ERROR_MS } from './database-clock.ts';
import { HostTimes, isBefore, type Moment } from './host-times.ts';

/** A part of the TTL that is given up for clocks that tick at slightly different rates: 2 %. */
const CLOCK_RATE_MARGIN = 0.02;

/** What becomes of a lease without its holder's doing. */
export interface LeaseEvents {
  /** Another process may have the lease from now on. */
  onLost: (reason: string) => void;
  /** This process must not own anything for the time being: the holder ends its work in good order and releases the lease. */
  onGiveUp: (reason: string) => void;
  /** Up to when the lease certainly holds: said before its holder gets it, with each renewal, and at its end. */
  onValidUntil?: (until: Moment) => void;
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
  /** Nobody can own the cluster for some milliseconds: it moves to another cell. */
  | { outcome: 'moving' }
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
  /** A renewal in a cell failed as a whole. Its leases stay until they lapse; the next renewal tries again. */
  onRenewalFailed: (error: unknown, cell: string) => void;
  /** The machine was suspended. No lease is valid until the database has confirmed it. */
  onSuspended?: (forMs: number) => void;
  /** The obstacle came or went. */
  onObstacle?: (obstacle: string | undefined) => void;
  /** The database's clock was read. */
  onTime?: (time: { reading: DatabaseReading; clockErrorMs: number }) => void;
}

/** Whose clock is read, leases or not. */
const CLOCK_CELL = 'main';

/** Before any moment. */
const NEVER: Moment = { monotonicMs: -1, wallMs: -1, bootMs: -1 };

class Kept {
  readonly lease: HeldLease;
  readonly events: LeaseEvents;
  /** The holder was told to give the cluster up, because it moves to another cell. */
  isLeaving = false;
  #validUntil = NEVER;

  constructor(lease: HeldLease, events: LeaseEvents) {
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
  /** Resolves once the time was asked for the first time, in vain or not. */
  readonly started: Promise<void>;
  readonly #options: LeaseKeeperOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #host: HostTimes;
  readonly #database = new DatabaseClock();
  readonly #stop: () => void;
  #obstacle: string | undefined;
  /** The renewals under way, by cell: one that hangs holds up no other. */
  readonly #renewals = new Map<string, Promise<void>>();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#host = new HostTimes(options.clock, (forMs) => this.#suspended(forMs));
    this.#stop = every(options.ttlMs / 3, () => void this.#renew(), { timers: options.clock });
    this.started = this.#renew();
  }

  async acquire(clusterId: string, events: LeaseEvents): Promise<LeaseAnswer> {
    const { leases, owner, ttlMs } = this.#options;
    if (!this.#database.isSet) await this.#renewIn(CLOCK_CELL);
    if (this.#obstacle !== undefined) return { outcome: 'refused', reason: this.#obstacle };
    const sent = this.#host.read();
    const attempt = await leases.acquire(clusterId, owner, ttlMs);
    this.#readDatabase(attempt.databaseMs, sent);
    if (attempt.outcome === 'held-by-other') {
      const { ownerUrl, expiresInMs } = attempt;
      // Our own address: the owner here has closed for a move and its lease is about to be released.
      if (ownerUrl === owner.ownerUrl) return { outcome: 'moving' };
      return { outcome: 'held-by-other', ownerUrl, expiresInMs };
    }
    if (attempt.outcome !== 'acquired') return { outcome: 'moving' };
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
    kept.validUntil = NEVER;
    await this.#options.leases.release(kept.lease, this.#options.owner);
  }

  async #renew(): Promise<void> {
    const cells = new Set([CLOCK_CELL]);
    for (const { lease } of this.#kept.values()) cells.add(lease.cell);
    await Promise.all([...cells].map((cell) => this.#renewIn(cell)));
  }

  /** One at a time in a cell: who asks meanwhile waits for the one under way. */
  #renewIn(cell: string): Promise<void> {
    let renewal = this.#renewals.get(cell);
    if (renewal === undefined) {
      renewal = this.#renewAllIn(cell).finally(() => this.#renewals.delete(cell));
      this.#renewals.set(cell, renewal);
    }
    return renewal;
  }

  /** Without leases, too: it reads the clock. */
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
      // It was released, or taken anew with a later epoch, while the renewal was under way.
      if (this.#kept.get(clusterId) !== kept) continue;
      if (!renewal.held.has(clusterId)) {
        this.#kept.delete(clusterId);
        kept.validUntil = NEVER;
        kept.events.onLost('another process holds the lease');
        continue;
      }
      kept.validUntil = this.#validUntil(sent);
      if (!renewal.leaving.has(clusterId) || kept.isLeaving) continue;
      kept.isLeaving = true;
      kept.events.onGiveUp('the cluster moves to another cell');
    }
  }

  #readDatabase(databaseMs: number | undefined, sent: Moment): void {
    if (databaseMs === undefined) return;
    this.#database.read(databaseMs, sent, this.#host.read());
    const { hostErrorMs: errorMs, reading } = this.#database;
    if (reading !== undefined) {
      this.#options.onTime?.({ reading, clockErrorMs: errorMs });
    }
    const obstacle = this.#database.isHostOff ? obstacleOf(errorMs) : undefined;
    const hasChanged = (obstacle === undefined) !== (this.#obstacle === undefined);
    this.#obstacle = obstacle;
    if (!hasChanged) return;
    this.#options.onObstacle?.(obstacle);
    if (obstacle !== undefined) for (const kept of [...this.#kept.values()]) kept.events.onGiveUp(obstacle);
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
