import type { KafkaClient } from '@penstock/metadata-core';
import type { AlterUserScramCredentialsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { requireAdministrator } from './administrator.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { verifierOf } from './messages/security.ts';

export const alterUserScramCredentials: AgentCall<typeof MetadataService.method.alterUserScramCredentials> = async (
  context,
  request,
) => {
  await requireAdministrator(context, request.client, 'ALTER');
  return await alterUserScramCredentialsIn(context.owner, request, kafkaClientOf(context.keyId, request.client));
};

/** Also used by AdminAlterUserScramCredentials. */
export async function alterUserScramCredentialsIn(
  owner: Owner,
  request: AlterUserScramCredentialsRequest,
  client?: KafkaClient,
) {
  const upserts = request.upserts.map(verifierOf);
  const deletions = request.deletions.map(({ user, mechanism }) => ({ user, mechanism }));
  const answer = await owner.submit({ kind: 'alter-user-scram-credentials', upserts, deletions }, client);
  owner.noteAccessChange(client?.principal || request.actor, {
    replacedCredentials: upserts.length,
    deletedCredentials: deletions.length,
    refused: answer.results.filter(({ errorCode }) => errorCode !== 0).length,
  });
  return answer;
}
