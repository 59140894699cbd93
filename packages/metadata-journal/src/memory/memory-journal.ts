// A journal in memory, for tests and simulation. It fulfils the same contract as the one in PostgreSQL.

import { checkEntry } from '../check-entry.ts';
import { Fenced, HistoryLost } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry, PositionStatus, Retention, Snapshot } from '../journal.ts';
import { isSamePosition, JOURNAL_START, type JournalPosition, positionAfter } from '../position.ts';

interface StoredEntry {
  readonly seq: number;
  bytes: Uint8Array;
  /** Null if it was stored by a process from before the hash chain. */
  readonly hash: Uint8Array;
  /** New entries have age 0; only `age` makes them older, because a simulation has no clock. */
  ageMs: number;
}

interface StoredSnapshot {
  position: JournalPosition;
  parts: readonly Uint8Array[];
}

interface StoredCluster {
  entries: StoredEntry[];
  snapshots: StoredSnapshot[];
  foldedThroughSeq: number;
}

export class MemoryJournal implements Journal {
  readonly #clusters = new Map<string, StoredCluster>();

  async append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    const { clusterId } = cluster;
    const last = this.#last(clusterId);
    if (!isSamePosition(last, previous)) {
      const status = this.#statusOf(clusterId, previous);
      if (status.kind === 'lost') {
        throw new HistoryLost(clusterId, previous, status.last);
      }
      throw new Fenced(clusterId, previous.seq + 1);
    }
    const position = positionAfter(previous, bytes);
    this.#stored(clusterId).entries.push({ ...position, bytes: Uint8Array.from(bytes), ageMs: 0 });
    return position;
  }

  async *read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry> {
    const status = this.#statusOf(clusterId, after);
    if (status.kind === 'lost') {
      throw new HistoryLost(clusterId, after, status.last);
    }
    let position = after;
    for (const { seq, bytes, hash } of [...this.#stored(clusterId).entries]) {
      if (seq <= after.seq) {
        continue;
      }
      position = checkEntry(clusterId, position, { seq, bytes, hash });
      yield { ...position, bytes };
    }
  }

  async statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus> {
    return this.#statusOf(clusterId, position);
  }

  async writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const whole: Uint8Array[] = [];
    for await (const part of parts) {
      whole.push(Uint8Array.from(part));
    }
    const stored = this.#stored(clusterId);
    stored.snapshots = stored.snapshots.filter((snapshot) => snapshot.position.seq !== position.seq);
    stored.snapshots.push({ position, parts: whole });
    stored.snapshots.sort((a, b) => b.position.seq - a.position.seq);
  }

  async readSnapshot(clusterId: string, beforeSeq = Number.MAX_SAFE_INTEGER): Promise<Snapshot | undefined> {
    const found = this.#stored(clusterId).snapshots.find(({ position }) => position.seq < beforeSeq);
    return found === undefined ? undefined : { position: found.position, parts: oneByOne(found.parts) };
  }

  async cut(clusterId: string, retain: Retention): Promise<number> {
    const stored = this.#stored(clusterId);
    stored.snapshots = stored.snapshots.slice(0, 2);
    const previous = stored.snapshots[1];
    if (previous === undefined) {
      return 0;
    }
    const oldestYoung = stored.entries.find((entry) => entry.ageMs < retain.ageMs)?.seq ?? Number.POSITIVE_INFINITY;
    const throughSeq = Math.min(previous.position.seq - 1 - retain.entries, stored.foldedThroughSeq, oldestYoung - 1);
    const kept = stored.entries.filter((entry) => entry.seq > throughSeq);
    const dropped = stored.entries.length - kept.length;
    stored.entries = kept;
    return dropped;
  }

  /** Records that metering has folded the entries up to this one, as its checkpoint row does in PostgreSQL. */
  markFolded(clusterId: string, throughSeq: number): void {
    this.#stored(clusterId).foldedThroughSeq = throughSeq;
  }

  /** Makes the entries up to this one older. */
  age(clusterId: string, throughSeq: number, byMs: number): void {
    for (const entry of this.#stored(clusterId).entries) {
      if (entry.seq <= throughSeq) {
        entry.ageMs += byMs;
      }
    }
  }

  /**
   * Removes everything after entry `afterSeq`, as a failover to a lagging replica does. Removes snapshots of it too, unless they are kept.
   */
  loseTail(clusterId: string, afterSeq: number, options: { keepSnapshots?: boolean } = {}): void {
    const stored = this.#stored(clusterId);
    stored.entries = stored.entries.filter((entry) => entry.seq <= afterSeq);
    const older = stored.snapshots.filter(({ position }) => position.seq <= afterSeq);
    // A replica whose journal was cut has the snapshot for which it was cut.
    const firstSeq = stored.entries[0]?.seq ?? afterSeq + 1;
    const isReadable = firstSeq === 1 || older.some(({ position }) => position.seq >= firstSeq - 1);
    if (options.keepSnapshots !== true && isReadable) {
      stored.snapshots = older;
    }
  }

  /** Saves what it holds of a cluster. Returns a function that restores it, like restoring the former primary. */
  keepTail(clusterId: string): () => void {
    const { entries, snapshots } = this.#stored(clusterId);
    const kept = { entries: [...entries], snapshots: [...snapshots] };
    return () => {
      Object.assign(this.#stored(clusterId), kept);
    };
  }

  /** Removes one entry, as only damage does. */
  loseEntry(clusterId: string, seq: number): void {
    const stored = this.#stored(clusterId);
    stored.entries = stored.entries.filter((entry) => entry.seq !== seq);
  }

  /** Changes an entry's bytes, as only damage does. */
  changeEntry(clusterId: string, seq: number, bytes: Uint8Array): void {
    for (const entry of this.#stored(clusterId).entries) {
      if (entry.seq === seq) {
        entry.bytes = bytes;
      }
    }
  }

  #statusOf(clusterId: string, position: JournalPosition): PositionStatus {
    const { entries } = this.#stored(clusterId);
    const held = entries.find((entry) => entry.seq === position.seq);
    if (held !== undefined) {
      return isSamePosition(positionOf(held), position)
        ? { kind: 'held' }
        : { kind: 'lost', last: this.#last(clusterId) };
    }
    const [oldest] = entries;
    if (position.seq === 0) {
      return oldest === undefined || oldest.seq === 1 ? { kind: 'held' } : { kind: 'cut' };
    }
    return oldest !== undefined && position.seq < oldest.seq
      ? { kind: 'cut' }
      : { kind: 'lost', last: this.#last(clusterId) };
  }

  #last(clusterId: string): JournalPosition {
    const last = this.#stored(clusterId).entries.at(-1);
    return last === undefined ? JOURNAL_START : positionOf(last);
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

function positionOf({ seq, hash }: StoredEntry): JournalPosition {
  return { seq, hash };
}

async function* oneByOne(parts: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}
