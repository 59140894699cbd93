import { CreatePartitionsResponseSchema, type MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { withList } from './long-list.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { encodedResults } from './topic-results.ts';

export const createPartitions: AgentCall<typeof MetadataService.method.createPartitions> = async (
  { owner, keyId },
  request,
) => {
  const topics = request.topics.map(({ name, totalPartitions }) => ({ name, totalPartitions }));
  const { validateOnly } = request;
  const client = kafkaClientOf(keyId, request.client);
  const { results } = await owner.submit({ kind: 'create-partitions', topics, validateOnly }, client);
  return withList(CreatePartitionsResponseSchema, {}, await encodedResults(owner, results));
};
