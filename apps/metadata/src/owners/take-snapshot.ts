// Makes the next snapshot of a virtual cluster from its last one and the journal behind it: not from the owner's memory, so
// that it can run beside the owner, in a thread of its own, and never holds a commit up.
import { createState, decodeSnapshot, encodeSnapshot, replayEntry } from '@penstock/metadata-core';
import { JOURNAL_START, type Journal, type JournalPosition, joinParts } from '@penstock/metadata-journal';

/** Entries that are kept behind the older snapshot, for whoever wants to look back. */
const RETAIN_ENTRIES = 10_000;
const PART_BYTES = 4 * 1024 * 1024;

export interface SnapshotFacts {
  seq: number;
  bytes: number;
  cutEntries: number;
}

/**
 * Writes the state after entry `throughSeq`, which must be durable, and cuts the journal far behind it.
 * @param journalKeptMs for so long entries stay, even where no recovery needs them
 */
export async function takeSnapshot(
  journal: Journal,
  clusterId: string,
  throughSeq: number,
  journalKeptMs = 0,
): Promise<SnapshotFacts> {
  const last = await journal.readSnapshot(clusterId);
  const state = last === undefined ? createState(clusterId) : decodeSnapshot(await joinParts(last.parts));
  let position: JournalPosition = last?.position ?? JOURNAL_START;
  for await (const { seq, hash, bytes } of journal.read(clusterId, position)) {
    replayEntry(state, bytes);
    position = { seq, hash };
    if (seq >= throughSeq) break;
  }
  const bytes = encodeSnapshot(state);
  await journal.writeSnapshot(clusterId, position, inParts(bytes));
  const cutEntries = await journal.cut(clusterId, { entries: RETAIN_ENTRIES, ageMs: journalKeptMs });
  return { seq: position.seq, bytes: bytes.length, cutEntries };
}

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
