// SetOffsetsRetention: how long committed offsets are kept without use (offsets.retention.minutes).

import type { SetOffsetsRetention } from '../model/agents.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { MAX_OFFSETS_RETENTION_MINUTES } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function setOffsetsRetention(
  state: ClusterState,
  { minutes }: SetOffsetsRetention,
): Outcome<'set-offsets-retention'> {
  const { settings } = state;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_OFFSETS_RETENTION_MINUTES) {
    const errorMessage = `offsets.retention.minutes must be 1 to ${MAX_OFFSETS_RETENTION_MINUTES}.`;
    return unchanged({ errorCode: ErrorCode.INVALID_CONFIG, errorMessage, settings: { ...settings } });
  }
  const after = { ...settings, offsetsRetentionMinutes: minutes };
  const answer = { errorCode: ErrorCode.NONE, errorMessage: '', settings: { ...after } };
  if (minutes === settings.offsetsRetentionMinutes) {
    return unchanged(answer);
  }
  state.settings = after;
  // The bounds were computed with the time that applied before. They are not persisted, so open snapshots need no copies.
  for (const group of state.groups.values()) {
    group.expiresFromMs = 0;
  }
  return changed(answer, { settingsChanged: true });
}
