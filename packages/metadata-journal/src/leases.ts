// Who should be the owner of a virtual cluster. A lease only decides which process tries; the journal's primary key decides which one may.

export interface LeaseOwner {
  /** Unique per start of a process. */
  readonly ownerId: string;
  /** Where agents reach this process. */
  readonly ownerUrl: string;
  /** Where the control plane reaches it. */
  readonly adminUrl?: string | undefined;
}

export interface HeldLease {
  readonly clusterId: string;
  /** Increases with each change of owner. */
  readonly epoch: number;
  /** The database that holds the lease. Cells are renewed independently, so that trouble in one does not affect the others. */
  readonly cell: string;
}

export type LeaseAttempt = (
  | { readonly outcome: 'acquired'; readonly lease: HeldLease }
  | {
      readonly outcome: 'held-by-other';
      readonly ownerUrl: string;
      /** Undefined if the owner named none. */
      readonly adminUrl?: string | undefined;
      readonly expiresInMs: number;
    }
  /** The cluster is between two cells for some milliseconds: retry. */
  | { readonly outcome: 'moving' }
  /** The cluster is in another cell. `CellLeases` asks there; an owner never sees this. */
  | { readonly outcome: 'moved'; readonly toCell: string }
) &
  DatabaseTime;

export interface Renewal extends DatabaseTime {
  /** The clusters whose leases are still held; the others were taken over. */
  readonly held: ReadonlySet<string>;
  /** The held clusters that should be given up in an orderly way, because they move to another cell. */
  readonly leaving: ReadonlySet<string>;
}

/** The store's clock while it worked on the call: never later than when the answer arrives. */
export interface DatabaseTime {
  /**
   * Milliseconds since the Unix epoch. Undefined from a cell other than `main`: only one clock sets the time, and a cell's clock decides
   * only when its leases expire.
   */
  readonly databaseMs: number | undefined;
}

/** The process that holds a live lease. */
export interface LeaseHolding {
  readonly ownerUrl: string;
  readonly adminUrl?: string | undefined;
  readonly expiresInMs: number;
}

/** The store's own clock decides when a lease has expired; the clocks of processes are never compared. */
export interface Leases {
  /** Acquires the lease when no process holds a live one. An owner that acquires its own lease again gets a new epoch. */
  acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt>;

  /** Renews all these leases, which are of one cell, at once. If there are none, still reads the clock. */
  renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal>;

  /** Releases a lease at once, so that another process need not wait for it to expire. No effect on a lease that was lost. */
  release(lease: HeldLease, owner: LeaseOwner): Promise<void>;

  /** Who holds a live lease, without acquiring it. Undefined while nobody does, or the cluster moves to another cell. */
  holder(clusterId: string): Promise<LeaseHolding | undefined>;

  /**
   * Passes a lease to another process, which acquires it when it is first called for the cluster. Nobody else can until `ttlMs` have
   * passed. Only releases the lease if the cluster is moving to another cell. No effect on a lease that was lost.
   */
  handOver(lease: HeldLease, owner: LeaseOwner, to: LeaseOwner, ttlMs: number): Promise<void>;
}
