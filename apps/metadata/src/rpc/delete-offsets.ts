import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const deleteOffsets: AgentCall<typeof MetadataService.method.deleteOffsets> = async ({ owner }, request) =>
  await owner.submit({
    kind: 'delete-offsets',
    groupId: request.groupId,
    partitions: request.partitions.map(({ topic, partition }) => ({ topic, partition })),
  });
