import { toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';

/** A new producer id, or with a transactional id its next epoch. */
export const initProducerId: AgentCall<typeof MetadataService.method.initProducerId> = async ({ owner }, request) => {
  const { producerEpoch, transactionalId, transactionTimeoutMs, clientId, agentId } = request;
  const producerId = toSafeInteger(request.producerId);
  const requestId = checkedId(request.requestId, 'request_id');
  const answer =
    transactionalId === undefined
      ? await owner.submit({ kind: 'init-producer-id', producerId, producerEpoch, requestId })
      : await owner.submit({
          kind: 'init-transactional-producer',
          transactionalId,
          producerId,
          producerEpoch,
          timeoutMs: transactionTimeoutMs,
          clientId,
          agentId,
        });
  return { ...answer, producerId: BigInt(answer.producerId) };
};
