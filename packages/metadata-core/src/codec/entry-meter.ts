// The billing meter's share of a journal entry: what was accepted, as the outcomes of the commands tell it.
import type { Command } from '../command.ts';
import type { Effects } from '../outcome.ts';
import type { Field } from './field.ts';

export interface EntryMeter {
  /** Data files of which at least one batch was accepted. */
  files: number;
  /** Of accepted batches, as stored. */
  storedBytes: number;
  /** Of accepted batches: what they would be with compression.type=none. A bill is made of these. */
  uncompressedBytes: number;
  records: number;
  /** Minutes with at least one agent alive. */
  clusterMinutes: number;
}

export const emptyMeter: Readonly<EntryMeter> = {
  files: 0,
  storedBytes: 0,
  uncompressedBytes: 0,
  records: 0,
  clusterMinutes: 0,
};

export const entryMeterCodec: Field<EntryMeter> = {
  write: (to, meter) => {
    to.unsigned(meter.files);
    to.unsigned(meter.storedBytes);
    to.unsigned(meter.uncompressedBytes);
    to.unsigned(meter.records);
    to.unsigned(meter.clusterMinutes);
  },
  read: (from) => ({
    files: from.unsigned(),
    storedBytes: from.unsigned(),
    uncompressedBytes: from.unsigned(),
    records: from.unsigned(),
    clusterMinutes: from.unsigned(),
  }),
};

/**
 * Sums what the commands of an entry added to the meter.
 * @param commands those that `apply` accepted (`changed: true`)
 * @param effects of each of them, in any order
 */
export function meterOf(commands: Iterable<Command>, effects: Iterable<Effects>): EntryMeter {
  const meter = { ...emptyMeter };
  for (const { appended } of effects) {
    if (appended === undefined) continue;
    meter.files += 1;
    meter.storedBytes += appended.storedBytes;
    meter.uncompressedBytes += appended.uncompressedBytes;
    meter.records += appended.totalRecords;
  }
  for (const command of commands) {
    // A minute that was marked before is not accepted again.
    if (command.kind === 'minute-mark') meter.clusterMinutes += 1;
  }
  return meter;
}
