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
  /** Those of these minutes that were marked in mode dev. */
  devMinutes: number;
  /** Those that were marked in mode low-latency. The rest are standard. */
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

const fieldsOfVersion1 = {
  files: unsigned,
  storedBytes: unsigned,
  uncompressedBytes: unsigned,
  records: unsigned,
  clusterMinutes: unsigned,
};
type MeterOfVersion1 = Omit<EntryMeter, 'devMinutes' | 'lowLatencyMinutes'>;
const version1 = record<MeterOfVersion1>(fieldsOfVersion1);

/** Clusters had no mode then, so every minute was a standard one. */
export const entryMeterOfVersion1Codec: Field<EntryMeter> = {
  write: (to, meter) => version1.write(to, meter),
  read: (from) => ({ ...version1.read(from), devMinutes: 0, lowLatencyMinutes: 0 }),
};

export const entryMeterCodec: Field<EntryMeter> = record({
  ...fieldsOfVersion1,
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
