import { listOffsets as findOffsets, toSafeInteger } from '@penstock/metadata-core';
import {
  type ListOffsetsRequest,
  ListOffsetsResponseSchema,
  type MetadataService,
  OffsetAnswerSchema,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { type Answering, nextRound } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { checkedId } from './messages/ids.ts';
import { runMessage } from './messages/runs.ts';

const ANSWERS = { entry: OffsetAnswerSchema, fieldNumber: ListOffsetsResponseSchema.field.answers.number };

export const listOffsets: AgentCall<typeof MetadataService.method.listOffsets> = (context, request) =>
  answered(context, request);

/** Also used by AdminListOffsets. */
export function listOffsetsIn(owner: Owner, request: ListOffsetsRequest) {
  return answered({ owner, turn: nextRound }, request);
}

async function answered(context: Answering, request: ListOffsetsRequest) {
  const queries = request.queries.map(({ topicId, partition, timestampMs, fromOffset, readCommitted }, index) => ({
    topicId: checkedId(topicId, `queries[${index}].topic_id`),
    partition,
    timestampMs: toSafeInteger(timestampMs),
    fromOffset: toSafeInteger(fromOffset),
    isReadCommitted: readCommitted,
  }));
  const answers = await encodeInSteps(context, ANSWERS, queries, (state, query) =>
    findOffsets(state, [query]).map(({ errorCode, offset, timestampMs, run }) => ({
      errorCode,
      offset: BigInt(offset),
      timestampMs: BigInt(timestampMs),
      ...(run === null ? {} : { run: runMessage(run) }),
    })),
  );
  return withList(ListOffsetsResponseSchema, {}, answers);
}
