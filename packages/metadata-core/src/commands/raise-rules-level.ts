// RaiseRulesLevel: from this entry on the cluster follows newer rules, and its journal and snapshots have newer formats.

import type { RaiseRulesLevel } from '../model/agents.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { CommitAnswers } from '../state/commit-answers.ts';
import { CommitAnswersOfRules1 } from '../state/commit-answers-of-rules-1.ts';

/** Levels only rise: a lower level, or the current one, changes nothing. */
export function raiseRulesLevel(state: ClusterState, command: RaiseRulesLevel): Outcome<'raise-rules-level'> {
  if (command.level <= state.rules) {
    return unchanged({ level: state.rules });
  }
  if (state.answers instanceof CommitAnswersOfRules1) {
    state.answers = CommitAnswers.afterRules1(state.answers.image());
  }
  state.rules = command.level;
  return changed({ level: command.level });
}
