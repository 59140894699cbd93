// A journal entry: the commands of one group commit and the time at which they were applied.
import { apply } from '../apply.ts';
import type { Command } from '../command.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { CorruptDataError } from './byte-reader.ts';
import { commandCodec } from './command.ts';
import { type EntryMeter, emptyMeter, entryMeterCodec, entryMeterOfVersion1Codec, meterOf } from './entry-meter.ts';
import { open, seal } from './envelope.ts';
import { type Field, list } from './field.ts';

/** Raise it with every change of the format, and keep reading the versions before. */
const ENTRY_VERSION = 2;

export interface JournalEntry {
  /** Milliseconds since the Unix epoch: the `nowMs` that was given to `apply`, the same for all commands. */
  nowMs: number;
  commands: Command[];
  /**
   * What the commands added to the billing meter, as `meterOf` tells: metering reads it here, without the state that
   * would tell refused batches and duplicates from accepted ones. Absent: nothing.
   */
  meter?: EntryMeter;
}

const commands = list(commandCodec);

function meterCodecOf(version: number): Field<EntryMeter> {
  return version === 1 ? entryMeterOfVersion1Codec : entryMeterCodec;
}

/** The bytes to append to the journal. Commands must be ones that `apply` accepted (`changed: true`). */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  return seal(ENTRY_VERSION, (to) => {
    to.unsigned(entry.nowMs);
    entryMeterCodec.write(to, entry.meter ?? emptyMeter);
    commands.write(to, entry.commands);
  });
}

/** @throws CorruptDataError */
export function decodeEntry(bytes: Uint8Array): Required<JournalEntry> {
  return open('journal entry', ENTRY_VERSION, bytes, (from, version) => ({
    nowMs: from.unsigned(),
    meter: meterCodecOf(version).read(from),
    commands: commands.read(from),
  }));
}

/** The time and the meter of an entry, checked like the whole but without decoding its commands. @throws CorruptDataError */
export function decodeEntryMeter(bytes: Uint8Array): Pick<Required<JournalEntry>, 'nowMs' | 'meter'> {
  return open('journal entry', ENTRY_VERSION, bytes, (from, version) => {
    const head = { nowMs: from.unsigned(), meter: meterCodecOf(version).read(from) };
    from.raw(from.remaining);
    return head;
  });
}

/**
 * Recovery: applies an entry of the journal, and holds the outcome against what was metered when the entry was written.
 * Returns the time of the entry.
 * @throws CorruptDataError when the bytes are damaged, or replay accepts other batches than the owner did.
 */
export function replayEntry(state: ClusterState, bytes: Uint8Array): number {
  const entry = decodeEntry(bytes);
  const replayed = meterOf(entry.commands.map((command) => apply(state, command, entry.nowMs).effects));
  for (const [name, metered] of Object.entries(entry.meter)) {
    const again = replayed[name as keyof EntryMeter];
    if (again !== metered) {
      throw new CorruptDataError(
        `journal entry: ${name} was ${metered} when it was written, and ${again} in the replay`,
      );
    }
  }
  return entry.nowMs;
}
