// Data files that no partition refers to any more, and that wait until their objects may be deleted.

/** A file that has left the state of its cluster. */
export interface DeadFile {
  readonly fileId: Uint8Array;
  /** Size of the object. */
  readonly bytes: number;
  /** Milliseconds since the Unix epoch from which on the object may be deleted. */
  readonly deleteAfterMs: number;
}

export interface TakeOptions {
  /** The most files to take. */
  readonly maxFiles: number;
  /** Takes files that may be deleted by then. Null: the oldest ones, even before their time. */
  readonly dueMs: number | null;
  readonly nowMs: number;
  /** Until then, no other call gets these files. */
  readonly leaseUntilMs: number;
}

export interface DeadFileTotals {
  readonly files: number;
  readonly bytes: number;
}

/** A file in it is dead for good, so every call may be repeated, and by any owner. */
export interface DeadFiles {
  /** Adds files. Those that it holds already stay as they are. */
  add(clusterId: string, files: readonly DeadFile[]): Promise<void>;

  /** Leases files for deletion, oldest first. Resolves with their ids. */
  take(clusterId: string, options: TakeOptions): Promise<Uint8Array[]>;

  /** Removes files whose objects are gone. Unknown ones are ignored. */
  remove(clusterId: string, fileIds: readonly Uint8Array[]): Promise<void>;

  /** For each id, whether it holds the file. */
  holds(clusterId: string, fileIds: readonly Uint8Array[]): Promise<boolean[]>;

  /** The number of files that it holds, and the size of their objects. */
  totals(clusterId: string): Promise<DeadFileTotals>;
}
