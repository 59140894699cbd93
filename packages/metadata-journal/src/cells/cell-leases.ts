// The leases of all cells behind one interface: each cluster's lease is in its own cell.
import type { HeldLease, LeaseAttempt, LeaseHolding, LeaseOwner, Leases, Renewal } from '../leases.ts';
import { PostgresLeases } from '../postgres/postgres-leases.ts';
import type { Cells } from './cells.ts';
import { completeMove } from './complete-move.ts';
import type { CellDirectory } from './homes.ts';

/** The cell whose clock all owners use. */
const CLOCK_CELL = 'main';
/** A cluster that keeps moving is not followed further; callers retry. */
const MAX_MOVES_FOLLOWED = 3;

export class CellLeases implements Leases {
  readonly #cells: Cells;
  readonly #renewals: Cells;
  readonly #directory: CellDirectory;
  readonly #leases = new Map<string, PostgresLeases>();

  /** @param renewals separate connections for renewals, so that none waits behind clusters that are being opened */
  constructor(cells: Cells, directory: CellDirectory, renewals: Cells = cells) {
    this.#cells = cells;
    this.#directory = directory;
    this.#renewals = renewals;
  }

  /** Looks the cell up again. @throws UnknownCluster, UnknownCell */
  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    for (let followed = 0; followed < MAX_MOVES_FOLLOWED; followed += 1) {
      const cell = await this.#directory.cellOf(clusterId);
      const attempt = await this.#of(cell).acquire(clusterId, owner, ttlMs);
      if (attempt.outcome !== 'moved') {
        return cell === CLOCK_CELL ? attempt : { ...attempt, databaseMs: undefined };
      }
      // The mover has not updated the directory yet, or it died before it could.
      await completeMove(this.#cells, this.#directory, clusterId, cell);
    }
    return { outcome: 'moving', databaseMs: undefined };
  }

  /** @param leases of one cell; if empty, only the clock is read */
  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    const cell = leases[0]?.cell ?? CLOCK_CELL;
    const renewal = await this.#of(cell).renew(leases, owner, ttlMs);
    return cell === CLOCK_CELL ? renewal : { ...renewal, databaseMs: undefined };
  }

  async release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    await this.#of(lease.cell).release(lease, owner);
  }

  async holder(clusterId: string): Promise<LeaseHolding | undefined> {
    return await this.#of(await this.#directory.cellOf(clusterId)).holder(clusterId);
  }

  async handOver(lease: HeldLease, owner: LeaseOwner, to: LeaseOwner, ttlMs: number): Promise<void> {
    await this.#of(lease.cell).handOver(lease, owner, to, ttlMs);
  }

  #of(cell: string): PostgresLeases {
    let leases = this.#leases.get(cell);
    if (leases === undefined) {
      leases = new PostgresLeases(this.#cells.pool(cell), this.#renewals.pool(cell), cell);
      this.#leases.set(cell, leases);
    }
    return leases;
  }
}
