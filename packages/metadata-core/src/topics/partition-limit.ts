// How many partitions a cluster may have.
import { ErrorCode } from '../model/error-code.ts';
import {
  MAX_NEW_PARTITIONS_PER_REQUEST,
  MAX_PARTITIONS_PER_CLUSTER,
  MAX_PARTITIONS_PER_DEV_CLUSTER,
} from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Refusal } from './topic-result.ts';

/**
 * Refuses partitions beyond the cluster's limit. A cluster that already exceeds it keeps its partitions.
 * @param present the cluster's partitions, including those that the same request adds
 */
export function partitionLimitRefusal({ settings }: ClusterState, present: number, added: number): Refusal | null {
  const isDev = settings.mode === 'dev';
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
export function requestSizeRefusal(added: number): Refusal | null {
  if (added <= MAX_NEW_PARTITIONS_PER_REQUEST) {
    return null;
  }
  const message = `Excessively large number of partitions per request: ${added}, and at most ${MAX_NEW_PARTITIONS_PER_REQUEST} are created at a time. Split the request.`;
  return { errorCode: ErrorCode.POLICY_VIOLATION, message };
}
