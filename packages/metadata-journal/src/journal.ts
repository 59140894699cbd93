// The durable, ordered list of entries of each virtual cluster. It stores bytes and knows nothing of what they mean.

export interface JournalEntry {
  /** 1 for the first entry of a cluster, then without gaps. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface Snapshot {
  /** The state after this entry. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** The cluster that an entry belongs to, and its tenant. */
export interface ClusterIdentity {
  readonly clusterId: string;
  readonly organizationId: string;
}

/** What a cut leaves standing behind the snapshots, for whoever wants to look back: what either of the two asks for. */
export interface Retention {
  /** As many entries behind the older snapshot. */
  entries: number;
  /** Entries that were appended within this much time. */
  ageMs: number;
}

export interface Journal {
  /**
   * Stores one entry; resolves when it is durable.
   * @throws Fenced when an entry with this `seq` exists: another owner has taken over.
   * @throws AppendUncertain when the outcome is unknown.
   */
  append(cluster: ClusterIdentity, seq: number, bytes: Uint8Array): Promise<void>;

  /**
   * The entries after `afterSeq`, in order and without gaps.
   * @throws JournalDamaged when an entry is missing between two others, or when the first one is not `afterSeq + 1`.
   */
  read(clusterId: string, afterSeq: number): AsyncIterable<JournalEntry>;

  /**
   * Stores the state after entry `seq` in parts. Visible only once it is whole; a writer that dies leaves nothing usable.
   * Storing the same `seq` again replaces it.
   */
  writeSnapshot(clusterId: string, seq: number, parts: Iterable<Uint8Array>): Promise<void>;

  /** The newest whole snapshot. `beforeSeq` asks for an older one, when the newest turns out to be unreadable. */
  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined>;

  /**
   * Drops what recovery no longer needs: snapshots but the newest two, and the oldest entries, up to the first that `retain` keeps or
   * that lies behind the older of those snapshots. Entries that metering has not folded yet (which leaves their meter block) stay,
   * however old. Returns the number of entries dropped.
   */
  cut(clusterId: string, retain: Retention): Promise<number>;
}
