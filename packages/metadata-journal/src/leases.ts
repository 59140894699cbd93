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

export type LeaseAttempt =
  | { readonly outcome: 'acquired'; readonly lease: HeldLease }
  | { readonly outcome: 'held-by-other'; readonly ownerUrl: string; readonly expiresInMs: number };

/** The store's own clock decides when a lease has expired; the clocks of processes are never compared. */
export interface Leases {
  /** Takes the lease when nobody holds a live one. An owner that asks again for its own lease gets it with a new epoch. */
  acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt>;

  /** Extends all these leases at once. Returns the ids of the clusters that are still held; the others were taken over. */
  renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<ReadonlySet<string>>;

  /** Ends a lease at once, so that another process need not wait for it to expire. A lease that is lost is left alone. */
  release(lease: HeldLease, owner: LeaseOwner): Promise<void>;
}
