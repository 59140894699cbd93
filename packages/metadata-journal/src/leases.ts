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
}

export type LeaseAttempt = (
  | { readonly outcome: 'acquired'; readonly lease: HeldLease }
  | { readonly outcome: 'held-by-other'; readonly ownerUrl: string; readonly expiresInMs: number }
) &
  DatabaseTime;

export interface Renewal extends DatabaseTime {
  /** The clusters whose leases are still held; the others were taken over. */
  readonly held: ReadonlySet<string>;
}

/** What the store's clock said while it worked on the call: not later than when the answer arrives. */
export interface DatabaseTime {
  /** Milliseconds since the Unix epoch. Where leases lie in several databases, the earliest of their clocks. */
  readonly databaseMs: number;
}

/** The store's own clock decides when a lease has expired; the clocks of processes are never compared. */
export interface Leases {
  /** Takes the lease when nobody holds a live one. An owner that asks again for its own lease gets it with a new epoch. */
  acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt>;

  /** Extends all these leases at once. Without any it still reads the clock. */
  renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal>;

  /** Ends a lease at once, so that another process need not wait for it to expire. A lease that is lost is left alone. */
  release(lease: HeldLease, owner: LeaseOwner): Promise<void>;
}
