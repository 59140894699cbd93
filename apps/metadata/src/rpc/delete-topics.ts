import type { DeleteTopicsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { topicResultMessage } from './messages/catalogue.ts';
import { checkedIds } from './messages/ids.ts';

export const deleteTopics: AgentCall<typeof MetadataService.method.deleteTopics> = async ({ owner }, request) =>
  await deleteTopicsIn(owner, request);

/** Also used by AdminDeleteTopics. */
export async function deleteTopicsIn(owner: Owner, request: DeleteTopicsRequest) {
  const topicIds = checkedIds(request.topicIds, 'topic_ids');
  const { results } = await owner.submit({ kind: 'delete-topics', names: request.names, topicIds });
  return { results: results.map(topicResultMessage) };
}
