// Leases in memory with a settable clock, for tests. They obey the same contract as the ones in PostgreSQL.
import type { HeldLease, LeaseAttempt, LeaseOwner, Leases, Renewal } from '../leases.ts';

interface StoredLease extends LeaseOwner {
  epoch: number;
  expiresAtMs: number;
}

export class MemoryLeases implements Leases {
  readonly #leases = new Map<string, StoredLease>();
  readonly #nowMs: () => number;

  /** @param nowMs the store's clock, in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    const current = this.#leases.get(clusterId);
    const nowMs = this.#nowMs();
    if (current !== undefined && current.expiresAtMs > nowMs && current.ownerId !== owner.ownerId) {
      const expiresInMs = current.expiresAtMs - nowMs;
      return { outcome: 'held-by-other', ownerUrl: current.ownerUrl, expiresInMs, databaseMs: nowMs };
    }
    const epoch = (current?.epoch ?? 0) + 1;
    this.#leases.set(clusterId, { ...owner, epoch, expiresAtMs: nowMs + ttlMs });
    return { outcome: 'acquired', lease: { clusterId, epoch }, databaseMs: nowMs };
  }

  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    const databaseMs = this.#nowMs();
    const held = new Set<string>();
    for (const lease of leases) {
      const current = this.#leases.get(lease.clusterId);
      if (current?.ownerId !== owner.ownerId || current.epoch !== lease.epoch) continue;
      current.expiresAtMs = databaseMs + ttlMs;
      held.add(lease.clusterId);
    }
    return { held, databaseMs };
  }

  async release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    const current = this.#leases.get(lease.clusterId);
    if (current?.ownerId === owner.ownerId && current.epoch === lease.epoch) current.expiresAtMs = this.#nowMs();
  }
}
