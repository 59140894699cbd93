// Checks the listeners that an agent reports, which the other agents hand to Kafka clients.
import type { AgentListener } from '@penstock/metadata-protocol';
import type { ListenerAddress } from '../owners/agent-presence.ts';

const MOST_LISTENERS = 16;
const LONGEST_NAME_CHARS = 32;
const LONGEST_HOST_CHARS = 255;
const KNOWN_MECHANISMS: ReadonlySet<string> = new Set(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER']);

/** The listeners, without fields that this version does not know. None if the agent reports anything that no agent would. */
export function listenerAddresses(listeners: readonly AgentListener[]): ListenerAddress[] {
  return listeners.length <= MOST_LISTENERS && listeners.every(isPlausible)
    ? listeners.map(({ name, host, port, tls, saslMechanisms }) => ({
        name,
        host,
        port,
        tls,
        saslMechanisms: saslMechanisms.filter((mechanism) => KNOWN_MECHANISMS.has(mechanism)),
      }))
    : [];
}

function isPlausible({ name, host, port }: AgentListener): boolean {
  const isNamed = name.length >= 1 && name.length <= LONGEST_NAME_CHARS;
  const hasHost = host.length >= 1 && host.length <= LONGEST_HOST_CHARS;
  return isNamed && hasHost && port >= 1 && port <= 65_535;
}
