import { type CommitOffsetsAnswer, ErrorCode, toSafeInteger } from '@penstock/metadata-core';
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
  const kept = request.offsets.filter(isKept);
  const committed = {
    groupId,
    generationId,
    memberId,
    groupInstanceId: request.groupInstanceId ?? null,
    offsets: kept.map(({ topic, partition, offset, leaderEpoch, metadata }) => ({
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
    owner.groups.touch({ groupId, memberId });
  }
  return kept.length === request.offsets.length ? answer : { ...answer, offsetErrorCodes: codesOfAll(request, answer) };
}

/** Kafka keeps any 64-bit number. No record has an offset beyond 2^53 - 1, and another number must not be read back. */
function isKept({ offset }: { offset: bigint }): boolean {
  return offset === BigInt.asIntN(54, offset) && offset !== -(2n ** 53n);
}

/** A code for each offset of the request, when some were not kept. */
function codesOfAll({ offsets }: CommitOffsetsRequest, answer: CommitOffsetsAnswer): number[] {
  let kept = 0;
  return offsets.map((offset) => {
    if (!isKept(offset)) {
      return ErrorCode.INVALID_COMMIT_OFFSET_SIZE;
    }
    // None for all, if none was refused.
    const code = answer.offsetErrorCodes[kept] ?? ErrorCode.NONE;
    kept += 1;
    return code;
  });
}
