import { type Id, uuidV7TimeMs } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedIds } from './messages/ids.ts';

/** Far more than the age up to which a file can be committed: owners with slightly different times agree on what is over. */
const ORPHAN_AGE_MS = 3_600_000;

/**
 * Which files must stay: those that the cluster knows or may have known before entries of its journal were lost, and those that may
 * yet be committed. Agents ask for files that are an hour old by their own clocks, which may be ahead; only the owner's time decides.
 */
export const knownFiles: AgentCall<typeof MetadataService.method.knownFiles> = async ({ owner }, request) => {
  const fileIds = checkedIds(request.fileIds, 'file_ids');
  const limitMs = owner.nowMs() - ORPHAN_AGE_MS;
  const known = await owner.knownFiles(fileIds);
  return { known: known.map((isKnown, index) => isKnown || isYoung(fileIds[index], limitMs)) };
};

function isYoung(fileId: Id | undefined, limitMs: number): boolean {
  const timeMs = fileId === undefined ? undefined : uuidV7TimeMs(fileId);
  return timeMs !== undefined && timeMs >= limitMs;
}
