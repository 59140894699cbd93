// RaiseRulesLevel: from this entry on the cluster follows newer rules, and its journal and snapshots have newer formats.
import { changed, type Outcome, unchanged } from '../outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { RaiseRulesLevel } from './agents.types.ts';

/** Levels only rise: a lower one, or the present one, changes nothing. */
export function raiseRulesLevel(state: ClusterState, command: RaiseRulesLevel): Outcome<'raise-rules-level'> {
  if (command.level <= state.rules) {
    return unchanged({ level: state.rules });
  }
  state.rules = command.level;
  return changed({ level: command.level });
}
