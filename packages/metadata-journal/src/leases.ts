// Who should be the owner of a virtual cluster. A lease only decides who tries; the journal's primary key decides who may.

export interface LeaseOwner {
  /** Unique for each start of a process. */
  readonly ownerId: string;
  /** Where agents reach this process. */
  readonly ownerUrl: string;
}

export interface HeldLease {
  readonly clusterId: string;
  /** Grows with each change of owner. */
  readonly epoch: number;
  /** The database that holds it. Leases of different cells are renewed apart, so that one cell's trouble stays its own. */
  readonly cell: string;
}

export type LeaseAttempt = (
  | { readonly outcome: 'acquired'; readonly lease: HeldLease }
  | { readonly outcome: 'held-by-other'; readonly ownerUrl: string; readonly expiresInMs: number }
  /** The cluster is between two cells for some milliseconds: ask again. */
  | { readonly outcome: 'moving' }
  /** The cluster lives in another cell. Whoever knows the cells asks there; an owner never sees this. */
  | { readonly outcome: 'moved'; readonly toCell: string }
) &
  DatabaseTime;

export interface Renewal extends DatabaseTime {
  /** The clusters whose leases are still held; the others were taken over. */
  readonly held: ReadonlySet<string>;
  /** Of those held, the ones that shall be given up in good order: the cluster moves to another cell. */
  readonly leaving: ReadonlySet<string>;
}

/** What the store's clock said while it worked on the call: not later than when the answer arrives. */
export interface DatabaseTime {
  /**
   * Milliseconds since the Unix epoch. Undefined from a cell other than `main`: one clock decides what time it is, and the clock of a
   * cell only when its leases expire.
   */
  readonly databaseMs: number | undefined;
}

/** The store's own clock decides when a lease has expired; the clocks of processes are never compared. */
export interface Leases {
  /** Takes the lease when nobody holds a live one. An owner that asks again for its own lease gets it with a new epoch. */
  acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt>;

  /** Extends all these leases, which are of one cell, at once. Without any it still reads the clock. */
  renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal>;

  /** Ends a lease at once, so that another process need not wait for it to expire. A lease that is lost is left alone. */
  release(lease: HeldLease, owner: LeaseOwner): Promise<void>;
}
