import { type Id, uuidV7TimeMs } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/**
 * Which files must be kept: those that the cluster knows, or may have known before its journal lost entries, and those that may still be
 * committed. Agents choose the files by clocks that may be wrong, so only the owner's time decides: the time at which it would apply a
 * commit now, which is the past while PostgreSQL holds entries up. While orphan collection is disabled, all files must be kept.
 */
export const knownFiles: AgentCall<typeof MetadataService.method.knownFiles> = async (
  { owner, orphanAgeMs },
  request,
) => {
  const fileIds = checkedIds(request.fileIds, 'file_ids');
  if (orphanAgeMs === null) {
    return { known: fileIds.map(() => true) };
  }
  const limitMs = owner.nextCommandMs() - orphanAgeMs;
  const known = await owner.knownFiles(fileIds);
  return { known: known.map((isKnown, index) => isKnown || isYoung(fileIds[index], limitMs)) };
};

function isYoung(fileId: Id | undefined, limitMs: number): boolean {
  const timeMs = fileId === undefined ? undefined : uuidV7TimeMs(fileId);
  return timeMs !== undefined && timeMs >= limitMs;
}
