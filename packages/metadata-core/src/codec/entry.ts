// A journal entry: the commands of one group commit, the time at which they were applied, and the rules level of the cluster.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ClientChanges } from '../changes/kafka-change.ts';
import type { Command } from '../model/command.ts';
import { NEWEST_RULES, outdated, type RulesVersion } from '../model/rules.ts';
import { rulesCodec } from './agent-commands.ts';
import { commandCodec } from './command.ts';
import { type EntryMeter, emptyMeter, entryMeterCodec } from './entry-meter.ts';
import { open, seal } from './envelope.ts';
import { list } from './field.ts';
import { clientChangesCodec } from './kafka-changes.ts';

/** Version 4 added the changes by Kafka clients. Entries without any still have version 3. Both must stay readable. */
const VERSION = 3;
const VERSION_WITH_CHANGES = 4;

export interface JournalEntry {
  /** Milliseconds since the Unix epoch: the `nowMs` that was given to `apply`, the same for all commands. */
  nowMs: number;
  /** The cluster's level, at which all its commands were applied. Absent: the newest. */
  rules?: RulesVersion;
  commands: Command[];
  /**
   * The commands' additions to the billing meter, as returned by `meterOf`. Metering reads them here, because it lacks
   * the state that tells refused batches and duplicates from accepted ones. Absent: none.
   */
  meter?: EntryMeter;
  /**
   * Changes made by Kafka clients, in the order of the commands. Metering reads them here, for the audit log. Absent: none.
   */
  changes?: ClientChanges[];
}

/** The part of an entry before its commands. */
export type EntryHead = Pick<Required<JournalEntry>, 'nowMs' | 'rules' | 'meter' | 'changes'>;

const commands = list(commandCodec);

/** The bytes to append to the journal. Commands must be ones that `apply` accepted (`changed: true`). */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  const { rules = NEWEST_RULES, changes = [] } = entry;
  return seal(changes.length === 0 ? VERSION : VERSION_WITH_CHANGES, (to) => {
    to.unsigned(entry.nowMs);
    rulesCodec.write(to, rules);
    entryMeterCodec.write(to, entry.meter ?? emptyMeter);
    if (changes.length > 0) {
      clientChangesCodec.write(to, changes);
    }
    commands.write(to, entry.commands);
  });
}

function readHead(from: ByteReader, version: number): EntryHead {
  if (version < VERSION) {
    throw outdated('journal entry', `the format ${version}`);
  }
  return {
    nowMs: from.unsigned(),
    rules: rulesCodec.read(from),
    meter: entryMeterCodec.read(from),
    changes: version === VERSION_WITH_CHANGES ? clientChangesCodec.read(from) : [],
  };
}

/** @throws CorruptDataError */
export function decodeEntry(bytes: Uint8Array): Required<JournalEntry> {
  return open('journal entry', VERSION_WITH_CHANGES, bytes, (from, version) => ({
    ...readHead(from, version),
    commands: commands.read(from),
  }));
}

/**
 * Decodes what an entry says before its commands. Verifies the whole entry's checksum, but does not decode its commands. @throws
 * CorruptDataError
 */
export function decodeEntryHead(bytes: Uint8Array): EntryHead {
  return open('journal entry', VERSION_WITH_CHANGES, bytes, (from, version) => {
    const head = readHead(from, version);
    from.raw(from.remaining);
    return head;
  });
}
