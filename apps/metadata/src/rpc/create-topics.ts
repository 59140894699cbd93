import type { CreateTopicsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { topicResultMessage } from './messages/catalogue.ts';

export const createTopics: AgentCall<typeof MetadataService.method.createTopics> = async ({ owner }, request) =>
  await createTopicsIn(owner, request);

/** Also used by AdminCreateTopics. */
export async function createTopicsIn(owner: Owner, request: CreateTopicsRequest) {
  const { results } = await owner.submit({
    kind: 'create-topics',
    topics: request.topics.map(({ name, partitions, configs }) => ({
      name,
      topicId: owner.ids.uuidBytes(),
      partitions,
      configs: configs.map((config) => ({ name: config.name, value: config.value })),
    })),
    validateOnly: request.validateOnly,
  });
  return { results: results.map(topicResultMessage) };
}
