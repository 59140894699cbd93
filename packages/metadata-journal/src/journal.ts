// The durable, ordered list of entries of each virtual cluster. It stores bytes and does not interpret them.
import type { JournalPosition } from './position.ts';

export interface JournalEntry extends JournalPosition {
  /** 1 for the first entry of a cluster; consecutive. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface Snapshot {
  /** The snapshot is the state after this entry. */
  readonly position: JournalPosition;
  /** The parts as they were written, in order; fetched on demand, once. */
  readonly parts: AsyncIterable<Uint8Array>;
}

/** The cluster that an entry belongs to, and its tenant. */
export interface ClusterIdentity {
  readonly clusterId: string;
  readonly organizationId: string;
}

/**
 * The entries that a cut keeps for investigations, in addition to those that the snapshots need. Entries that either
 * field requires are kept.
 */
export interface Retention {
  /** This many entries before the older snapshot, not counting its own. */
  entries: number;
  /** Entries appended within this time. */
  ageMs: number;
}

/** How a position relates to the journal's history. */
export type PositionStatus =
  /** The journal holds this entry, and those after it. */
  | { readonly kind: 'held' }
  /** The entry is before the oldest one in the journal, so its hash cannot be checked. */
  | { readonly kind: 'cut' }
  /** The journal ends before it, or holds a different entry in its place. */
  | { readonly kind: 'lost'; readonly last: JournalPosition };

export interface Journal {
  /**
   * Appends one entry after `previous`, which must be the last one. Resolves with its position when it is durable.
   * @throws Fenced when another owner has appended after `previous`.
   * @throws HistoryLost when the journal does not hold `previous`.
   * @throws AppendUncertain when the outcome is unknown.
   */
  append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition>;

  /**
   * The entries after `after`, in order and without gaps. Checks their hashes. An entry stored by a process from before the hash chain has
   * none: the chain restarts with it.
   * @throws HistoryLost when the journal does not hold `after`.
   * @throws JournalDamaged when an entry is missing or is not the one that was appended.
   */
  read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry>;

  /** Whether the journal's history contains a position. Rejects when the server that it reaches may be behind. */
  statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus>;

  /**
   * Stores the state at `position` in parts. Becomes visible only when it is complete; a writer that dies leaves nothing usable. Storing
   * the same `seq` again replaces it.
   */
  writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void>;

  /**
   * The newest complete snapshot. `beforeSeq` asks for an older one, if the newest turns out to be unreadable. Reading the journal after it
   * shows whether it belongs to the journal's history.
   * @throws JournalDamaged, from the parts, when one is missing.
   */
  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined>;

  /**
   * Removes what recovery no longer needs: all snapshots but the newest two, and the oldest entries, up to the first one that `retain`
   * keeps or the entry of the older of those snapshots, which stays. The newest entries are never cut, so an append finds the one before
   * it. Entries that metering has not folded yet (which leaves their meter block) stay, however old. Returns the number of entries removed.
   */
  cut(clusterId: string, retain: Retention): Promise<number>;
}
