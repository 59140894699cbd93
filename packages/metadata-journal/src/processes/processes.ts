// The metadata processes that run, and how many clusters each of them owns. Processes that own nothing are in no lease, so they need a list of
// their own for others to hand clusters over to them. The list decides nothing but this: owners are named by leases.
import type { LeaseOwner } from '../leases.ts';

/** A process, as it describes itself to the others. */
export interface ProcessReport extends LeaseOwner {
  /** How many clusters it owns. */
  readonly clusters: number;
  /** Whether it would open further clusters. */
  readonly isAccepting: boolean;
}

export interface ListedProcess extends ProcessReport {
  /** An operator asked it to give up its clusters. */
  readonly isDraining: boolean;
}

export interface Processes {
  /** Lists this process for some time, and returns all live ones, in the order of their ids. */
  report(process: ProcessReport, ttlMs: number): Promise<ListedProcess[]>;

  /** Counts a cluster more for the process that it was handed over to, until that reports. */
  expect(ownerId: string): Promise<void>;

  /** Removes this process, so that nobody hands a cluster over to it any more. */
  leave(ownerId: string): Promise<void>;

  /** All live processes, in the order of their ids. */
  list(): Promise<ListedProcess[]>;

  /** Asks a process to give up its clusters, or to own some again. Lasts until it restarts. @returns whether it is alive */
  setDraining(ownerId: string, isDraining: boolean): Promise<boolean>;
}
