import { toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const endTransaction: AgentCall<typeof MetadataService.method.endTransaction> = async ({ owner }, request) => {
  const answer = await owner.submit({
    kind: 'end-transaction',
    transactionalId: request.transactionalId,
    producerId: toSafeInteger(request.producerId),
    producerEpoch: request.producerEpoch,
    isCommit: request.committed,
    bumpsEpoch: request.bumpsEpoch,
  });
  return { ...answer, producerId: BigInt(answer.producerId) };
};
