// SetMaxUncompressedBatchBytes: the cluster's default of the topic config max.uncompressed.batch.bytes.

import type { SetMaxUncompressedBatchBytes } from '../model/agents.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { configProblem, MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG } from '../topics/topic-configs.ts';

export function setMaxUncompressedBatchBytes(
  state: ClusterState,
  { bytes }: SetMaxUncompressedBatchBytes,
): Outcome<'set-max-uncompressed-batch-bytes'> {
  const { settings } = state;
  const problem = configProblem(MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG, String(bytes));
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
