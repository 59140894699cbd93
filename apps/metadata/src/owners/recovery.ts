// Builds the state of a virtual cluster from its newest snapshot and the journal behind it, and closes the journal to every
// earlier owner.
import { type ClusterState, createState, decodeSnapshot, encodeEntry, replayEntry } from '@penstock/metadata-core';
import { type ClusterIdentity, Fenced, type Journal } from '@penstock/metadata-journal';
import type { Clock } from './clock.ts';

/** An earlier owner can slip in one append per attempt at most, and only while it still lives. */
const MAX_OPENING_ATTEMPTS = 20;
/** Entries that are applied before others get a turn. */
const ENTRIES_PER_TURN = 8;

export interface Recovered {
  state: ClusterState;
  /** The entry that this opening appended: the last one of the journal. */
  lastSeq: number;
  /** The time of the last entry: a new one is never earlier. */
  lastCommandMs: number;
  /** Journal behind the snapshot. */
  replayedEntries: number;
  replayedBytes: number;
}

/**
 * @param onSnapshotUnreadable a snapshot could not be decoded; the one before it, or the whole journal, is used instead
 * @throws JournalDamaged when neither leads to a gapless history; CorruptDataError when the replay differs from what was metered
 */
export async function recover(
  journal: Journal,
  cluster: ClusterIdentity,
  clock: Pick<Clock, 'nowMs' | 'soon'>,
  onSnapshotUnreadable: (seq: number, error: unknown) => void,
): Promise<Recovered> {
  const recovered = await loadSnapshot(journal, cluster.clusterId, onSnapshotUnreadable);
  for (let attempt = 1; ; attempt += 1) {
    await replay(journal, cluster.clusterId, clock, recovered);
    try {
      // An entry without commands: it changes nothing, but from here on the append of any earlier owner collides.
      const nowMs = Math.max(clock.nowMs(), recovered.lastCommandMs);
      await journal.append(cluster, recovered.lastSeq + 1, encodeEntry({ nowMs, commands: [] }));
      recovered.lastSeq += 1;
      recovered.lastCommandMs = nowMs;
      return recovered;
    } catch (error) {
      // An append of an earlier owner that was still on its way came first: it counts.
      if (!(error instanceof Fenced) || attempt === MAX_OPENING_ATTEMPTS) throw error;
    }
  }
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
    if (snapshot === undefined) return { state: createState(clusterId), lastSeq: 0, ...nothingReplayed };
    try {
      return { state: decodeSnapshot(snapshot.bytes), lastSeq: snapshot.seq, ...nothingReplayed };
    } catch (error) {
      onSnapshotUnreadable(snapshot.seq, error);
      beforeSeq = snapshot.seq;
    }
  }
}

async function replay(
  journal: Journal,
  clusterId: string,
  clock: Pick<Clock, 'soon'>,
  recovered: Recovered,
): Promise<void> {
  for await (const entry of journal.read(clusterId, recovered.lastSeq)) {
    recovered.lastCommandMs = replayEntry(recovered.state, entry.bytes);
    recovered.lastSeq = entry.seq;
    recovered.replayedEntries += 1;
    recovered.replayedBytes += entry.bytes.length;
    if (recovered.replayedEntries % ENTRIES_PER_TURN === 0) await new Promise<void>((resolve) => clock.soon(resolve));
  }
}
