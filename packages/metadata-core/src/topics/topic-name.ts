// Kafka's rules for topic names (org.apache.kafka.common.internals.Topic).
import { MAX_TOPIC_NAME_CHARS } from '../limits.ts';

/** Why a name is not a valid topic name. Null when it is. */
export function topicNameProblem(name: string): string | null {
  if (name === '') {
    return 'A topic name cannot be empty.';
  }
  if (name === '.' || name === '..') {
    return `A topic cannot be named "${name}".`;
  }
  if (name.length > MAX_TOPIC_NAME_CHARS) {
    return `A topic name has at most ${MAX_TOPIC_NAME_CHARS} characters; this one has ${name.length}.`;
  }
  if (!/^[a-zA-Z0-9._-]+$/.test(name)) {
    return 'A topic name consists of ASCII letters, digits, ".", "_" and "-".';
  }
  return null;
}
