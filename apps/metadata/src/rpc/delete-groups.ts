import type { DeleteGroupsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';

export const deleteGroups: AgentCall<typeof MetadataService.method.deleteGroups> = async ({ owner }, request) =>
  await deleteGroupsIn(owner, request);

/** Also used by AdminDeleteGroups. */
export async function deleteGroupsIn(owner: Owner, { groupIds }: DeleteGroupsRequest) {
  return await owner.submit({ kind: 'delete-groups', groupIds });
}
