// UpdateSettings: absent settings are unchanged.

import type { UpdateSettings } from '../model/agents.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { MAX_PARTITIONS_PER_CLUSTER, MAX_REASON_CHARS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function updateSettings(state: ClusterState, command: UpdateSettings): Outcome<'update-settings'> {
  const before = state.settings;
  const settings = { ...before, ...command.settings };
  const { defaultPartitions } = settings;
  if (!Number.isInteger(defaultPartitions) || defaultPartitions < 1 || defaultPartitions > MAX_PARTITIONS_PER_CLUSTER) {
    const errorMessage = `default_partitions must be 1 to ${MAX_PARTITIONS_PER_CLUSTER}.`;
    return unchanged({ errorCode: ErrorCode.INVALID_PARTITIONS, errorMessage, settings: { ...before } });
  }
  if (settings.writesRefusedReason.length > MAX_REASON_CHARS) {
    const errorMessage = `The reason has at most ${MAX_REASON_CHARS} characters.`;
    return unchanged({ errorCode: ErrorCode.INVALID_REQUEST, errorMessage, settings: { ...before } });
  }
  const answer = { errorCode: ErrorCode.NONE, errorMessage: '', settings: { ...settings } };
  if (
    before.autoCreateTopics === settings.autoCreateTopics &&
    before.defaultPartitions === defaultPartitions &&
    before.writesRefused === settings.writesRefused &&
    before.writesRefusedReason === settings.writesRefusedReason &&
    before.mode === settings.mode
  ) {
    return unchanged(answer);
  }
  state.settings = settings;
  return changed(answer, { settingsChanged: true });
}
