// What creating and deleting a topic share: the metadata service's refusals, in words.
import type { TopicResult } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';

/** Kafka's error codes that a person can cause here. */
const kafkaUnknownTopic = 3;
const kafkaInvalidTopic = 17;
const kafkaTopicAlreadyExists = 36;
const kafkaInvalidPartitions = 37;
const kafkaInvalidConfig = 40;

/** @throws AppError when the metadata service refused the change */
export function expectAccepted(results: TopicResult[], name: string): TopicResult {
  const result = results[0];
  if (result === undefined) throw new Error('The metadata service answered for no topic.');
  switch (result.errorCode) {
    case 0:
      return result;
    case kafkaUnknownTopic:
      throw new AppError({
        kind: 'not-found',
        code: 'topic_not_found',
        message: `Topic “${name}” doesn’t exist.`,
        remedy: 'It may have been deleted. Reload the list.',
      });
    case kafkaTopicAlreadyExists:
      throw new AppError({
        kind: 'conflict',
        code: 'topic_exists',
        field: 'name',
        message: `Topic “${name}” already exists.`,
        remedy: 'Choose another name.',
      });
    case kafkaInvalidTopic:
    case kafkaInvalidPartitions:
    case kafkaInvalidConfig:
      throw new AppError({ kind: 'invalid-input', code: 'topic_invalid', message: messageOf(result) });
    default:
      throw new AppError({ kind: 'refused', code: 'topic_refused', message: messageOf(result) });
  }
}

function messageOf(result: TopicResult): string {
  return result.errorMessage === '' ? `Kafka error code ${result.errorCode}.` : result.errorMessage;
}
