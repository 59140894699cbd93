import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { joinMessage } from './messages/groups.ts';

/** Returns when the group is ready. A caller that disconnects meanwhile simply times out as a member. */
export const joinGroup: AgentCall<typeof MetadataService.method.joinGroup> = async ({ owner }, request) => {
  const answer = await owner.groups.join({
    kind: 'join-group',
    groupId: request.groupId,
    sessionTimeoutMs: request.sessionTimeoutMs,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs,
    memberId: request.memberId,
    newMemberId: `${request.groupInstanceId ?? request.clientId}-${owner.ids.uuid()}`,
    groupInstanceId: request.groupInstanceId ?? null,
    protocolType: request.protocolType,
    // A view would keep the whole body of the request for as long as the member stays.
    protocols: request.protocols.map(({ name, metadata }) => ({ name, metadata: metadata.slice() })),
    clientId: request.clientId,
    clientHost: request.clientHost,
    requireKnownMemberId: request.requireKnownMemberId,
    initialRebalanceDelayMs: owner.initialRebalanceDelayMs,
  });
  return joinMessage(answer, request.skipsAssignment);
};
