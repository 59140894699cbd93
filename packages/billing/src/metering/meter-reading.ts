// What one journal entry adds to the meter.
import type { EntryMeter } from '@penstock/metadata-core';

export interface MeterReading extends EntryMeter {
  /** Server time in the entry, milliseconds since the Unix epoch: it decides the hour. */
  atMs: number;
}
