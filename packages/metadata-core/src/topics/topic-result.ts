// Results of the commands about topics.

import type { ErrorCode } from '../model/error-code.ts';
import type { Id } from '../model/ids.ts';
import type { TopicDescription, TopicResult } from '../model/topics.types.ts';

/** A refusal by its Kafka error code, with a message that says what to do. */
export interface Refusal {
  errorCode: ErrorCode;
  message: string;
}

export function refusedTopic(name: string, topicId: Id | null, refusal: Refusal): TopicResult {
  return { name, topicId, errorCode: refusal.errorCode, errorMessage: refusal.message, topic: null };
}

export function acceptedTopic(topic: TopicDescription): TopicResult {
  return { name: topic.name, topicId: topic.topicId, errorCode: 0, errorMessage: '', topic };
}
