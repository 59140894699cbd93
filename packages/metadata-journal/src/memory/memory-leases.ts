// Leases in memory with a settable clock, for tests. They fulfil the same contract as those in PostgreSQL.
import type { HeldLease, LeaseAttempt, LeaseHolding, LeaseOwner, Leases, Renewal } from '../leases.ts';

interface StoredLease extends LeaseOwner {
  epoch: number;
  expiresAtMs: number;
}

export class MemoryLeases implements Leases {
  readonly #leases = new Map<string, StoredLease>();
  readonly #nowMs: () => number;
  readonly #leaving = new Set<string>();

  /** @param nowMs the store's clock, in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Asks the owner of a cluster to give it up, as a move to another cell does. */
  askToLeave(clusterId: string): void {
    this.#leaving.add(clusterId);
  }

  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    const current = this.#leases.get(clusterId);
    const nowMs = this.#nowMs();
    const isLeaving = this.#leaving.has(clusterId);
    if (current !== undefined && current.expiresAtMs > nowMs && (isLeaving || current.ownerId !== owner.ownerId)) {
      const expiresInMs = current.expiresAtMs - nowMs;
      const { ownerUrl, adminUrl } = current;
      return { outcome: 'held-by-other', ownerUrl, adminUrl, expiresInMs, databaseMs: nowMs };
    }
    if (isLeaving) {
      return { outcome: 'moving', databaseMs: nowMs };
    }
    const epoch = (current?.epoch ?? 0) + 1;
    this.#leases.set(clusterId, { ...owner, epoch, expiresAtMs: nowMs + ttlMs });
    return { outcome: 'acquired', lease: { clusterId, epoch, cell: 'main' }, databaseMs: nowMs };
  }

  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    const databaseMs = this.#nowMs();
    const held = new Set<string>();
    for (const lease of leases) {
      const current = this.#leases.get(lease.clusterId);
      if (current?.ownerId !== owner.ownerId || current.epoch !== lease.epoch) {
        continue;
      }
      current.expiresAtMs = databaseMs + ttlMs;
      held.add(lease.clusterId);
    }
    return { held, leaving: new Set([...held].filter((clusterId) => this.#leaving.has(clusterId))), databaseMs };
  }

  async release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    const current = this.#leases.get(lease.clusterId);
    if (current?.ownerId === owner.ownerId && current.epoch === lease.epoch) {
      current.expiresAtMs = this.#nowMs();
    }
  }

  async holder(clusterId: string): Promise<LeaseHolding | undefined> {
    const current = this.#leases.get(clusterId);
    const expiresInMs = (current?.expiresAtMs ?? 0) - this.#nowMs();
    return current === undefined || expiresInMs <= 0
      ? undefined
      : { ownerUrl: current.ownerUrl, adminUrl: current.adminUrl, expiresInMs };
  }

  async handOver(lease: HeldLease, owner: LeaseOwner, to: LeaseOwner, ttlMs: number): Promise<void> {
    const current = this.#leases.get(lease.clusterId);
    if (this.#leaving.has(lease.clusterId)) {
      await this.release(lease, owner);
    } else if (current?.ownerId === owner.ownerId && current.epoch === lease.epoch) {
      this.#leases.set(lease.clusterId, { ...to, epoch: current.epoch + 1, expiresAtMs: this.#nowMs() + ttlMs });
    }
  }
}
