import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Deregisters an agent that shuts down: clients are sent to other agents at once. */
export const deregisterAgent: AgentCall<typeof MetadataService.method.deregisterAgent> = async ({ owner }, request) => {
  await owner.submit({ kind: 'agent-left', agentId: request.agentId });
  owner.agents.presences.forget(request.agentId);
  return {};
};
