import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { syncMessage } from './messages/groups.ts';

/** Returns when the leader has sent the assignments. */
export const syncGroup: AgentCall<typeof MetadataService.method.syncGroup> = async ({ owner }, request) => {
  const answer = await owner.groups.sync({
    kind: 'sync-group',
    groupId: request.groupId,
    generationId: request.generationId,
    memberId: request.memberId,
    groupInstanceId: request.groupInstanceId ?? null,
    protocolType: request.protocolType,
    protocolName: request.protocolName,
    assignments: request.assignments.map(({ memberId, assignment }) => ({ memberId, assignment: assignment.slice() })),
  });
  return syncMessage(answer);
};
