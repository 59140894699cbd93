// Loads the state of a virtual cluster from storage: the newest usable snapshot, and the journal after it.
import {
  type ClusterState,
  type Command,
  createState,
  decodeEntry,
  InvariantError,
  OLDEST_RULES,
  ReplayedCommandBroke,
  replayEntry,
  SnapshotReader,
  stateChecks,
} from '@penstock/metadata-core';
import {
  type ClusterFault,
  JOURNAL_START,
  type Journal,
  JournalDamaged,
  type JournalPosition,
  type Snapshot,
} from '@penstock/metadata-journal';
import { hashOf } from './quarantine.ts';

export interface LoadedState {
  state: ClusterState;
  /** The position of the last replayed entry. */
  position: JournalPosition;
  /** That entry; undefined when none was replayed. */
  lastEntry: Uint8Array | undefined;
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
  /** The checks of the loaded state, in steps; for tests. Absent: all invariants. */
  checks?: ((state: ClusterState) => Iterable<void>) | undefined;
}

/** An invariant of the state is broken, by this release: in a replayed command, or in the state that they led to. */
export class StateBroken extends Error {
  override readonly name = 'StateBroken';
  readonly fault: ClusterFault;

  constructor(position: JournalPosition, command: Command | undefined, cause: InvariantError) {
    super(`${cause.message}, at entry ${position.seq} of the journal`, { cause });
    this.fault = {
      position,
      command: command?.kind ?? '',
      sha256: command === undefined ? '' : hashOf(command),
      message: cause.message,
    };
  }
}

/**
 * Loads a cluster's state.
 * @throws HistoryLost when a snapshot is at an entry that the journal does not hold: durable entries are lost, and an older snapshot would
 *   only hide that
 * @throws JournalDamaged, CorruptDataError, StateBroken when no snapshot leads to a gapless history and a sound state: the error of the
 *   newest snapshot
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
 * @throws HistoryLost, JournalDamaged, CorruptDataError, StateBroken
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
    const loaded: LoadedState = {
      state,
      position,
      lastEntry: undefined,
      lastCommandMs: 0,
      replayedEntries: 0,
      replayedBytes: 0,
    };
    await replayBehind(journal, clusterId, loaded, options);
    await check(loaded, options);
    return loaded;
  } catch (error) {
    // Other errors mean that the database is unreachable, or that the state is no longer wanted.
    throw error instanceof JournalDamaged ? new Unusable(error.message, { cause: error }) : error;
  }
}

/** Steps of the check between two pauses. */
const STEPS_AT_ONCE = 16;

/** Checks all invariants of the loaded state. Names the last command that led to it. */
async function check(
  { state, position, lastEntry }: LoadedState,
  { pause, checks = stateChecks }: LoadOptions,
): Promise<void> {
  const steps = checks(state)[Symbol.iterator]();
  for (let isDone: boolean | undefined = false; isDone !== true; ) {
    try {
      for (let step = 0; step < STEPS_AT_ONCE && isDone !== true; step += 1) {
        isDone = steps.next().done;
      }
    } catch (cause) {
      if (!(cause instanceof InvariantError)) {
        throw cause;
      }
      const command = lastEntry === undefined ? undefined : decodeEntry(lastEntry).commands.at(-1);
      throw new Unusable('the loaded state is broken', { cause: new StateBroken(position, command, cause) });
    }
    if (isDone !== true) {
      await pause?.();
    }
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
    loaded.lastCommandMs = ofData(() => {
      try {
        return replayEntry(loaded.state, bytes);
      } catch (error) {
        throw error instanceof ReplayedCommandBroke ? new StateBroken({ seq, hash }, error.command, error) : error;
      }
    });
    loaded.position = { seq, hash };
    loaded.lastEntry = bytes;
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
