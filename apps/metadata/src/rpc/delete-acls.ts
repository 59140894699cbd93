import type { DeleteAclsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { filterOf } from './messages/security.ts';

export const deleteAcls: AgentCall<typeof MetadataService.method.deleteAcls> = async ({ owner }, request) =>
  await deleteAclsIn(owner, request);

/** Also used by AdminDeleteAcls. */
export async function deleteAclsIn(owner: Owner, { actor, filters }: DeleteAclsRequest) {
  const answer = await owner.submit({ kind: 'delete-acls', filters: filters.map(filterOf) });
  owner.noteAccessChange(actor, { deletedAcls: new Set(answer.results.flatMap(({ deleted }) => deleted)).size });
  return answer;
}
