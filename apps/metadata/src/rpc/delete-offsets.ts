import { ErrorCode } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const deleteOffsets: AgentCall<typeof MetadataService.method.deleteOffsets> = async (
  { owner, noteDeed },
  request,
) => {
  const answer = await owner.submit({
    kind: 'delete-offsets',
    groupId: request.groupId,
    partitions: request.partitions.map(({ topic, partition }) => ({ topic, partition })),
  });
  if (answer.errorCode === ErrorCode.NONE) {
    noteDeed('delete-offsets', request.groupId);
  }
  return answer;
};
