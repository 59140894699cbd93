// RaiseRulesLevel: from this entry on the cluster follows newer rules, and its journal and snapshots have newer formats.
import { MAX_UNCOMPRESSED_BATCH_BYTES } from '../limits.ts';
import { changed, type Outcome, unchanged } from '../outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { CommitAnswers } from '../state/commit-answers.ts';
import { CommitAnswersOfRules1 } from '../state/commit-answers-of-rules-1.ts';
import type { RaiseRulesLevel } from './agents.types.ts';

/** Nobody has used the cluster: nothing relies on the larger batches that earlier levels allow. */
function isNew({ agents, topics, clusterMinutes, nextNodeId, nextProducerId }: ClusterState): boolean {
  return agents.size === 0 && topics.size === 0 && clusterMinutes === 0 && nextNodeId === 1 && nextProducerId === 1;
}

/** Levels only rise: a lower level, or the current one, changes nothing. */
export function raiseRulesLevel(state: ClusterState, command: RaiseRulesLevel): Outcome<'raise-rules-level'> {
  if (command.level <= state.rules) {
    return unchanged({ level: state.rules });
  }
  if (state.answers instanceof CommitAnswersOfRules1) {
    state.answers = CommitAnswers.afterRules1(state.answers.image());
  }
  if (state.rules < 6 && command.level >= 6 && isNew(state)) {
    state.settings = { ...state.settings, maxUncompressedBatchBytes: MAX_UNCOMPRESSED_BATCH_BYTES };
  }
  state.rules = command.level;
  return changed({ level: command.level });
}
