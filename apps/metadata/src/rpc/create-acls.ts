import type { KafkaClient } from '@penstock/metadata-core';
import type { CreateAclsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { requireAdministrator } from './administrator.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { aclOf } from './messages/security.ts';

export const createAcls: AgentCall<typeof MetadataService.method.createAcls> = async (context, request) => {
  await requireAdministrator(context, request.client, 'ALTER');
  return await createAclsIn(context.owner, request, kafkaClientOf(context.keyId, request.client));
};

/** Also used by AdminCreateAcls. */
export async function createAclsIn(owner: Owner, { actor, bindings }: CreateAclsRequest, client?: KafkaClient) {
  const answer = await owner.submit({ kind: 'create-acls', bindings: bindings.map(aclOf) }, client);
  const refused = answer.results.filter(({ errorCode }) => errorCode !== 0).length;
  owner.noteAccessChange(client?.principal || actor, { createdAcls: bindings.length - refused, refused });
  return answer;
}
