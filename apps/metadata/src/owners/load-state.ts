// Loads the state of a virtual cluster from storage: the newest usable snapshot, and the journal after it.
import { type ClusterState, createState, OLDEST_RULES, replayEntry, SnapshotReader } from '@penstock/metadata-core';
import {
  JOURNAL_START,
  type Journal,
  JournalDamaged,
  type JournalPosition,
  type Snapshot,
} from '@penstock/metadata-journal';

export interface LoadedState {
  state: ClusterState;
  /** The position of the last replayed entry. */
  position: JournalPosition;
  /** The time of that entry; 0 when none was replayed. */
  lastCommandMs: number;
  /** Journal after the snapshot. */
  replayedEntries: number;
  replayedBytes: number;
}

export interface LoadOptions {
  /**
   * A snapshot is unusable: it cannot be decoded, or the journal after it does not connect to it or cannot be replayed on it. The previous
   * snapshot, or the whole journal, is used instead.
   */
  onSnapshotUnreadable: (seq: number, error: unknown) => void;
  /** Awaited after every slice of work. It yields to other work, and throws when the state is no longer wanted. */
  pause?: () => Promise<void>;
  /** Stops after this entry. Absent: loads to the end of the journal. */
  throughSeq?: number;
}

/**
 * Loads a cluster's state.
 * @throws HistoryLost when a snapshot is at an entry that the journal does not hold: durable entries are lost, and an older snapshot would
 *   only hide that
 * @throws JournalDamaged, CorruptDataError when no snapshot leads to a gapless history: the error of the newest snapshot
 */
export async function loadState(journal: Journal, clusterId: string, options: LoadOptions): Promise<LoadedState> {
  let beforeSeq: number | undefined;
  let firstFailure: Unusable | undefined;
  for (;;) {
    const snapshot = await journal.readSnapshot(clusterId, beforeSeq);
    try {
      return await loadBehind(journal, clusterId, snapshot, options);
    } catch (error) {
      if (!(error instanceof Unusable)) {
        throw error;
      }
      firstFailure ??= error;
      if (snapshot === undefined) {
        throw firstFailure.cause;
      }
      beforeSeq = snapshot.position.seq;
      options.onSnapshotUnreadable(beforeSeq, error.cause);
    }
  }
}

/**
 * Replays the journal after `loaded` on it.
 * @throws HistoryLost, JournalDamaged, CorruptDataError
 */
export async function replay(
  journal: Journal,
  clusterId: string,
  loaded: LoadedState,
  options: LoadOptions,
): Promise<void> {
  try {
    await replayBehind(journal, clusterId, loaded, options);
  } catch (error) {
    throw error instanceof Unusable ? error.cause : error;
  }
}

async function loadBehind(
  journal: Journal,
  clusterId: string,
  snapshot: Snapshot | undefined,
  options: LoadOptions,
): Promise<LoadedState> {
  try {
    const state = snapshot === undefined ? createState(clusterId, OLDEST_RULES) : await decode(snapshot, options);
    const position = snapshot?.position ?? JOURNAL_START;
    const loaded: LoadedState = { state, position, lastCommandMs: 0, replayedEntries: 0, replayedBytes: 0 };
    await replayBehind(journal, clusterId, loaded, options);
    return loaded;
  } catch (error) {
    // Other errors mean that the database is unreachable, or that the state is no longer wanted.
    throw error instanceof JournalDamaged ? new Unusable(error.message, { cause: error }) : error;
  }
}

async function decode(snapshot: Snapshot, { pause }: LoadOptions): Promise<ClusterState> {
  const reader = new SnapshotReader();
  for await (const part of snapshot.parts) {
    ofData(() => reader.push(part));
    await pause?.();
  }
  return ofData(() => reader.finish());
}

async function replayBehind(
  journal: Journal,
  clusterId: string,
  loaded: LoadedState,
  { pause, throughSeq = Number.POSITIVE_INFINITY }: LoadOptions,
): Promise<void> {
  if (loaded.position.seq >= throughSeq) {
    return;
  }
  for await (const { seq, hash, bytes } of journal.read(clusterId, loaded.position)) {
    loaded.lastCommandMs = ofData(() => replayEntry(loaded.state, bytes));
    loaded.position = { seq, hash };
    loaded.replayedEntries += 1;
    loaded.replayedBytes += bytes.length;
    if (seq >= throughSeq) {
      return;
    }
    await pause?.();
  }
}

/** The stored data is unusable; `cause` says why. */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Runs work that depends on stored data alone, so anything it throws, broken invariants included, is the data's fault. */
function ofData<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new Unusable('stored data cannot be used', { cause });
  }
}
