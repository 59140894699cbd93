import { fetchOffsets as committedOffsets, ErrorCode, offsetFetchRefusal } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { requireAnswerBytes } from './answer-in-steps.ts';
import { committedOffsetMessage } from './messages/groups.ts';

export const fetchOffsets: AgentCall<typeof MetadataService.method.fetchOffsets> = async ({ owner }, request) => {
  const partitions = request.all ? 'all' : request.partitions.map(({ topic, partition }) => ({ topic, partition }));
  const { groupId, memberId = null, memberEpoch = -1, requireStable } = request;
  return await owner.read((state) => {
    const errorCode = offsetFetchRefusal(state, groupId, memberId, memberEpoch);
    const offsets = errorCode === ErrorCode.NONE ? committedOffsets(state, groupId, partitions, requireStable) : [];
    // A partition may be listed many times, and its metadata have 4 KiB.
    requireAnswerBytes(offsets.reduce((bytes, { metadata }) => bytes + metadata.length, 0));
    return { errorCode, offsets: offsets.map(committedOffsetMessage) };
  });
};
