import { ErrorCode, toSafeInteger } from '@penstock/metadata-core';
import type { CommitOffsetsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';

export const commitOffsets: AgentCall<typeof MetadataService.method.commitOffsets> = async ({ owner }, request) =>
  await commitOffsetsIn(owner, request);

/** Also used by AdminCommitOffsets. */
export async function commitOffsetsIn(owner: Owner, request: CommitOffsetsRequest) {
  const { groupId, generationId, memberId } = request;
  const answer = await owner.submit({
    kind: 'commit-offsets',
    groupId,
    generationId,
    memberId,
    groupInstanceId: request.groupInstanceId ?? null,
    offsets: request.offsets.map(({ topic, partition, offset, leaderEpoch, metadata }) => ({
      topic,
      partition,
      offset: toSafeInteger(offset),
      leaderEpoch,
      metadata,
    })),
  });
  if (answer.errorCode === ErrorCode.NONE) {
    owner.touchMember({ groupId, memberId });
  }
  return answer;
}
