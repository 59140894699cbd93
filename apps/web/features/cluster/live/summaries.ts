// Figures that the pages derive from a view. Pure.
import type { LiveAgent, LiveView } from './live-view.ts';

export type Health = { tone: 'ok' | 'warn' | 'neutral'; label: string; text: string };

/** One line on how the cluster is, from what its agents and its metering say. */
export function clusterHealth(view: LiveView): Health {
  const alive = view.agents.filter((agent) => agent.alive);
  const gone = view.agents.length - alive.length;
  if (view.agents.length === 0) {
    return {
      tone: 'neutral',
      label: 'Waiting for an agent',
      text: 'No agent has registered yet. Start one to serve clients.',
    };
  }
  if (alive.length === 0) {
    return {
      tone: 'warn',
      label: 'No agent alive',
      text: 'Clients cannot produce or consume until an agent runs again. Records that were acknowledged are safe in your bucket.',
    };
  }
  const zones = new Set(alive.map((agent) => agent.zone).filter((zone) => zone !== '')).size;
  const agents = `${alive.length} ${alive.length === 1 ? 'agent' : 'agents'} alive`;
  const where = zones > 1 ? ` in ${zones} zones` : '';
  const lost = gone > 0 ? `; ${gone} left within the last hour` : '';
  return { tone: 'ok', label: 'Healthy', text: `${agents}${where}${lost}.` };
}

/**
 * Cores that an agent used between two views; null without two heartbeats of the same life to compare.
 * CPU time is a counter since the agent's start.
 */
export function agentCores(before: LiveAgent | undefined, after: LiveAgent): number | null {
  if (before?.stats == null || after.stats === null || before.agentId !== after.agentId) {
    return null;
  }
  const elapsedMs = after.lastSeenMs - before.lastSeenMs;
  const usedMs = after.stats.cpuMs - before.stats.cpuMs;
  return elapsedMs > 0 && usedMs >= 0 ? usedMs / elapsedMs : null;
}
