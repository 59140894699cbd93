// Holds the leases of one process: renews those of a cell with one statement, each cell's apart from the others', and knows up to
// which moment each is certainly ours.
import type { HeldLease, LeaseAttempt, LeaseOwner, Leases, Renewal } from '@penstock/metadata-journal';
import { type Clock, repeat } from './clock.ts';

/** A part of the TTL that is given up for clocks that tick at slightly different rates: 2 %. */
const CLOCK_RATE_MARGIN = 0.02;

export interface LeaseKeeperOptions {
  leases: Leases;
  owner: LeaseOwner;
  ttlMs: number;
  clock: Clock;
  /** A renewal found that another process holds the lease. */
  onLost: (clusterId: string) => void;
  /** The cluster moves to another cell: finish what is under way and release the lease. Said again with each renewal. */
  onLeaving: (clusterId: string) => void;
  /** A cell's renewal failed as a whole. Its leases stay until they lapse; the next renewal tries again. */
  onRenewalFailed: (error: unknown, cell: string) => void;
}

interface Kept {
  lease: HeldLease;
  validUntilMs: number;
}

export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #kept = new Map<string, Kept>();
  /** Cells whose renewal is under way: one that hangs holds up no other. */
  readonly #renewing = new Set<string>();
  readonly #stop: () => void;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#stop = repeat(options.clock, options.ttlMs / 3, () => this.#renew());
  }

  async acquire(clusterId: string): Promise<LeaseAttempt> {
    const { leases, owner, ttlMs, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const attempt = await leases.acquire(clusterId, owner, ttlMs);
    if (attempt.outcome === 'acquired') {
      this.#kept.set(clusterId, { lease: attempt.lease, validUntilMs: this.#validUntilMs(startedMs) });
    }
    return attempt;
  }

  /**
   * Whether nobody else can have become the owner up to now. Measured from before the renewal was sent, so it ends before the
   * lease does in the database, however long the answer took.
   */
  isValid(clusterId: string): boolean {
    const kept = this.#kept.get(clusterId);
    return kept !== undefined && this.#options.clock.monotonicMs() < kept.validUntilMs;
  }

  /** Gives the lease up, so that another process can take it at once. */
  async release(clusterId: string): Promise<void> {
    const kept = this.#kept.get(clusterId);
    if (kept === undefined) return;
    this.#kept.delete(clusterId);
    await this.#options.leases.release(kept.lease, this.#options.owner);
  }

  /** Stops renewing. Leases that were not released lapse. */
  stop(): void {
    this.#stop();
  }

  #renew(): void {
    for (const [cell, asked] of Map.groupBy(this.#kept.values(), (kept) => kept.lease.cell)) {
      if (this.#renewing.has(cell)) continue;
      this.#renewing.add(cell);
      this.#renewInCell(cell, asked).finally(() => this.#renewing.delete(cell));
    }
  }

  async #renewInCell(cell: string, asked: readonly Kept[]): Promise<void> {
    const { leases, owner, ttlMs, clock, onLost, onLeaving, onRenewalFailed } = this.#options;
    const startedMs = clock.monotonicMs();
    let renewal: Renewal;
    try {
      renewal = await leases.renew(
        asked.map((kept) => kept.lease),
        owner,
        ttlMs,
      );
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
        onLost(clusterId);
        continue;
      }
      kept.validUntilMs = this.#validUntilMs(startedMs);
      if (renewal.leaving.has(clusterId)) onLeaving(clusterId);
    }
  }

  #validUntilMs(startedMs: number): number {
    return startedMs + this.#options.ttlMs * (1 - CLOCK_RATE_MARGIN);
  }
}
