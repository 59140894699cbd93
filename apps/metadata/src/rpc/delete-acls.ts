import type { KafkaClient } from '@penstock/metadata-core';
import type { DeleteAclsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { requireAdministrator } from './administrator.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { filterOf } from './messages/security.ts';

export const deleteAcls: AgentCall<typeof MetadataService.method.deleteAcls> = async (context, request) => {
  await requireAdministrator(context, request.client, 'ALTER');
  return await deleteAclsIn(context.owner, request, kafkaClientOf(context.keyId, request.client));
};

/** Also used by AdminDeleteAcls. */
export async function deleteAclsIn(owner: Owner, { actor, filters }: DeleteAclsRequest, client?: KafkaClient) {
  const answer = await owner.submit({ kind: 'delete-acls', filters: filters.map(filterOf) }, client);
  const deletedAcls = new Set(answer.results.flatMap(({ deleted }) => deleted)).size;
  owner.noteAccessChange(client?.principal || actor, { deletedAcls });
  return answer;
}
