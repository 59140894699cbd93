// The durable, ordered list of entries of each virtual cluster. It stores bytes and knows nothing of what they mean.
import type { JournalPosition } from './position.ts';

export interface JournalEntry extends JournalPosition {
  /** 1 for the first entry of a cluster, then without gaps. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface Snapshot {
  /** The state after this entry. */
  readonly position: JournalPosition;
  /** In the order and with the bounds in which they were written; fetched as they are asked for, once. */
  readonly parts: AsyncIterable<Uint8Array>;
}

/** The cluster that an entry belongs to, and its tenant. */
export interface ClusterIdentity {
  readonly clusterId: string;
  readonly organizationId: string;
}

/** What a cut leaves standing behind the snapshots, for whoever wants to look back: what either of the two asks for. */
export interface Retention {
  /** As many entries behind the older snapshot, its own not counted. */
  entries: number;
  /** Entries that were appended within this much time. */
  ageMs: number;
}

/** How a position relates to the history in a journal. */
export type PositionStatus =
  /** The journal holds this very entry, and what follows on it. */
  | { readonly kind: 'held' }
  /** The entry lies before the oldest that the journal still holds, so nothing can be said of its hash. */
  | { readonly kind: 'cut' }
  /** The journal ends before it, or holds another entry in its place. */
  | { readonly kind: 'lost'; readonly last: JournalPosition };

export interface Journal {
  /**
   * Stores one entry behind `previous`, which must be the last one; resolves with its position when it is durable.
   * @throws Fenced when another owner has appended behind `previous`.
   * @throws HistoryLost when the journal does not hold `previous`.
   * @throws AppendUncertain when the outcome is unknown.
   */
  append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition>;

  /**
   * The entries after `after`, in order and without gaps. Their hashes are checked. An entry that a process from before the chain
   * stored has none: the chain starts again with it.
   * @throws HistoryLost when the journal does not hold `after`.
   * @throws JournalDamaged when an entry is missing or is not the one that was appended.
   */
  read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry>;

  /** Whether the journal's history contains a position. Rejects when what it could ask may be behind. */
  statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus>;

  /**
   * Stores the state at `position` in parts. Visible only once it is whole; a writer that dies leaves nothing usable.
   * Storing the same `seq` again replaces it.
   */
  writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void>;

  /**
   * The newest whole snapshot. `beforeSeq` asks for an older one, when the newest turns out to be unreadable. Whether it belongs to
   * the history in the journal shows when that is read behind it.
   * @throws JournalDamaged, from the parts, when one is missing.
   */
  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined>;

  /**
   * Drops what recovery no longer needs: snapshots but the newest two, and the oldest entries, up to the first that `retain` keeps or
   * to that of the older of those snapshots, which stays: the newest entries are never cut, so an append finds the one before it.
   * Entries that metering has not folded yet (which leaves their meter block) stay, however old. Returns the number of entries dropped.
   */
  cut(clusterId: string, retain: Retention): Promise<number>;
}
