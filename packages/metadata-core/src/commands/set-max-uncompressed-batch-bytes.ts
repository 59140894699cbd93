// SetMaxUncompressedBatchBytes: the cluster's default of the topic config max.uncompressed.batch.bytes.

import type { SetMaxUncompressedBatchBytes } from '../model/agents.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { RulesVersion } from '../model/rules.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { configProblem, MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG } from '../topics/topic-configs.ts';

export function setMaxUncompressedBatchBytes(
  state: ClusterState,
  { bytes }: SetMaxUncompressedBatchBytes,
  _nowMs: number,
  rules: RulesVersion,
): Outcome<'set-max-uncompressed-batch-bytes'> {
  const { settings } = state;
  if (rules < 6) {
    const errorMessage = 'The cluster is below rules level 6.';
    return unchanged({ errorCode: ErrorCode.UNSUPPORTED_VERSION, errorMessage, settings: { ...settings } });
  }
  const problem = configProblem(MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG, String(bytes), rules);
  if (problem !== null) {
    return unchanged({ errorCode: ErrorCode.INVALID_CONFIG, errorMessage: problem, settings: { ...settings } });
  }
  const after = { ...settings, maxUncompressedBatchBytes: bytes };
  const answer = { errorCode: ErrorCode.NONE, errorMessage: '', settings: { ...after } };
  if (bytes === settings.maxUncompressedBatchBytes) {
    return unchanged(answer);
  }
  state.settings = after;
  return changed(answer, { settingsChanged: true });
}
