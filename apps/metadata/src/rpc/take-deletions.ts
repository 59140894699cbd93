import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Hands dead files, which no partition has referred to for the restore window, to the agent for deletion. */
export const takeDeletions: AgentCall<typeof MetadataService.method.takeDeletions> = async ({ owner }, request) => ({
  fileIds: await owner.deletions.take(request.maxFiles),
});
