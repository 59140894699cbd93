// What one journal entry adds to the meter.
import type { EntryMeter } from '@penstock/metadata-core';

export interface MeterReading extends EntryMeter {
  /** Server time of the entry, milliseconds since the Unix epoch. It decides the hour. */
  atMs: number;
}
