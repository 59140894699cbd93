// The rules by which commands are applied. Every cluster has a rules level in its state, which only `raise-rules-level` raises. Every journal
// entry names the level at which it was made, and a replay accepts no other. A setting of the metadata service decides to which level it
// raises clusters.
//
// To change a rule: add a level, keep the old form of the rule, and select by `state.rules` where they differ. Decision 0058 says how long a
// level stays.
import { CorruptDataError } from './corrupt-data-error.ts';

export type RulesVersion = 5 | 6;

/**
 * The oldest level that is read, and that of a cluster before its first entry. Entries of this level are replayed by the rules of the next
 * one (see replay-level-5.ts), to which the opening raises the cluster.
 */
export const OLDEST_RULES: RulesVersion = 5;
export const NEWEST_RULES: RulesVersion = 6;

/** The commit that still reads levels 1 to 5, and stores a snapshot when it raises a cluster from one of them. */
const CONVERTING_COMMIT = '20bb6d968dd4';

/** Whether an open cluster can have this level. */
export function isOpenRules(version: number): version is RulesVersion {
  return version === NEWEST_RULES;
}

/** @throws CorruptDataError when this release does not know these rules */
export function knownRules(version: number, what: string): RulesVersion {
  if (version < OLDEST_RULES) {
    throw outdated(what, `rules level ${version}`);
  }
  if (version !== OLDEST_RULES && version !== NEWEST_RULES) {
    throw new CorruptDataError(
      `${what}: it needs rules level ${version}; this release knows levels ${OLDEST_RULES} and ${NEWEST_RULES}. Run the release that wrote it, or a later one.`,
    );
  }
  return version;
}

/** The refusal of data from before the oldest level, with what to do. */
export function outdated(what: string, found: string): CorruptDataError {
  return new CorruptDataError(
    `${what}: it has ${found}, and this release reads rules levels ${OLDEST_RULES} and ${NEWEST_RULES}. Convert it with commit ${CONVERTING_COMMIT}: run its metadata service and its worker until the log says "snapshot written" for the cluster, then run this release.`,
  );
}
