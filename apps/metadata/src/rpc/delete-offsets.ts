import { ErrorCode } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { deedClientOf } from './deed-client.ts';

export const deleteOffsets: AgentCall<typeof MetadataService.method.deleteOffsets> = async (context, request) => {
  const answer = await context.owner.submit({
    kind: 'delete-offsets',
    groupId: request.groupId,
    partitions: request.partitions.map(({ topic, partition }) => ({ topic, partition })),
  });
  if (answer.errorCode === ErrorCode.NONE) {
    context.noteDeed('delete-offsets', request.groupId, await deedClientOf(context, request.client));
  }
  return answer;
};
