// What one journal entry adds to the meter. The entry itself says what was accepted, because the owner writes that in the
// same append as the commands. So no cluster state is needed to distinguish refused batches and duplicates from accepted
// ones.
import { type ClientChanges, decodeEntryHead, type EntryMeter } from '@penstock/metadata-core';

export interface MeterReading extends EntryMeter {
  /** Server time of the entry, milliseconds since the Unix epoch. It decides the hour. */
  atMs: number;
  /** Changes made by Kafka clients, for the audit log. */
  changes: readonly ClientChanges[];
}

/** @throws CorruptDataError (of metadata-core) if the entry cannot be read: nothing may be folded past it */
export function readEntry(entry: Uint8Array): MeterReading {
  const { nowMs, meter, changes } = decodeEntryHead(entry);
  return { atMs: nowMs, ...meter, changes };
}
