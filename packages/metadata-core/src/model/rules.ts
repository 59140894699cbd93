// The versions of the rules by which commands are applied, and their formats. Every cluster has a rules level in its state, which only
// `raise-rules-level` raises. Every journal entry names the rules that it was made under, and a replay applies exactly those. An owner
// writes the formats of its cluster's level and nothing newer, so a process of the previous release, which knows the earlier levels, can
// open the cluster until its level is raised.
//
// To change a rule: add a version here, keep the old form of the rule, select by `rules` where they differ, and add the formats of the new
// version if they change too. A setting of the metadata service decides to which level it raises clusters.
import { CorruptDataError } from './corrupt-data-error.ts';

export type RulesVersion = 1 | 2 | 3 | 4 | 5 | 6;

export const OLDEST_RULES: RulesVersion = 1;
export const NEWEST_RULES: RulesVersion = 6;

export interface Formats {
  /** Version byte of the entries that are written at this level. */
  entry: number;
  /** Version byte of those that name changes by Kafka clients. Null: entries of this level name none. */
  entryWithChanges: number | null;
  /** Version byte of the snapshots that are written at this level. */
  snapshot: number;
}

/**
 * 1: as in releases that wrote no rules version.
 * 2: which file ids were committed is remembered exactly, and they expire by the owner's clock, never by an agent's. A command sets the
 * time back after a clock was ahead. A producer that never wrote to a partition must start with sequence 0. Records with future timestamps
 * age from their commit. Files have levels, and merged files replace others.
 * 3: users, ACLs, client quotas and the settings of access control. The formats are those of version 2: an older release refuses the level,
 * which every entry and snapshot names, before it meets a command or a section that it doesn't know.
 * 4: transactions, and consumer groups of the new protocol (KIP-848). Deleting the last credential no longer opens a cluster. Closer to
 * Kafka: groups may commit negative offsets, and lose those of topics that their members no longer read. Topic names must differ in more
 * than dots and underscores, and those of Kafka's internal topics are refused. There are two more topic configs, a time for which offsets
 * are kept, and subscriptions to client metrics. Entries name what Kafka clients changed, for the audit log: those that do have a format of
 * their own. The other formats are those of version 2, as with level 3.
 * 5: Dev clusters have fewer partitions, and topics the config penstock.latency. The formats are those of version 4.
 * 6: limits on what one cluster may hold and on what an agent may claim. The formats are those of version 5.
 */
const FORMATS: Readonly<Record<RulesVersion, Formats>> = {
  1: { entry: 2, entryWithChanges: null, snapshot: 2 },
  2: { entry: 3, entryWithChanges: null, snapshot: 3 },
  3: { entry: 3, entryWithChanges: null, snapshot: 3 },
  4: { entry: 3, entryWithChanges: 4, snapshot: 3 },
  5: { entry: 3, entryWithChanges: 4, snapshot: 3 },
  6: { entry: 3, entryWithChanges: 4, snapshot: 3 },
};

/** The formats that an owner writes while its cluster is at this level. */
export function formatsOf(rules: RulesVersion): Formats {
  return FORMATS[rules];
}

export function isRulesVersion(version: number): version is RulesVersion {
  return Object.hasOwn(FORMATS, version);
}

/** @throws CorruptDataError when this release does not know these rules */
export function knownRules(version: number, what: string): RulesVersion {
  if (!isRulesVersion(version)) {
    throw new CorruptDataError(
      `${what}: it needs rules version ${version}; this release knows ${OLDEST_RULES} to ${NEWEST_RULES}. Run the release that wrote it, or a later one.`,
    );
  }
  return version;
}
