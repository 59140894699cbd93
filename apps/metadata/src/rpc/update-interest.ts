import { ErrorCode, type PartitionStateAnswer, partitionBounds } from '@penstock/metadata-core';
import { type MetadataService, PartitionStateSchema, UpdateInterestResponseSchema } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { checkedPartitions } from './messages/ids.ts';
import { partitionStateMessage } from './messages/runs.ts';

const STATES = { entry: PartitionStateSchema, fieldNumber: UpdateInterestResponseSchema.field.states.number };
const REFUSED: PartitionStateAnswer = {
  errorCode: ErrorCode.POLICY_VIOLATION,
  logStartOffset: -1,
  highWatermark: -1,
  lastStableOffset: -1,
};

/**
 * Changes the partitions that an open stream watches. Runs that are becoming durable at this moment may be sent although the response's
 * high watermark includes them already: readers skip runs that they know. Partitions beyond what the agent may follow are refused one by
 * one: the agent asks for their records as consumers do.
 */
export const updateInterest: AgentCall<typeof MetadataService.method.updateInterest> = async (
  { owner, turn },
  request,
) => {
  const add = checkedPartitions(request.add, 'add');
  const remove = checkedPartitions(request.remove, 'remove');
  const { watchId } = request;
  let refusal: string | null = null;
  await answerInSteps({ owner, turn }, remove, (_, { topicId, partition }) => {
    const stream = owner.watches.get(watchId);
    if (stream !== undefined) {
      owner.watches.removeInterest(stream, topicId, partition);
    }
  });
  const states = await encodeInSteps({ owner, turn }, STATES, add, (state, { topicId, partition }) => {
    const bounds = partitionBounds(state, topicId, partition);
    const stream = owner.watches.get(watchId);
    if (stream === undefined || bounds.errorCode !== ErrorCode.NONE) {
      return [partitionStateMessage(bounds)];
    }
    const problem = owner.watches.addInterest(stream, topicId, partition);
    refusal ??= problem;
    return [partitionStateMessage(problem === null ? bounds : REFUSED)];
  });
  if (owner.watches.get(watchId) === undefined) {
    return { unknownWatch: true };
  }
  return withList(UpdateInterestResponseSchema, { refusal: refusal ?? '' }, states);
};
