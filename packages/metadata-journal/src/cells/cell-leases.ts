// The leases of all cells behind one interface: each cluster's in the cell where it lives.
import type { HeldLease, LeaseAttempt, LeaseOwner, Leases, Renewal } from '../leases.ts';
import { PostgresLeases } from '../postgres/postgres-leases.ts';
import type { Cells } from './cells.ts';
import { completeMove } from './complete-move.ts';
import type { Homes } from './homes.ts';

/** A cluster that keeps moving is asked for again by whoever wants it. */
const MAX_MOVES_FOLLOWED = 3;

export class CellLeases implements Leases {
  readonly #cells: Cells;
  readonly #homes: Homes;
  readonly #leases = new Map<string, PostgresLeases>();

  constructor(cells: Cells, homes: Homes) {
    this.#cells = cells;
    this.#homes = homes;
  }

  /** Looks the cell up anew. @throws UnknownCluster, UnknownCell */
  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    for (let followed = 0; followed < MAX_MOVES_FOLLOWED; followed += 1) {
      const cell = await this.#homes.lookUp(clusterId);
      const attempt = await this.#of(cell).acquire(clusterId, owner, ttlMs);
      if (attempt.outcome !== 'moved') return attempt;
      // The mover has not told the directory yet, or it died before it could.
      await completeMove(this.#cells, this.#homes.directory, clusterId, cell);
    }
    return { outcome: 'moving' };
  }

  /** @param leases of one cell */
  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    const [first] = leases;
    if (first === undefined) return { held: new Set(), leaving: new Set() };
    return await this.#of(first.cell).renew(leases, owner, ttlMs);
  }

  async release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    await this.#of(lease.cell).release(lease, owner);
  }

  #of(cell: string): PostgresLeases {
    let leases = this.#leases.get(cell);
    if (leases === undefined) {
      leases = new PostgresLeases(this.#cells.pool(cell), cell);
      this.#leases.set(cell, leases);
    }
    return leases;
  }
}
