import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** An agent leaves in good order: clients are sent elsewhere at once. */
export const deregisterAgent: AgentCall<typeof MetadataService.method.deregisterAgent> = async ({ owner }, request) => {
  await owner.submit({ kind: 'agent-left', agentId: request.agentId });
  owner.presences.forget(request.agentId);
  return {};
};
