// What one journal entry adds to the meter. The entry itself says what was accepted, because the owner writes that in the
// same append as the commands. So no cluster state is needed to distinguish refused batches and duplicates from accepted
// ones.
import { decodeEntryMeter, type EntryMeter } from '@penstock/metadata-core';

export interface MeterReading extends EntryMeter {
  /** Server time of the entry, milliseconds since the Unix epoch. It decides the hour. */
  atMs: number;
}

/** @throws CorruptDataError (of metadata-core) if the entry cannot be read: nothing may be folded past it */
export function readEntry(entry: Uint8Array): MeterReading {
  const { nowMs, meter } = decodeEntryMeter(entry);
  return { atMs: nowMs, ...meter };
}
