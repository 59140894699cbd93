// The checks that every implementation makes on an entry that it reads.
import { JournalDamaged } from './errors.ts';
import { isSamePosition, type JournalPosition, positionAfter } from './position.ts';

export interface UncheckedEntry {
  seq: number;
  bytes: Uint8Array;
  /** Null: the row has none, so nothing appended it. */
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
  const position = positionAfter(previous, bytes);
  if (hash === null || !isSamePosition(position, { seq, hash })) {
    throw new JournalDamaged(clusterId, `entry ${seq} does not match its hash: it, or one before it, was changed`);
  }
  return position;
}
