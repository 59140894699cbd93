// Results of the commands about topics.
import type { TopicDescription, TopicResult } from '../commands/topics.types.ts';
import type { ErrorCode } from '../error-code.ts';
import type { Id } from '../ids.ts';

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
