import { describeProducers as describe } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedPartitions } from './messages/ids.ts';
import { activeProducerMessage } from './messages/transactions.ts';

export const describeProducers: AgentCall<typeof MetadataService.method.describeProducers> = async (
  { owner },
  request,
) => {
  const wanted = checkedPartitions(request.partitions, 'partitions');
  const partitions = await owner.read((state) => describe(state, wanted));
  return {
    partitions: partitions.map(({ errorCode, producers }) => ({
      errorCode,
      producers: producers.map(activeProducerMessage),
    })),
  };
};
