// A journal entry: the commands of one group commit, the time at which they were applied, and the rules that they were applied under.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ClientChanges } from '../changes/kafka-change.ts';
import { assert } from '../model/assert.ts';
import type { Command } from '../model/command.ts';
import { formatsOf, NEWEST_RULES, OLDEST_RULES, type RulesVersion } from '../model/rules.ts';
import { rulesCodec } from './agent-commands.ts';
import { commandCodec } from './command.ts';
import { type EntryMeter, emptyMeter, entryMeterCodec, entryMeterOfVersion1Codec } from './entry-meter.ts';
import { open, seal } from './envelope.ts';
import { list } from './field.ts';
import { clientChangesCodec } from './kafka-changes.ts';

/**
 * Version 2 added the meter of each mode, version 3 the rules version, version 4 the changes by Kafka clients. Older versions must stay
 * readable.
 */
const { entry, entryWithChanges } = formatsOf(NEWEST_RULES);
const NEWEST_VERSION = entryWithChanges ?? entry;
const FIRST_VERSION_WITH_RULES = 3;
const FIRST_VERSION_WITH_CHANGES = 4;

export interface JournalEntry {
  /** Milliseconds since the Unix epoch: the `nowMs` that was given to `apply`, the same for all commands. */
  nowMs: number;
  /** The rules under which all its commands were applied. They also decide the format of the entry. Absent: the oldest. */
  rules?: RulesVersion;
  commands: Command[];
  /**
   * What the commands added to the billing meter, as `meterOf` returns it. Metering reads it here, because it lacks the state that tells
   * refused batches and duplicates from accepted ones. Absent: nothing.
   */
  meter?: EntryMeter;
  /**
   * What Kafka clients changed, in the order of the commands. Metering reads it here, for the audit log. Absent: nothing, or the rules are
   * older than such changes.
   */
  changes?: ClientChanges[];
}

/** What an entry says before its commands. */
export type EntryHead = Pick<Required<JournalEntry>, 'nowMs' | 'rules' | 'meter' | 'changes'>;

const commands = list(commandCodec);

/** The bytes to append to the journal. Commands must be ones that `apply` accepted (`changed: true`). */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  const { rules = OLDEST_RULES, changes = [] } = entry;
  const formats = formatsOf(rules);
  const version = changes.length === 0 ? formats.entry : formats.entryWithChanges;
  assert(version !== null, 'entries of this rules level cannot name changes by clients');
  return seal(version, (to) => {
    to.unsigned(entry.nowMs);
    if (version >= FIRST_VERSION_WITH_RULES) {
      rulesCodec.write(to, rules);
    }
    entryMeterCodec.write(to, entry.meter ?? emptyMeter);
    if (version >= FIRST_VERSION_WITH_CHANGES) {
      clientChangesCodec.write(to, changes);
    }
    commands.write(to, entry.commands);
  });
}

function readHead(from: ByteReader, version: number): EntryHead {
  return {
    nowMs: from.unsigned(),
    rules: version >= FIRST_VERSION_WITH_RULES ? rulesCodec.read(from) : OLDEST_RULES,
    meter: (version === 1 ? entryMeterOfVersion1Codec : entryMeterCodec).read(from),
    changes: version >= FIRST_VERSION_WITH_CHANGES ? clientChangesCodec.read(from) : [],
  };
}

/** @throws CorruptDataError */
export function decodeEntry(bytes: Uint8Array): Required<JournalEntry> {
  return open('journal entry', NEWEST_VERSION, bytes, (from, version) => ({
    ...readHead(from, version),
    commands: commands.read(from),
  }));
}

/**
 * Decodes what an entry says before its commands. Verifies the whole entry's checksum, but does not decode its commands. @throws
 * CorruptDataError
 */
export function decodeEntryHead(bytes: Uint8Array): EntryHead {
  return open('journal entry', NEWEST_VERSION, bytes, (from, version) => {
    const head = readHead(from, version);
    from.raw(from.remaining);
    return head;
  });
}
