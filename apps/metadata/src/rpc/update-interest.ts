import { partitionBounds } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';
import { partitionStateMessage } from './messages/runs.ts';

/**
 * Changes what an open stream is told. Runs that were on their way to becoming durable at this moment may be told although the
 * answer's high watermark holds them already: a reader skips what it knows.
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
