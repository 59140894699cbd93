// What creating and deleting topics share: translating the metadata service's refusals.
import type { TopicResult } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';

/** Kafka's error codes that a user can cause here. */
const KAFKA_UNKNOWN_TOPIC = 3;
const KAFKA_INVALID_TOPIC = 17;
const KAFKA_TOPIC_ALREADY_EXISTS = 36;
const KAFKA_INVALID_PARTITIONS = 37;
const KAFKA_INVALID_CONFIG = 40;

/** @throws AppError if the metadata service refused the change */
export function expectAccepted(results: TopicResult[], name: string): TopicResult {
  const result = results[0];
  if (result === undefined) {
    throw new Error('The metadata service answered for no topic.');
  }
  switch (result.errorCode) {
    case 0:
      return result;
    case KAFKA_UNKNOWN_TOPIC:
      throw new AppError({
        kind: 'not-found',
        code: 'topic_not_found',
        message: `Topic “${name}” doesn’t exist.`,
        remedy: 'It may have been deleted. Reload the list.',
      });
    case KAFKA_TOPIC_ALREADY_EXISTS:
      throw new AppError({
        kind: 'conflict',
        code: 'topic_exists',
        field: 'name',
        message: `Topic “${name}” already exists.`,
        remedy: 'Choose another name.',
      });
    case KAFKA_INVALID_TOPIC:
    case KAFKA_INVALID_PARTITIONS:
    case KAFKA_INVALID_CONFIG:
      throw new AppError({ kind: 'invalid-input', code: 'topic_invalid', message: messageOf(result) });
    default:
      throw new AppError({ kind: 'refused', code: 'topic_refused', message: messageOf(result) });
  }
}

function messageOf(result: TopicResult): string {
  return result.errorMessage === '' ? `Kafka error code ${result.errorCode}.` : result.errorMessage;
}
