// Reads the metered figures of a journal entry. The entry itself says what was accepted, because the owner writes that
// in the same append as the commands. So no cluster state is needed to distinguish refused batches and duplicates from
// accepted ones.
import { decodeEntryMeter } from '@penstock/metadata-core';
import type { MeterReading } from './meter-reading.ts';

/** @throws CorruptDataError (of metadata-core) if the entry cannot be read: nothing may be folded past it */
export function readEntry(entry: Uint8Array): MeterReading {
  const { nowMs, meter } = decodeEntryMeter(entry);
  return { atMs: nowMs, ...meter };
}
