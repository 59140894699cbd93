import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { topicResultMessage } from './messages/catalogue.ts';

export const createPartitions: AgentCall<typeof MetadataService.method.createPartitions> = async (
  { owner },
  request,
) => {
  const { results } = await owner.submit({
    kind: 'create-partitions',
    topics: request.topics.map(({ name, totalPartitions }) => ({ name, totalPartitions })),
    validateOnly: request.validateOnly,
  });
  return { results: results.map(topicResultMessage) };
};
