// Makes the next snapshot of a virtual cluster from its last one and the journal behind it: not from the owner's memory, so
// that it can run beside the owner, in a thread of its own, and never holds a commit up.
import { encodeSnapshot } from '@penstock/metadata-core';
import type { Journal } from '@penstock/metadata-journal';
import { loadState } from './load-state.ts';

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
 * It builds on the newest snapshot that can be used, so a damaged one is soon replaced.
 * @param journalKeptMs for so long entries stay, even where no recovery needs them
 */
export async function takeSnapshot(
  journal: Journal,
  clusterId: string,
  throughSeq: number,
  journalKeptMs = 0,
  onSnapshotUnreadable: (seq: number, error: unknown) => void = () => undefined,
): Promise<SnapshotFacts> {
  const { state, position } = await loadState(journal, clusterId, { throughSeq, onSnapshotUnreadable });
  const bytes = encodeSnapshot(state);
  await journal.writeSnapshot(clusterId, position, inParts(bytes));
  const cutEntries = await journal.cut(clusterId, { entries: RETAIN_ENTRIES, ageMs: journalKeptMs });
  return { seq: position.seq, bytes: bytes.length, cutEntries };
}

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
