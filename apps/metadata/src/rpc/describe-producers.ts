import { describeProducers as describe } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { checkedPartitions } from './messages/ids.ts';
import { activeProducerMessage } from './messages/transactions.ts';

const PRODUCER_BYTES = 32;

export const describeProducers: AgentCall<typeof MetadataService.method.describeProducers> = async (
  context,
  request,
) => {
  const wanted = checkedPartitions(request.partitions, 'partitions');
  const partitions = await answerInSteps(
    context,
    wanted,
    (state, partition) => describe(state, [partition]),
    (described) => described.reduce((sum, { producers }) => sum + PRODUCER_BYTES * producers.length, 0),
  );
  return {
    partitions: partitions.flat().map(({ errorCode, producers }) => ({
      errorCode,
      producers: producers.map(activeProducerMessage),
    })),
  };
};
