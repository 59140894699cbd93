import { describeProducers as describe } from '@penstock/metadata-core';
import {
  DescribeProducersResponseSchema,
  type MetadataService,
  ProducersOfPartitionSchema,
} from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { checkedPartitions } from './messages/ids.ts';
import { activeProducerMessage } from './messages/transactions.ts';

const PARTITIONS = {
  entry: ProducersOfPartitionSchema,
  fieldNumber: DescribeProducersResponseSchema.field.partitions.number,
};
const PRODUCERS_PER_PART = 500;

export const describeProducers: AgentCall<typeof MetadataService.method.describeProducers> = async (
  context,
  request,
) => {
  const wanted = checkedPartitions(request.partitions, 'partitions');
  const partitions = await encodeInSteps(context, PARTITIONS, wanted, function* (state, partition) {
    for (const { errorCode, producers } of describe(state, [partition])) {
      yield { errorCode };
      for (let start = 0; start < producers.length; start += PRODUCERS_PER_PART) {
        yield { producers: producers.slice(start, start + PRODUCERS_PER_PART).map(activeProducerMessage) };
      }
    }
  });
  return withList(DescribeProducersResponseSchema, {}, partitions);
};
