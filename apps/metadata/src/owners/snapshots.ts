// Writes the state down now and then, so that recovery stays short, and lets go of the journal far behind.
import { type ClusterState, encodeSnapshot } from '@penstock/metadata-core';
import type { Journal } from '@penstock/metadata-journal';

/** A snapshot is due after this much journal, or as many entries: recovery replays it within a second or so. */
const SNAPSHOT_AFTER_BYTES = 64 * 1024 * 1024;
const SNAPSHOT_AFTER_ENTRIES = 20_000;
/** Entries that are kept behind the older snapshot, for whoever wants to look back. */
const RETAIN_ENTRIES = 10_000;
const PART_BYTES = 4 * 1024 * 1024;

export interface SnapshotsOptions {
  journal: Journal;
  clusterId: string;
  onWritten: (facts: { seq: number; bytes: number; encodeMs: number; cutEntries: number }) => void;
  onFailed: (error: unknown) => void;
  monotonicMs: () => number;
}

interface SealedState {
  seq: number;
  bytes: Uint8Array;
  encodeMs: number;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #entries: number;
  #bytes: number;
  #isWriting = false;
  #sealed: SealedState | undefined;

  /** @param behind the journal that recovery had to replay: it counts towards the first snapshot. */
  constructor(options: SnapshotsOptions, behind: { entries: number; bytes: number }) {
    this.#options = options;
    this.#entries = behind.entries;
    this.#bytes = behind.bytes;
  }

  /**
   * To be called when a batch is sealed: the state is exactly that after entry `seq`. Encodes it when a snapshot is due, and
   * keeps it until the entry is durable.
   */
  seal(state: ClusterState, seq: number): void {
    if (this.#isWriting || (this.#entries < SNAPSHOT_AFTER_ENTRIES && this.#bytes < SNAPSHOT_AFTER_BYTES)) return;
    const startedMs = this.#options.monotonicMs();
    const bytes = encodeSnapshot(state);
    this.#sealed = { seq, bytes, encodeMs: this.#options.monotonicMs() - startedMs };
    this.#isWriting = true;
    this.#entries = 0;
    this.#bytes = 0;
  }

  /** The sealed entry became durable: its snapshot, if there is one, is written in the background. */
  durable(entryBytes: number): void {
    this.#entries += 1;
    this.#bytes += entryBytes;
    const sealed = this.#sealed;
    if (sealed === undefined) return;
    this.#sealed = undefined;
    this.#store(sealed)
      .catch(this.#options.onFailed)
      .finally(() => {
        this.#isWriting = false;
      });
  }

  async #store({ seq, bytes, encodeMs }: SealedState): Promise<void> {
    const { journal, clusterId, onWritten } = this.#options;
    await journal.writeSnapshot(clusterId, seq, inParts(bytes));
    const cutEntries = await journal.cut(clusterId, RETAIN_ENTRIES);
    onWritten({ seq, bytes: bytes.length, encodeMs, cutEntries });
  }
}

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
