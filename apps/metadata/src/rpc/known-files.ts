import { knownFiles as areKnown } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/** Which files the cluster knows; the others are orphans once they are an hour old. */
export const knownFiles: AgentCall<typeof MetadataService.method.knownFiles> = async ({ owner }, request) => {
  const fileIds = checkedIds(request.fileIds, 'file_ids');
  return { known: await owner.read((state) => areKnown(state, fileIds)) };
};
