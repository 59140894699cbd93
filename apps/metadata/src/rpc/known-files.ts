import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/** Which files the cluster knows, or may have known before entries of its journal were lost; the others are orphans once they are an hour old. */
export const knownFiles: AgentCall<typeof MetadataService.method.knownFiles> = async ({ owner }, request) => {
  return { known: await owner.knownFiles(checkedIds(request.fileIds, 'file_ids')) };
};
