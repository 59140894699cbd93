import { ErrorCode, heartbeat } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** Extends a member's session and tells it when a rebalance is in progress. Not journaled. */
export const groupHeartbeat: AgentCall<typeof MetadataService.method.groupHeartbeat> = async ({ owner }, request) => {
  const { groupId, generationId, memberId } = request;
  const groupInstanceId = request.groupInstanceId ?? null;
  const errorCode = await owner.read((state) => heartbeat(state, { groupId, generationId, memberId, groupInstanceId }));
  if (errorCode === ErrorCode.NONE || errorCode === ErrorCode.REBALANCE_IN_PROGRESS) {
    owner.groups.touch({ groupId, memberId });
  }
  return { errorCode };
};
