import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Leases files that no partition refers to any more, for the agent to delete. */
export const takeDeletions: AgentCall<typeof MetadataService.method.takeDeletions> = async ({ owner }, request) =>
  await owner.submit({ kind: 'take-deletions', maxFiles: request.maxFiles });
