// A journal entry: the commands of one group commit and the time at which they were applied.
import { apply } from '../apply.ts';
import type { Command } from '../command.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { commandCodec } from './command.ts';
import { type EntryMeter, emptyMeter, entryMeterCodec } from './entry-meter.ts';
import { open, seal } from './envelope.ts';
import { list } from './field.ts';

/** Raise it with every change of the format, and keep reading the versions before. */
const ENTRY_VERSION = 1;

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
  return open('journal entry', ENTRY_VERSION, bytes, (from) => ({
    nowMs: from.unsigned(),
    meter: entryMeterCodec.read(from),
    commands: commands.read(from),
  }));
}

/** Recovery: applies an entry of the journal. @throws CorruptDataError */
export function replayEntry(state: ClusterState, bytes: Uint8Array): void {
  const entry = decodeEntry(bytes);
  for (const command of entry.commands) {
    apply(state, command, entry.nowMs);
  }
}
