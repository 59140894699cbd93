// Stores a captured state while the owner continues, and cuts the journal behind it.
import type { SnapshotCapture } from '@penstock/metadata-core';
import type { Journal, JournalPosition } from '@penstock/metadata-journal';
import type { Clock } from './clock.ts';

/** Entries to keep before the older snapshot, for investigations. */
export const RETAIN_ENTRIES = 10_000;

export interface SnapshotFacts {
  seq: number;
  bytes: number;
  cutEntries: number;
}

export interface WriteSnapshotOptions {
  clock: Pick<Clock, 'soon'>;
  /** How long to keep journal entries that recovery no longer needs, in milliseconds. */
  journalKeptMs: number;
  /** Throws when the snapshot is no longer wanted. Called before each part. */
  requireWanted: () => void;
}

/**
 * Stores the state captured after the entry at `position`, one part at a time. Commands run between two parts, so the owner is blocked for
 * a few milliseconds at most. Then removes the journal that recovery no longer needs.
 * @throws what the journal throws; the snapshot is then not used
 */
export async function writeSnapshot(
  journal: Journal,
  clusterId: string,
  position: JournalPosition,
  capture: SnapshotCapture,
  { clock, journalKeptMs, requireWanted }: WriteSnapshotOptions,
): Promise<SnapshotFacts> {
  let bytes = 0;
  async function* parts(): AsyncIterable<Uint8Array> {
    for (;;) {
      requireWanted();
      const part = capture.nextPart();
      if (part === undefined) {
        return;
      }
      bytes += part.length;
      yield part;
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
  }
  await journal.writeSnapshot(clusterId, position, parts());
  const cutEntries = await journal.cut(clusterId, { entries: RETAIN_ENTRIES, ageMs: journalKeptMs });
  return { seq: position.seq, bytes, cutEntries };
}
