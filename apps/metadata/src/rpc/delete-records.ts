import { toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';
import { partitionStateMessage } from './messages/runs.ts';

export const deleteRecords: AgentCall<typeof MetadataService.method.deleteRecords> = async ({ owner }, request) => {
  const partitions = request.partitions.map(({ topicId, partition, beforeOffset }, index) => ({
    topicId: checkedId(topicId, `partitions[${index}].topic_id`),
    partition,
    beforeOffset: toSafeInteger(beforeOffset),
  }));
  const { states } = await owner.submit({ kind: 'delete-records', partitions });
  return { states: states.map(partitionStateMessage) };
};
