import type { KafkaClient } from '@penstock/metadata-core';
import {
  type DeleteTopicsRequest,
  DeleteTopicsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { withList } from './long-list.ts';
import { checkedIds } from './messages/ids.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { encodedResults } from './topic-results.ts';

export const deleteTopics: AgentCall<typeof MetadataService.method.deleteTopics> = async ({ owner, keyId }, request) =>
  await deleteTopicsIn(owner, request, kafkaClientOf(keyId, request.client));

/** Also used by AdminDeleteTopics. */
export async function deleteTopicsIn(owner: Owner, request: DeleteTopicsRequest, client?: KafkaClient) {
  const topicIds = checkedIds(request.topicIds, 'topic_ids');
  const { results } = await owner.submit({ kind: 'delete-topics', names: request.names, topicIds }, client);
  return withList(DeleteTopicsResponseSchema, {}, await encodedResults(owner, results));
}
