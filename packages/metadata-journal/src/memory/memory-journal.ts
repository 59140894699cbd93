// A journal in memory, for tests and simulation. It obeys the same contract as the one in PostgreSQL.
import { Fenced, JournalDamaged } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry, Retention, Snapshot } from '../journal.ts';

interface StoredEntry extends JournalEntry {
  /** New ones are of age 0, and grow old by `age` alone: a simulation has no clock. */
  ageMs: number;
}

interface StoredCluster {
  entries: StoredEntry[];
  snapshots: Snapshot[];
  foldedThroughSeq: number;
}

export class MemoryJournal implements Journal {
  readonly #clusters = new Map<string, StoredCluster>();

  async append(cluster: ClusterIdentity, seq: number, bytes: Uint8Array): Promise<void> {
    const { entries, snapshots } = this.#stored(cluster.clusterId);
    const lastSeq = Math.max(entries.at(-1)?.seq ?? 0, snapshots[0]?.seq ?? 0);
    if (seq <= lastSeq) throw new Fenced(cluster.clusterId, seq);
    entries.push({ seq, bytes: Uint8Array.from(bytes), ageMs: 0 });
  }

  async *read(clusterId: string, afterSeq: number): AsyncIterable<JournalEntry> {
    let expectedSeq = afterSeq + 1;
    for (const entry of [...this.#stored(clusterId).entries]) {
      if (entry.seq <= afterSeq) continue;
      if (entry.seq !== expectedSeq) throw new JournalDamaged(clusterId, `entry ${expectedSeq} is missing`);
      expectedSeq += 1;
      yield entry;
    }
  }

  async writeSnapshot(clusterId: string, seq: number, parts: Iterable<Uint8Array>): Promise<void> {
    const whole = Buffer.concat([...parts]);
    const stored = this.#stored(clusterId);
    stored.snapshots = stored.snapshots.filter((snapshot) => snapshot.seq !== seq);
    stored.snapshots.push({ seq, bytes: whole });
    stored.snapshots.sort((a, b) => b.seq - a.seq);
  }

  async readSnapshot(clusterId: string, beforeSeq = Number.MAX_SAFE_INTEGER): Promise<Snapshot | undefined> {
    return this.#stored(clusterId).snapshots.find((snapshot) => snapshot.seq < beforeSeq);
  }

  async cut(clusterId: string, retain: Retention): Promise<number> {
    const stored = this.#stored(clusterId);
    stored.snapshots = stored.snapshots.slice(0, 2);
    const previous = stored.snapshots[1];
    if (previous === undefined) return 0;
    const oldestYoung = stored.entries.find((entry) => entry.ageMs < retain.ageMs)?.seq ?? Number.POSITIVE_INFINITY;
    const throughSeq = Math.min(previous.seq - retain.entries, stored.foldedThroughSeq, oldestYoung - 1);
    const kept = stored.entries.filter((entry) => entry.seq > throughSeq);
    const dropped = stored.entries.length - kept.length;
    stored.entries = kept;
    return dropped;
  }

  /** Says that metering has folded the entries up to this one, as its checkpoint row does in PostgreSQL. */
  markFolded(clusterId: string, throughSeq: number): void {
    this.#stored(clusterId).foldedThroughSeq = throughSeq;
  }

  /** Makes the entries up to this one older. */
  age(clusterId: string, throughSeq: number, byMs: number): void {
    for (const entry of this.#stored(clusterId).entries) if (entry.seq <= throughSeq) entry.ageMs += byMs;
  }

  #stored(clusterId: string): StoredCluster {
    let stored = this.#clusters.get(clusterId);
    if (stored === undefined) {
      stored = { entries: [], snapshots: [], foldedThroughSeq: 0 };
      this.#clusters.set(clusterId, stored);
    }
    return stored;
  }
}
