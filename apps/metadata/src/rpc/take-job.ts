import { Code, ConnectError } from '@connectrpc/connect';
import type { CompactionTerms, MergeJob } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedAgentId, checkedIds } from './messages/ids.ts';
import { abortedMessage } from './messages/runs.ts';

const MAX_RUNNING_JOBS = 64;

/** Renews the leases of the agent's merge jobs, and hands it one more. */
export const takeJob: AgentCall<typeof MetadataService.method.takeJob> = async ({ owner }, request) => {
  if (request.runningJobIds.length > MAX_RUNNING_JOBS) {
    throw new ConnectError(`running_job_ids names more than ${MAX_RUNNING_JOBS} jobs`, Code.InvalidArgument);
  }
  const runningJobIds = checkedIds(request.runningJobIds, 'running_job_ids');
  const agentId = checkedAgentId(request.agentId);
  const { taken, askAgainMs, lostJobIds } = await owner.takeJob(agentId, {
    runningJobIds,
    wantsJob: request.wantsJob,
    canCompact: request.canCompact,
    canReadLanded: request.canReadLanded,
  });
  return {
    ...(taken === undefined ? {} : { job: { ...jobMessage(taken.jobId, taken.job), plan: taken.plan } }),
    askAgainMs,
    lostJobIds,
  };
};

function jobMessage(jobId: Uint8Array, job: MergeJob) {
  return {
    jobId,
    level: job.level,
    sourceFileIds: job.sourceFileIds,
    sourceFileBytes: job.sourceFileBytes.map(BigInt),
    topicIds: job.topicIds,
    runSource: job.runSource,
    runPosition: job.runPosition.map(BigInt),
    runBytes: job.runBytes.map(BigInt),
    markers: job.markers.map(({ producerId, producerEpoch, isCommit, timestampMs }) => ({
      producerId: BigInt(producerId),
      producerEpoch,
      committed: isCommit,
      timestampMs: BigInt(timestampMs),
    })),
    targetTopic: job.targetTopic,
    targetPartition: job.targetPartition,
    targetBaseOffset: job.targetBaseOffset.map(BigInt),
    targetEndOffset: job.targetEndOffset.map(BigInt),
    targetRuns: job.targetRuns,
    ...(job.compaction === null ? {} : compactionFields(job.compaction)),
  };
}

function compactionFields(terms: CompactionTerms) {
  return {
    compact: true,
    topicDeleteRetentionMs: terms.topicDeleteRetentionMs.map(BigInt),
    topicMaxMessageBytes: terms.topicMaxMessageBytes,
    targetFirstDirtyOffset: terms.targetFirstDirtyOffset.map(BigInt),
    nowMs: BigInt(terms.nowMs),
    aborted: terms.aborted.map(({ target, ...transaction }) => ({ target, transaction: abortedMessage(transaction) })),
  };
}
