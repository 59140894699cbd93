import type { KafkaClient } from '@penstock/metadata-core';
import type { AlterClientQuotasRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { requireAdministrator } from './administrator.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

export const alterClientQuotas: AgentCall<typeof MetadataService.method.alterClientQuotas> = async (
  context,
  request,
) => {
  await requireAdministrator(context, request.client, 'ALTER_CONFIGS');
  return await alterClientQuotasIn(context.owner, request, kafkaClientOf(context.keyId, request.client));
};

/** Also used by AdminAlterClientQuotas. */
export async function alterClientQuotasIn(owner: Owner, request: AlterClientQuotasRequest, client?: KafkaClient) {
  const { actor, validateOnly } = request;
  const alterations = request.alterations.map(({ user, clientId, ops }) => ({
    user: user ?? null,
    clientId: clientId ?? null,
    ops: ops.map(({ key, value }) => ({ key, value: value ?? null })),
  }));
  const answer = await owner.submit({ kind: 'alter-client-quotas', alterations, validateOnly }, client);
  if (!validateOnly) {
    const refused = answer.results.filter(({ errorCode }) => errorCode !== 0).length;
    owner.noteAccessChange(client?.principal || actor, { alteredQuotas: alterations.length - refused, refused });
  }
  return answer;
}
