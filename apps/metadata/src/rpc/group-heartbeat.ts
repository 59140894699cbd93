import { ErrorCode, heartbeat } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

/** A member's sign of life, and where it learns that a rebalance is under way. Not journaled. */
export const groupHeartbeat: AgentCall<typeof MetadataService.method.groupHeartbeat> = async ({ owner }, request) => {
  const { groupId, generationId, memberId } = request;
  const groupInstanceId = request.groupInstanceId ?? null;
  const errorCode = await owner.read((state) => heartbeat(state, { groupId, generationId, memberId, groupInstanceId }));
  if (errorCode === ErrorCode.NONE || errorCode === ErrorCode.REBALANCE_IN_PROGRESS) {
    owner.touchMember({ groupId, memberId });
  }
  return { errorCode };
};
