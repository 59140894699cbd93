// RaiseRulesLevel: from this entry on the cluster follows newer rules.

import type { RaiseRulesLevel } from '../model/agents.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';

/** Levels only rise: a lower level, or the current one, changes nothing. */
export function raiseRulesLevel(state: ClusterState, command: RaiseRulesLevel): Outcome<'raise-rules-level'> {
  if (command.level <= state.rules) {
    return unchanged({ level: state.rules });
  }
  state.rules = command.level;
  return changed({ level: command.level });
}
