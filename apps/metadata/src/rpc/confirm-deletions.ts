import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/** Confirms that an agent has deleted objects. */
export const confirmDeletions: AgentCall<typeof MetadataService.method.confirmDeletions> = async (
  { owner },
  request,
) => {
  await owner.deletions.confirm(checkedIds(request.fileIds, 'file_ids'));
  return {};
};
