// Rules about missing agents, zones and the metadata service.
import {
  NO_AGENT_MEMORY_MS,
  PRESENCE_CLEAR_MS,
  PRESENCE_RAISE_MS,
  UNREACHABLE_RAISE_MS,
  ZONE_MEMORY_MS,
} from '../thresholds.ts';
import type { Rule } from './rule.ts';

export const noAgent: Rule = {
  id: 'agents.none',
  raiseAfterMs: PRESENCE_RAISE_MS,
  clearAfterMs: 0,
  observe({ agents, history, nowMs }) {
    if (agents === null) {
      return 'unknown';
    }
    if (agents.some(({ isAlive }) => isAlive) || history.aliveAtMs === null) {
      return [];
    }
    if (nowMs - history.aliveAtMs > NO_AGENT_MEMORY_MS) {
      return [];
    }
    return [
      {
        subject: {},
        severity: 'critical',
        strength: 'bad',
        cause: 'The last agent has left or isn’t responding. Clients can’t write or read.',
      },
    ];
  },
};

export const zoneWithoutAgent: Rule = {
  id: 'zone.without-agent',
  raiseAfterMs: PRESENCE_RAISE_MS,
  clearAfterMs: PRESENCE_CLEAR_MS,
  observe({ agents, history, nowMs }) {
    if (agents === null) {
      return 'unknown';
    }
    const alive = agents.filter(({ isAlive }) => isAlive);
    // All zones have lost their agents then, and one finding is enough.
    if (alive.length === 0) {
      return 'unknown';
    }
    const zones = new Set(alive.map(({ zone }) => zone));
    return history.zones
      .filter(([zone, atMs]) => zone !== '' && !zones.has(zone) && nowMs - atMs <= ZONE_MEMORY_MS)
      .map(([zone]) => ({
        subject: { zone },
        severity: 'warning' as const,
        strength: 'bad' as const,
        cause: `Zone ${zone} has no agents left. ${alive.length} in other zones ${alive.length === 1 ? 'serves' : 'serve'} its clients.`,
      }));
  },
};

export const metadataUnreachable: Rule = {
  id: 'metadata.unreachable',
  raiseAfterMs: UNREACHABLE_RAISE_MS,
  clearAfterMs: 0,
  observe({ agents, isStopped }) {
    if (agents !== null || isStopped) {
      return [];
    }
    return [
      {
        subject: {},
        severity: 'critical',
        strength: 'bad',
        cause: 'No process of the metadata service answers our checks of this cluster. Commits may fail, too.',
      },
    ];
  },
};
