import type { KafkaClient } from '@penstock/metadata-core';
import type { DeleteGroupsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

export const deleteGroups: AgentCall<typeof MetadataService.method.deleteGroups> = async ({ owner, keyId }, request) =>
  await deleteGroupsIn(owner, request, kafkaClientOf(keyId, request.client));

/** Also used by AdminDeleteGroups. */
export async function deleteGroupsIn(owner: Owner, { groupIds }: DeleteGroupsRequest, client?: KafkaClient) {
  return await owner.submit({ kind: 'delete-groups', groupIds }, client);
}
