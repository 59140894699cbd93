import { fetchOffsets as committedOffsets } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { committedOffsetMessage } from './messages/groups.ts';

export const fetchOffsets: AgentCall<typeof MetadataService.method.fetchOffsets> = async ({ owner }, request) => {
  const partitions = request.all ? 'all' : request.partitions.map(({ topic, partition }) => ({ topic, partition }));
  const offsets = await owner.read((state) =>
    committedOffsets(state, request.groupId, partitions, request.requireStable),
  );
  return { offsets: offsets.map(committedOffsetMessage) };
};
