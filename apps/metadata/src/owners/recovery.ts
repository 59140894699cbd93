// Builds the state of a virtual cluster from its newest snapshot and the journal behind it, and closes the journal to every
// earlier owner.
import {
  apply,
  type ClusterState,
  createState,
  decodeSnapshot,
  encodeEntry,
  replayEntry,
} from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  Fenced,
  JOURNAL_START,
  type Journal,
  type JournalPosition,
  joinParts,
} from '@penstock/metadata-journal';
import type { Clock } from './clock.ts';
import { clockCommands } from './clock-steps.ts';

/** An earlier owner can slip in one append per attempt at most, and only while it still lives. */
const MAX_OPENING_ATTEMPTS = 20;
/** Entries that are applied before others get a turn. */
const ENTRIES_PER_TURN = 8;
const MINUTE_MS = 60_000;

export interface Recovered {
  state: ClusterState;
  /** Of the entry that this opening appended: the last one of the journal. */
  position: JournalPosition;
  /** The time of the last entry. */
  lastCommandMs: number;
  /** Journal behind the snapshot. */
  replayedEntries: number;
  replayedBytes: number;
}

export interface RecoveryOptions {
  /** A snapshot could not be decoded; the one before it, or the whole journal, is used instead. */
  onSnapshotUnreadable: (seq: number, error: unknown) => void;
  /** Throws when the opening is no longer wanted: asked at each step. */
  requireWanted?: () => void;
}

/**
 * @throws HistoryLost when a snapshot stands at an entry that the journal does not hold: what was durable is gone
 * @throws JournalDamaged when neither leads to a gapless history; CorruptDataError when the replay differs from what was metered
 */
export async function recover(
  journal: Journal,
  cluster: ClusterIdentity,
  clock: Pick<Clock, 'nowMs'>,
  options: RecoveryOptions,
): Promise<Recovered> {
  const { onSnapshotUnreadable, requireWanted = () => undefined } = options;
  const recovered = await loadSnapshot(journal, cluster.clusterId, onSnapshotUnreadable);
  for (let attempt = 1; ; attempt += 1) {
    requireWanted();
    await replay(journal, cluster.clusterId, recovered, requireWanted);
    requireWanted();
    try {
      // From here on the append of any earlier owner collides. The entry changes nothing, but where a clock was ahead.
      const nowMs = clock.nowMs();
      const commands = clockCommands(latestMs(recovered), nowMs);
      recovered.position = await journal.append(cluster, recovered.position, encodeEntry({ nowMs, commands }));
      for (const command of commands) apply(recovered.state, command, nowMs);
      recovered.lastCommandMs = nowMs;
      return recovered;
    } catch (error) {
      // An append of an earlier owner that was still on its way came first: it counts.
      if (!(error instanceof Fenced) || attempt === MAX_OPENING_ATTEMPTS) throw error;
    }
  }
}

/** The latest time in the history, as far as it is at hand: an agent's life leaves a mark each minute. */
function latestMs({ state, lastCommandMs }: Recovered): number {
  return Math.max(lastCommandMs, state.lastMarkedMinute * MINUTE_MS);
}

async function loadSnapshot(
  journal: Journal,
  clusterId: string,
  onSnapshotUnreadable: (seq: number, error: unknown) => void,
): Promise<Recovered> {
  let beforeSeq: number | undefined;
  for (;;) {
    const snapshot = await journal.readSnapshot(clusterId, beforeSeq);
    const nothingReplayed = { lastCommandMs: 0, replayedEntries: 0, replayedBytes: 0 };
    if (snapshot === undefined) return { state: createState(clusterId), position: JOURNAL_START, ...nothingReplayed };
    try {
      const state = decodeSnapshot(await joinParts(snapshot.parts));
      return { state, position: snapshot.position, ...nothingReplayed };
    } catch (error) {
      onSnapshotUnreadable(snapshot.position.seq, error);
      beforeSeq = snapshot.position.seq;
    }
  }
}

async function replay(
  journal: Journal,
  clusterId: string,
  recovered: Recovered,
  requireWanted: () => void,
): Promise<void> {
  for await (const { seq, hash, bytes } of journal.read(clusterId, recovered.position)) {
    recovered.lastCommandMs = replayEntry(recovered.state, bytes);
    recovered.position = { seq, hash };
    recovered.replayedEntries += 1;
    recovered.replayedBytes += bytes.length;
    if (recovered.replayedEntries % ENTRIES_PER_TURN === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      requireWanted();
    }
  }
}
