// Decides when a snapshot is due, so that recovery stays short, and takes it in the background, one at a time.
import type { SnapshotFacts } from './write-snapshot.ts';

/**
 * A snapshot is due after this much journal. Replaying it takes some five seconds when every batch has a different producer
 * (`npm run bench -- longevity`).
 */
export const SNAPSHOT_AFTER_BYTES = 32 * 1024 * 1024;
/** A snapshot is also due after this many entries, however small. */
const SNAPSHOT_AFTER_ENTRIES = 50_000;
/**
 * A large state is written less often, so that snapshots write at most three times as many bytes as the journal. Recovery then replays up
 * to this share of a snapshot's bytes, at 5 to 8 MiB/s.
 */
export const SNAPSHOT_SHARE_OF_JOURNAL = 1 / 3;

export interface SnapshotsOptions {
  /** Stores the state after this durable entry. */
  take: (throughSeq: number) => Promise<SnapshotFacts>;
  onWritten: (facts: SnapshotFacts) => void;
  onFailed: (error: unknown) => void;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #entries: number;
  #bytes: number;
  #lastSnapshotBytes = 0;
  #isTaking = false;

  /** @param behind the journal that recovery had to replay; it counts towards the first snapshot */
  constructor(options: SnapshotsOptions, behind: { entries: number; bytes: number }) {
    this.#options = options;
    this.#entries = behind.entries;
    this.#bytes = behind.bytes;
  }

  /** Call when entry `seq` becomes durable. A failed snapshot is reported, and retried after as much journal again. */
  count(seq: number, entryBytes: number): void {
    this.#entries += 1;
    this.#bytes += entryBytes;
    if (!this.#isTaking && this.#isDue()) {
      this.take(seq);
    }
  }

  /** Takes one through entry `seq`, due or not. */
  take(seq: number): void {
    this.#isTaking = true;
    this.#entries = 0;
    this.#bytes = 0;
    this.#options
      .take(seq)
      .then((facts) => {
        this.#lastSnapshotBytes = facts.bytes;
        this.#options.onWritten(facts);
      })
      .catch(this.#options.onFailed)
      .finally(() => {
        this.#isTaking = false;
      });
  }

  #isDue(): boolean {
    if (this.#bytes < this.#lastSnapshotBytes * SNAPSHOT_SHARE_OF_JOURNAL) {
      return false;
    }
    return this.#entries >= SNAPSHOT_AFTER_ENTRIES || this.#bytes >= SNAPSHOT_AFTER_BYTES;
  }
}
