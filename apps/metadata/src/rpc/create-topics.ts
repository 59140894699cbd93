import type { KafkaClient } from '@penstock/metadata-core';
import {
  type CreateTopicsRequest,
  CreateTopicsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { withList } from './long-list.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { encodedResults } from './topic-results.ts';

export const createTopics: AgentCall<typeof MetadataService.method.createTopics> = async ({ owner, keyId }, request) =>
  await createTopicsIn(owner, request, kafkaClientOf(keyId, request.client));

/** Also used by AdminCreateTopics. */
export async function createTopicsIn(owner: Owner, request: CreateTopicsRequest, client?: KafkaClient) {
  const topics = request.topics.map(({ name, partitions, configs }) => ({
    name,
    topicId: owner.ids.uuidBytes(),
    partitions,
    configs: configs.map((config) => ({ name: config.name, value: config.value })),
  }));
  const { validateOnly } = request;
  const { results } = await owner.submit({ kind: 'create-topics', topics, validateOnly }, client);
  return withList(CreateTopicsResponseSchema, {}, await encodedResults(owner, results));
}
