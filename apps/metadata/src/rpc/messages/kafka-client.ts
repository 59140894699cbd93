// The Kafka client that asked an agent for a change, for the audit log.
import type { KafkaClient } from '@penstock/metadata-core';
import type * as messages from '@penstock/metadata-protocol';

/** The names come from clients, and every entry and audit row repeats them. */
const MAX_NAME_CHARS = 300;

const cut = (name: string | undefined): string => (name ?? '').slice(0, MAX_NAME_CHARS);

/**
 * @param agentKeyId the key by which the agent called
 * @param client as the agent named it
 */
export function kafkaClientOf(agentKeyId: string, client: messages.KafkaClient | undefined): KafkaClient {
  return {
    principal: cut(client?.principal),
    clientId: cut(client?.clientId),
    address: cut(client?.address),
    agentId: cut(client?.agentId),
    agentKeyId,
  };
}
