import { partitionBounds } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';
import { partitionStateMessage } from './messages/runs.ts';

/**
 * Changes the partitions that an open stream watches. Runs that are becoming durable at this moment may be sent although the response's
 * high watermark includes them already: readers skip runs that they know.
 */
export const updateInterest: AgentCall<typeof MetadataService.method.updateInterest> = async ({ owner }, request) => {
  const add = request.add.map(({ topicId, partition }, index) => ({
    topicId: checkedId(topicId, `add[${index}].topic_id`),
    partition,
  }));
  const remove = request.remove.map(({ topicId, partition }, index) => ({
    topicId: checkedId(topicId, `remove[${index}].topic_id`),
    partition,
  }));
  return await owner.read((state) => {
    if (!owner.updateInterest(request.watchId, add, remove)) {
      return { unknownWatch: true };
    }
    return {
      states: add.map(({ topicId, partition }) => partitionStateMessage(partitionBounds(state, topicId, partition))),
    };
  });
};
