import { ErrorCode, toSafeInteger } from '@penstock/metadata-core';
import type { CommitOffsetsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { deedClientOf } from './deed-client.ts';

export const commitOffsets: AgentCall<typeof MetadataService.method.commitOffsets> = async (context, request) => {
  const answer = await commitOffsetsIn(context.owner, request);
  // From outside the group, as tools do that reset offsets. What members commit is how groups work.
  if (request.memberId === '' && request.transaction === undefined && answer.errorCode === ErrorCode.NONE) {
    context.noteDeed('commit-offsets', request.groupId, await deedClientOf(context, request.client));
  }
  return answer;
};

/** Also used by AdminCommitOffsets. */
export async function commitOffsetsIn(owner: Owner, request: CommitOffsetsRequest) {
  const { groupId, generationId, memberId, transaction } = request;
  const committed = {
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
  };
  const answer =
    transaction === undefined
      ? await owner.submit({
          kind: 'commit-offsets',
          ...committed,
          knowsMemberEpochs: request.knowsMemberEpochs,
        })
      : await owner.submit({
          kind: 'commit-transaction-offsets',
          transactionalId: transaction.transactionalId,
          producerId: toSafeInteger(transaction.producerId),
          producerEpoch: transaction.producerEpoch,
          addsGroup: transaction.addsGroup,
          ...committed,
        });
  if (answer.errorCode === ErrorCode.NONE) {
    owner.touchMember({ groupId, memberId });
  }
  return answer;
}
