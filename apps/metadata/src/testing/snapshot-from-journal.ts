// Makes a snapshot for tests that have a journal and no owner, from the newest snapshot and the entries after it.
import { encodeSnapshot } from '@penstock/metadata-core';
import type { Journal } from '@penstock/metadata-journal';
import { loadState } from '../owners/load-state.ts';
import { RETAIN_ENTRIES, type SnapshotFacts } from '../owners/write-snapshot.ts';

const PART_BYTES = 4 * 1024 * 1024;

/** Stores the state after entry `throughSeq`, which must be durable, and cuts the journal as an owner does. */
export async function snapshotFromJournal(
  journal: Journal,
  clusterId: string,
  throughSeq: number,
  journalKeptMs = 0,
): Promise<SnapshotFacts> {
  const onSnapshotUnreadable = (): void => undefined;
  const { state, position } = await loadState(journal, clusterId, { throughSeq, onSnapshotUnreadable });
  const bytes = encodeSnapshot(state);
  await journal.writeSnapshot(clusterId, position, inParts(bytes));
  const cutEntries = await journal.cut(clusterId, { entries: RETAIN_ENTRIES, ageMs: journalKeptMs });
  return { seq: position.seq, bytes: bytes.length, cutEntries };
}

function* inParts(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES);
  }
}
