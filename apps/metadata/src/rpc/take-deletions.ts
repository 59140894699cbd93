import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Leases dead files, which no partition refers to, to the agent for deletion. */
export const takeDeletions: AgentCall<typeof MetadataService.method.takeDeletions> = async ({ owner }, request) =>
  await owner.submit({ kind: 'take-deletions', maxFiles: request.maxFiles });
