import { ErrorCode, idKey, toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { deedClientOf } from './deed-client.ts';
import { checkedId } from './messages/ids.ts';
import { partitionStateMessage } from './messages/runs.ts';

export const deleteRecords: AgentCall<typeof MetadataService.method.deleteRecords> = async (context, request) => {
  const { owner, noteDeed } = context;
  const partitions = request.partitions.map(({ topicId, partition, beforeOffset }, index) => ({
    topicId: checkedId(topicId, `partitions[${index}].topic_id`),
    partition,
    beforeOffset: toSafeInteger(beforeOffset),
  }));
  const { states } = await owner.submit({ kind: 'delete-records', partitions });
  const accepted = new Set(
    partitions
      .filter((_partition, at) => states[at]?.errorCode === ErrorCode.NONE)
      .map(({ topicId }) => idKey(topicId)),
  );
  const names = await owner.read(({ topics }) => [...accepted].map((topicId) => topics.get(topicId)?.name));
  const client = await deedClientOf(context, request.client);
  for (const name of names) {
    // Deleted meanwhile otherwise, which is in the audit log.
    if (name !== undefined) {
      noteDeed('delete-records', name, client);
    }
  }
  return { states: states.map(partitionStateMessage) };
};
