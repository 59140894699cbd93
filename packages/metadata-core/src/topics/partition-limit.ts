// How many partitions a cluster may have.
import { ErrorCode } from '../model/error-code.ts';
import {
  MAX_NEW_PARTITIONS_PER_REQUEST,
  MAX_PARTITIONS_PER_CLUSTER,
  MAX_PARTITIONS_PER_DEV_CLUSTER,
} from '../model/limits.ts';
import type { RulesVersion } from '../model/rules.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Refusal } from './topic-result.ts';

/**
 * Refuses partitions beyond the limit of the cluster. A cluster that is beyond it already keeps what it has.
 * @param present partitions of the cluster, those that the same request adds included
 */
export function partitionLimitRefusal(
  { settings }: ClusterState,
  present: number,
  added: number,
  rules: RulesVersion,
): Refusal | null {
  const isDev = settings.mode === 'dev' && rules >= 5;
  if (isDev && present + added > MAX_PARTITIONS_PER_DEV_CLUSTER) {
    const message = `A Dev cluster has at most ${MAX_PARTITIONS_PER_DEV_CLUSTER} partitions; this one has ${present}, and ${added} more were requested. Delete topics, or change the mode of the cluster to Standard in its settings.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, message };
  }
  if (present + added > MAX_PARTITIONS_PER_CLUSTER) {
    const message = `A cluster has at most ${MAX_PARTITIONS_PER_CLUSTER} partitions; this one has ${present}.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, message };
  }
  return null;
}

/** Refuses a whole request: partitions are created at once, and all clusters of the process wait meanwhile. */
export function requestSizeRefusal(added: number, rules: RulesVersion): Refusal | null {
  if (rules < 6 || added <= MAX_NEW_PARTITIONS_PER_REQUEST) {
    return null;
  }
  const message = `Excessively large number of partitions per request: ${added}, and at most ${MAX_NEW_PARTITIONS_PER_REQUEST} are created at a time. Split the request.`;
  return { errorCode: ErrorCode.POLICY_VIOLATION, message };
}
