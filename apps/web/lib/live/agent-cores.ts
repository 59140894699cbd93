// CPU cores used by agents, computed from the CPU time in their heartbeats. Pure.
import type { LiveAgent } from './live-view.ts';

export interface Heartbeats {
  coresByAgent: ReadonlyMap<string, number>;
  /** Per agent, its state with its newest heartbeat. */
  newest: ReadonlyMap<string, LiveAgent>;
}

export const NO_HEARTBEATS: Heartbeats = { coresByAgent: new Map(), newest: new Map() };

/** Agent updates arrive more often than heartbeats, so the value stays until the next heartbeat. */
export function coresOf(before: Heartbeats, agents: readonly LiveAgent[]): Heartbeats {
  const coresByAgent = new Map<string, number>();
  const newest = new Map<string, LiveAgent>();
  for (const agent of agents) {
    const known = before.newest.get(agent.agentId);
    const cores = agentCores(known, agent) ?? before.coresByAgent.get(agent.agentId);
    if (cores !== undefined) {
      coresByAgent.set(agent.agentId, cores);
    }
    newest.set(agent.agentId, known !== undefined && known.lastSeenMs === agent.lastSeenMs ? known : agent);
  }
  return { coresByAgent, newest };
}

/**
 * Cores that an agent used between two heartbeats; null without two heartbeats of the same process.
 * CPU time is a counter since the agent's start.
 */
export function agentCores(before: LiveAgent | undefined, after: LiveAgent): number | null {
  if (before === undefined || before.agentId !== after.agentId) {
    return null;
  }
  if (before.cpuMs === null || after.cpuMs === null) {
    return null;
  }
  const elapsedMs = after.lastSeenMs - before.lastSeenMs;
  const usedMs = after.cpuMs - before.cpuMs;
  return elapsedMs > 0 && usedMs >= 0 ? usedMs / elapsedMs : null;
}
