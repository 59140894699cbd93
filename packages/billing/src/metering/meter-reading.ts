// What one journal entry adds to the meter.
export interface MeterReading {
  /** Server time in the entry, milliseconds since the Unix epoch: it decides the hour. */
  atMs: number;
  files: number;
  /** Of accepted batches, as stored. */
  storedBytes: number;
  /** Of accepted batches: what they would be with compression.type=none. This is what a bill is made of. */
  uncompressedBytes: number;
  records: number;
  /** Minutes in which the cluster had at least one agent alive. */
  clusterMinutes: number;
}
