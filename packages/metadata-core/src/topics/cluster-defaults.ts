// What a Kafka client may change of the defaults that topics share: max.uncompressed.batch.bytes alone.

import { ErrorCode } from '../model/error-code.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { ConfigOp } from '../model/topics.types.ts';
import { applyConfigOps } from './config-ops.ts';
import { effectiveConfig, MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG } from './topic-configs.ts';
import type { Refusal } from './topic-result.ts';

/** The defaults after all ops, or why none is applied. */
export function clusterDefaultsAfter(
  { maxUncompressedBatchBytes, mode }: Pick<ClusterSettings, 'maxUncompressedBatchBytes' | 'mode'>,
  ops: readonly ConfigOp[],
): Pick<ClusterSettings, 'maxUncompressedBatchBytes'> | Refusal {
  const name = MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG;
  const other = ops.find((op) => op.name !== name);
  if (other !== undefined) {
    const message = `${other.name.slice(0, 100)} is no default that Kafka clients can change: only ${name} is. Change other settings of the cluster in the dashboard.`;
    return { errorCode: ErrorCode.INVALID_CONFIG, message };
  }
  const configs = new Map([[name, String(maxUncompressedBatchBytes)]]);
  const refusal = applyConfigOps(configs, ops, mode);
  return refusal ?? { maxUncompressedBatchBytes: Number(effectiveConfig(configs, name)) };
}
