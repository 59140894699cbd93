// The metering data of a journal entry: what its commands' outcomes say was accepted.
import type { Effects } from '../model/outcome.ts';
import { type Field, record, unsigned } from './field.ts';

export interface EntryMeter {
  /** Data files with at least one accepted batch. */
  files: number;
  /** Bytes of accepted batches, as stored. */
  storedBytes: number;
  /**
   * Bytes of accepted batches as they would be with compression.type=none, and the growth of compacted files. Bills are based on these.
   */
  uncompressedBytes: number;
  records: number;
  /** Minutes with at least one live agent, in any mode. */
  clusterMinutes: number;
  /** Cluster-minutes in mode dev. */
  devMinutes: number;
  /** Cluster-minutes in mode low-latency. The rest are in mode standard. */
  lowLatencyMinutes: number;
}

export const emptyMeter: Readonly<EntryMeter> = {
  files: 0,
  storedBytes: 0,
  uncompressedBytes: 0,
  records: 0,
  clusterMinutes: 0,
  devMinutes: 0,
  lowLatencyMinutes: 0,
};

export const entryMeterCodec: Field<EntryMeter> = record({
  files: unsigned,
  storedBytes: unsigned,
  uncompressedBytes: unsigned,
  records: unsigned,
  clusterMinutes: unsigned,
  devMinutes: unsigned,
  lowLatencyMinutes: unsigned,
});

/** Sums what the accepted commands of an entry added to the meter, from their effects in any order. */
export function meterOf(effects: Iterable<Effects>): EntryMeter {
  const meter = { ...emptyMeter };
  for (const { appended, replaced, minuteMarked } of effects) {
    if (appended !== undefined) {
      meter.files += 1;
      meter.storedBytes += appended.storedBytes;
      meter.uncompressedBytes += appended.uncompressedBytes;
      meter.records += appended.totalRecords;
    }
    meter.uncompressedBytes += replaced?.meteredBytes ?? 0;
    if (minuteMarked !== undefined) {
      meter.clusterMinutes += 1;
      if (minuteMarked.mode === 'dev') {
        meter.devMinutes += 1;
      }
      if (minuteMarked.mode === 'low-latency') {
        meter.lowLatencyMinutes += 1;
      }
    }
  }
  return meter;
}
