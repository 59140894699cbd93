import { Code, ConnectError } from '@connectrpc/connect';
import { type CompactionColumns, limits, type ReplaceRuns, toSafeInteger } from '@penstock/metadata-core';
import type { CompleteJobRequest, MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedAgentId, checkedId, checkedIds } from './messages/ids.ts';

/** Sources, topics and targets of the largest job take less. */
const MAX_PLAN_BYTES = 8 * 1024 * 1024;

/**
 * Completes a merge job: its file replaces the runs that it was made of, unless the index has changed since. Only what a job ordered is
 * accepted, as its signed plan or the lease in the owner's memory says. `applied: false` is returned
 * only for a swap that can never be applied, because the agent then deletes the object. One that does not fit may fit later, when a copy of
 * the request arrives that was on its way for longer: then the agent leaves the object to the orphan collector.
 * @throws ConnectError failed_precondition when no job ordered the swap, or when it does not fit; invalid_argument when no job can lead to it
 */
export const completeJob: AgentCall<typeof MetadataService.method.completeJob> = async ({ owner, keyId }, request) => {
  const jobId = checkedId(request.jobId, 'job_id');
  const agentId = checkedAgentId(request.agentId);
  if (request.plan.length > MAX_PLAN_BYTES) {
    throw new ConnectError(`plan has more than ${MAX_PLAN_BYTES} bytes`, Code.InvalidArgument);
  }
  const job = { jobId, plan: request.plan };
  const { outcome, reason, isFinal } = await owner.completeJob(
    agentId,
    keyId,
    job,
    replaceRuns(request),
    request.hasMore,
  );
  if (outcome === 'invalid') {
    throw new ConnectError(reason, Code.InvalidArgument);
  }
  if (outcome === 'stale' && isFinal !== true) {
    throw new ConnectError(reason, Code.FailedPrecondition);
  }
  return { applied: outcome === 'applied', reason };
};

/** @throws ConnectError invalid_argument when columns differ in length, or an id is malformed. */
function replaceRuns(request: CompleteJobRequest): ReplaceRuns {
  const columns = {
    target_topic: request.targetTopic,
    target_partition: request.targetPartition,
    target_base_offset: request.targetBaseOffset,
    target_end_offset: request.targetEndOffset,
    target_position: request.targetPosition,
    target_bytes: request.targetBytes,
    ...(request.compact ? { target_source_bytes: request.targetSourceBytes } : {}),
    ...(request.targetMaxTimestampMs.length > 0 ? { target_max_timestamp_ms: request.targetMaxTimestampMs } : {}),
    ...(request.targetDeleteHorizonMs.length > 0 ? { target_delete_horizon_ms: request.targetDeleteHorizonMs } : {}),
  };
  const targets = request.targetTopic.length;
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== targets) {
      throw new ConnectError(
        `${name} has ${column.length} entries, but target_topic has ${targets}`,
        Code.InvalidArgument,
      );
    }
  }
  const mostSources = request.compact ? limits.MAX_COMPACTED_SOURCE_FILES : limits.MAX_SOURCE_FILES;
  if (request.sourceFileIds.length > mostSources) {
    throw new ConnectError(`source_file_ids names more than ${mostSources} files`, Code.InvalidArgument);
  }
  return {
    kind: 'replace-runs',
    fileId: checkedId(request.fileId, 'file_id'),
    fileBytes: toSafeInteger(request.fileBytes),
    level: request.level,
    sourceFileIds: checkedIds(request.sourceFileIds, 'source_file_ids'),
    topicIds: checkedIds(request.topicIds, 'topic_ids'),
    targetTopic: Uint32Array.from(request.targetTopic),
    targetPartition: Uint32Array.from(request.targetPartition),
    targetBaseOffset: Float64Array.from(request.targetBaseOffset, toSafeInteger),
    targetEndOffset: Float64Array.from(request.targetEndOffset, toSafeInteger),
    targetPosition: Float64Array.from(request.targetPosition, toSafeInteger),
    targetBytes: Float64Array.from(request.targetBytes, toSafeInteger),
    compaction: request.compact ? compactionColumns(request) : null,
  };
}

function compactionColumns(request: CompleteJobRequest): CompactionColumns {
  const optional = (column: readonly bigint[]): Float64Array | null =>
    column.length === 0 ? null : Float64Array.from(column, toSafeInteger);
  return {
    targetSourceBytes: Float64Array.from(request.targetSourceBytes, toSafeInteger),
    targetMaxTimestampMs: optional(request.targetMaxTimestampMs),
    targetDeleteHorizonMs: optional(request.targetDeleteHorizonMs),
    ...(request.abortedRemoved ? { isAbortedRemoved: true } : {}),
  };
}
