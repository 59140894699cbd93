import { toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';

export const initProducerId: AgentCall<typeof MetadataService.method.initProducerId> = async ({ owner }, request) => {
  const answer = await owner.submit({
    kind: 'init-producer-id',
    producerId: toSafeInteger(request.producerId),
    producerEpoch: request.producerEpoch,
    requestId: checkedId(request.requestId, 'request_id'),
  });
  return { ...answer, producerId: BigInt(answer.producerId) };
};
