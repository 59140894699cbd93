// Entries of rules level 5, by the rules of level 6. These moved the removal of runs into a command of its own and set limits. An entry within
// the limits leads to the same state; one beyond them is refused.
import { apply } from './apply.ts';
import type { Command, CommandKind } from './model/command.ts';
import type { Outcome } from './model/outcome.ts';
import { outdated } from './model/rules.ts';
import type { ClusterState } from './state/cluster-state.ts';
import { RunExpiry } from './topics/run-expiry.ts';

/** @throws CorruptDataError when the command, which was accepted at level 5, is not at level 6 */
export function applyOfLevel5(state: ClusterState, command: Command, nowMs: number): Outcome<CommandKind> {
  const outcome: Outcome<CommandKind> = apply(state, command, nowMs);
  if (command.kind === 'expire-retention') {
    const expiry = new RunExpiry(state, nowMs, Number.POSITIVE_INFINITY);
    for (const topic of state.topics.values()) {
      expiry.expireAll(topic, topic.partitions.keys());
    }
  } else if (!outcome.changed && command.kind !== 'raise-rules-level') {
    throw outdated('journal entry', `the command ${command.kind} beyond the limits of level 6`);
  }
  return outcome;
}
