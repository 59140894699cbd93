// The meter's view of a journal entry. What was accepted stands in the entry itself, written by the owner in the same append
// as the commands: no state of the cluster is needed to tell refused batches and duplicates from accepted ones.
import { decodeEntryMeter } from '@penstock/metadata-core';
import type { MeterReading } from './meter-reading.ts';

/** @throws CorruptDataError (of metadata-core) when the entry cannot be read: nothing may be folded past it */
export function readEntry(entry: Uint8Array): MeterReading {
  const { nowMs, meter } = decodeEntryMeter(entry);
  return { atMs: nowMs, ...meter };
}
