// AgentLeft: an agent deregistered, or its heartbeats stopped.

import type { AgentLeft } from '../model/agents.types.ts';
import { LEFT_AGENT_MEMORY_MS, MAX_LEFT_AGENTS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { AgentRecord, ClusterState } from '../state/cluster-state.ts';

export function agentLeft(state: ClusterState, command: AgentLeft, nowMs: number): Outcome<'agent-left'> {
  const agent = state.agents.get(command.agentId);
  if (agent === undefined || agent.leftAtMs !== null) {
    return unchanged({ left: false });
  }
  agent.leftAtMs = nowMs;
  forgetLeftAgents(state, nowMs);
  forgetAgentsBeyond(state, MAX_LEFT_AGENTS);
  return changed({ left: true }, { catalogue: { topics: [], deletedTopicIds: [], agentsChanged: true } });
}

/** Removes agents that left an hour ago, and with them their claim on their node ids. Returns how many. */
export function forgetLeftAgents(state: ClusterState, nowMs: number): number {
  let forgotten = 0;
  for (const agent of state.agents.values()) {
    if (agent.leftAtMs !== null && agent.leftAtMs + LEFT_AGENT_MEMORY_MS <= nowMs) {
      state.agents.delete(agent.agentId);
      forgotten += 1;
    }
  }
  return forgotten;
}

/** Somebody may register agents and let them leave all the time: those that left first are forgotten early. */
function forgetAgentsBeyond(state: ClusterState, most: number): void {
  let first: AgentRecord | undefined;
  let firstMs = Number.POSITIVE_INFINITY;
  let left = 0;
  for (const agent of state.agents.values()) {
    if (agent.leftAtMs !== null) {
      left += 1;
      if (agent.leftAtMs < firstMs) {
        firstMs = agent.leftAtMs;
        first = agent;
      }
    }
  }
  // One leaves at a time.
  if (left > most && first !== undefined) {
    state.agents.delete(first.agentId);
  }
}
