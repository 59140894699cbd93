import { type Id, uuidV7TimeMs } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/**
 * Which files must stay: those that the cluster knows or may have known before entries of its journal were lost, and those that may
 * yet be committed. Agents choose whom they ask for by clocks that may be wrong; only the owner's time decides. While the collection is off, all
 * must stay.
 */
export const knownFiles: AgentCall<typeof MetadataService.method.knownFiles> = async (
  { owner, orphanAgeMs },
  request,
) => {
  const fileIds = checkedIds(request.fileIds, 'file_ids');
  if (orphanAgeMs === null) {
    return { known: fileIds.map(() => true) };
  }
  const limitMs = owner.nowMs() - orphanAgeMs;
  const known = await owner.knownFiles(fileIds);
  return { known: known.map((isKnown, index) => isKnown || isYoung(fileIds[index], limitMs)) };
};

function isYoung(fileId: Id | undefined, limitMs: number): boolean {
  const timeMs = fileId === undefined ? undefined : uuidV7TimeMs(fileId);
  return timeMs !== undefined && timeMs >= limitMs;
}
