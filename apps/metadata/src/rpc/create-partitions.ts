import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { topicResultMessage } from './messages/catalogue.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

export const createPartitions: AgentCall<typeof MetadataService.method.createPartitions> = async (
  { owner, keyId },
  request,
) => {
  const topics = request.topics.map(({ name, totalPartitions }) => ({ name, totalPartitions }));
  const { validateOnly } = request;
  const client = kafkaClientOf(keyId, request.client);
  const { results } = await owner.submit({ kind: 'create-partitions', topics, validateOnly }, client);
  return { results: results.map(topicResultMessage) };
};
