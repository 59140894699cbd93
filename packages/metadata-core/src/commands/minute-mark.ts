// MinuteMark: one minute in which the cluster had at least one live agent. Cluster-minutes are metered from these in the journal.

import type { MinuteMark } from '../model/agents.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function minuteMark(state: ClusterState, command: MinuteMark): Outcome<'minute-mark'> {
  if (command.minute <= state.lastMarkedMinute || command.aliveAgentIds.length === 0) {
    return unchanged({ counted: false });
  }
  state.lastMarkedMinute = command.minute;
  state.clusterMinutes += 1;
  return changed({ counted: true }, { minuteMarked: { mode: state.settings.mode } });
}
