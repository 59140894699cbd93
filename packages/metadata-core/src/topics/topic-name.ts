// Kafka's rules for topic names (org.apache.kafka.common.internals.Topic).
import { MAX_TOPIC_NAME_CHARS } from '../model/limits.ts';

const INTERNAL_TOPICS: ReadonlySet<string> = new Set([
  '__cluster_metadata',
  '__consumer_offsets',
  '__share_group_state',
  '__transaction_state',
]);

/** Whether Kafka keeps its own state in a topic of this name. Here such a topic would be an ordinary one. */
export function isInternalTopic(name: string): boolean {
  return INTERNAL_TOPICS.has(name);
}

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
