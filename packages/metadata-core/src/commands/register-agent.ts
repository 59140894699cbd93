// RegisterAgent: assigns a node id to an agent, and makes sure that all agents of a cluster use one bucket.

import type { RegisterAgent, RegisterAgentAnswer } from '../model/agents.types.ts';
import { MAX_AGENT_FIELD_CHARS, MAX_AGENTS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { AgentRecord, ClusterState } from '../state/cluster-state.ts';
import { forgetLeftAgents } from './agent-left.ts';

export function registerAgent(state: ClusterState, command: RegisterAgent, nowMs: number): Outcome<'register-agent'> {
  const known = state.agents.get(command.agentId);
  const refusal = refusalOf(state, command, known);
  if (refusal !== null) {
    return unchanged(refusal);
  }
  const { agentId, zone, version, advertisedHost, advertisedPort, bucket, keyId } = command;
  const described = { agentId, zone, version, advertisedHost, advertisedPort, bucket, keyId };
  if (known !== undefined && known.leftAtMs === null && isSame(known, command)) {
    return unchanged({ refused: null, nodeId: known.nodeId, settings: { ...state.settings } });
  }
  const nodeId = known?.nodeId ?? state.nextNodeId;
  if (known === undefined) {
    state.nextNodeId += 1;
  }
  forgetLeftAgents(state, nowMs);
  const registeredAtMs = known?.registeredAtMs ?? nowMs;
  state.agents.set(agentId, { ...described, nodeId, registeredAtMs, leftAtMs: null });
  return changed(
    { refused: null, nodeId, settings: { ...state.settings } },
    { catalogue: { topics: [], deletedTopicIds: [], agentsChanged: true } },
  );
}

/** Checks in a fixed order: the fields, the key, the bucket, the number of agents. */
function refusalOf(
  state: ClusterState,
  command: RegisterAgent,
  known: AgentRecord | undefined,
): RegisterAgentAnswer | null {
  const texts = [command.agentId, command.zone, command.version, command.advertisedHost, command.bucket];
  if (command.agentId === '' || texts.some((text) => text.length > MAX_AGENT_FIELD_CHARS)) {
    const message = `agent_id must not be empty, and no field longer than ${MAX_AGENT_FIELD_CHARS} characters.`;
    return { refused: 'invalid-agent', message };
  }
  const { advertisedPort } = command;
  if (!Number.isInteger(advertisedPort) || advertisedPort < 0 || advertisedPort > 65_535) {
    return { refused: 'invalid-agent', message: 'advertised_port must be 0 to 65535.' };
  }
  // An agent's id is new in each process, and the process keeps its key.
  if (known !== undefined && known.keyId !== command.keyId) {
    return { refused: 'other-key', message: 'Another agent with this id uses another key.' };
  }
  const fixedBucket = bucketInUse(state, command.agentId);
  if (fixedBucket !== null && fixedBucket !== command.bucket) {
    // The holder of a leaked key must not learn where the records are.
    const message =
      `The other agents of this cluster don't use the bucket ${command.bucket}. All agents of a cluster must use the ` +
      'same bucket: the Connect page of the cluster in the dashboard shows it.';
    return { refused: 'bucket-mismatch', message };
  }
  let registered = 0;
  for (const agent of state.agents.values()) {
    registered += agent.leftAtMs === null ? 1 : 0;
  }
  if ((known === undefined || known.leftAtMs !== null) && registered >= MAX_AGENTS) {
    return { refused: 'too-many-agents', message: `A cluster has at most ${MAX_AGENTS} agents at a time.` };
  }
  return null;
}

/** The bucket fixed by committed files or by another registered agent. Null while there is neither. */
function bucketInUse(state: ClusterState, agentId: string): string | null {
  if (state.bucket !== null) {
    return state.bucket;
  }
  for (const agent of state.agents.values()) {
    if (agent.leftAtMs === null && agent.agentId !== agentId) {
      return agent.bucket;
    }
  }
  return null;
}

function isSame(known: AgentRecord, command: RegisterAgent): boolean {
  return (
    known.zone === command.zone &&
    known.version === command.version &&
    known.advertisedHost === command.advertisedHost &&
    known.advertisedPort === command.advertisedPort &&
    known.bucket === command.bucket &&
    known.keyId === command.keyId
  );
}
