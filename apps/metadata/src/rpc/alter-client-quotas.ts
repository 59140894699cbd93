import type { AlterClientQuotasRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';

export const alterClientQuotas: AgentCall<typeof MetadataService.method.alterClientQuotas> = async (
  { owner },
  request,
) => await alterClientQuotasIn(owner, request);

/** Also used by AdminAlterClientQuotas. */
export async function alterClientQuotasIn(
  owner: Owner,
  { actor, alterations, validateOnly }: AlterClientQuotasRequest,
) {
  const answer = await owner.submit({
    kind: 'alter-client-quotas',
    alterations: alterations.map(({ user, clientId, ops }) => ({
      user: user ?? null,
      clientId: clientId ?? null,
      ops: ops.map(({ key, value }) => ({ key, value: value ?? null })),
    })),
    validateOnly,
  });
  if (!validateOnly) {
    const refused = answer.results.filter(({ errorCode }) => errorCode !== 0).length;
    owner.noteAccessChange(actor, { alteredQuotas: alterations.length - refused, refused });
  }
  return answer;
}
