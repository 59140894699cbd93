// An agent's id belongs to the key that registered it. Each agent process chooses a new id at its start and keeps its key, so a key never
// has a reason to name another key's agent: agents that start with a new key have new ids.
import { Code, ConnectError } from '@connectrpc/connect';
import type { Owner } from '../owners/owner.ts';

/** Ids of agents that a request names: of the one that calls, or of the one that a Kafka client is connected to. */
interface NamesAgents {
  readonly agentId?: unknown;
  readonly client?: { readonly agentId?: unknown };
}

/** @throws ConnectError permission_denied when the request names an agent that registered with another key */
export function requireOwnAgents(owner: Pick<Owner, 'agents'>, keyId: string, request: object): void {
  const { agentId, client }: NamesAgents = request;
  requireOwnAgent(owner, keyId, agentId);
  requireOwnAgent(owner, keyId, client?.agentId);
}

/** Like {@link requireOwnAgents}, for one id. Anything but the id of an agent that is known passes. */
export function requireOwnAgent(owner: Pick<Owner, 'agents'>, keyId: string, agentId: unknown): void {
  if (typeof agentId === 'string' && agentId !== '' && !owner.agents.isOf(agentId, keyId)) {
    throw new ConnectError(
      'this agent registered with another key: an agent keeps the key that it started with, so restart it to use a new one',
      Code.PermissionDenied,
    );
  }
}
