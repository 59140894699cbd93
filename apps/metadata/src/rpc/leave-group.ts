import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const leaveGroup: AgentCall<typeof MetadataService.method.leaveGroup> = async ({ owner }, request) =>
  await owner.submit({
    kind: 'leave-group',
    groupId: request.groupId,
    members: request.members.map(({ memberId, groupInstanceId }) => ({
      memberId,
      groupInstanceId: groupInstanceId ?? null,
    })),
  });
