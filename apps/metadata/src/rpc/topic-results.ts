// What became of the topics of a request: thousands of them, each with its configs or the reason for its refusal.
import type { TopicResult } from '@penstock/metadata-core';
import { CreateTopicsResponseSchema, TopicResultSchema } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { nextRound } from './answer-in-steps.ts';
import { type EncodedList, encodeInSteps } from './long-list.ts';
import { topicResultMessage } from './messages/catalogue.ts';

/** The entry type and field number of results, which are the same in all responses with results. */
const RESULTS = { entry: TopicResultSchema, fieldNumber: CreateTopicsResponseSchema.field.results.number };

export function encodedResults(owner: Owner, results: readonly TopicResult[]): Promise<EncodedList> {
  return encodeInSteps({ owner, turn: nextRound }, RESULTS, results, (_state, result) => [topicResultMessage(result)]);
}
