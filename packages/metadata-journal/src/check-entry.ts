// The checks that every implementation makes on an entry that it reads.
import { JournalDamaged } from './errors.ts';
import { isSamePosition, type JournalPosition, positionAfter, positionOfUnchained } from './position.ts';

export interface UncheckedEntry {
  seq: number;
  bytes: Uint8Array;
  /** Null if it was stored by a process from before the hash chain. */
  hash: Uint8Array | null;
}

/**
 * The position of the entry that must be the next one after `previous`.
 * @throws JournalDamaged when it is a different entry, or not the one that was appended there
 */
export function checkEntry(clusterId: string, previous: JournalPosition, entry: UncheckedEntry): JournalPosition {
  const { seq, bytes, hash } = entry;
  if (seq !== previous.seq + 1) {
    throw new JournalDamaged(clusterId, `entry ${previous.seq + 1} is missing`);
  }
  if (hash === null) {
    return positionOfUnchained(seq, bytes);
  }
  const position = positionAfter(previous, bytes);
  if (!isSamePosition(position, { seq, hash })) {
    throw new JournalDamaged(clusterId, `entry ${seq} does not match its hash: it, or one before it, was changed`);
  }
  return position;
}
