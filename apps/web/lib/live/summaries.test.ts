import { describe, expect, it } from 'vitest';
import { agentCores, coresOf, NO_HEARTBEATS } from './agent-cores.ts';
import type { LiveAgent } from './live-view.ts';
import { clusterHealth } from './summaries.ts';

const AGENT: LiveAgent = {
  agentId: 'a',
  nodeId: 1,
  zone: 'eu-1a',
  version: '0.1.0',
  advertisedHost: '127.0.0.1',
  advertisedPort: 9092,
  registeredAtMs: 0,
  lastSeenMs: 10_000,
  alive: true,
  cpuMs: 1_000,
  residentBytes: 0,
  landingZones: null,
};

function later(agent: LiveAgent, afterMs: number, cpuMs: number): LiveAgent {
  return {
    ...agent,
    lastSeenMs: agent.lastSeenMs + afterMs,
    cpuMs: agent.cpuMs === null ? null : agent.cpuMs + cpuMs,
  };
}

const WRITING = { writesRefusedReason: null, writeThrottle: null };

describe('clusterHealth', () => {
  it('tells a cluster without agents yet from one that lost them', () => {
    expect(clusterHealth({ agents: { alive: 0, gone: 0, zones: [] }, ...WRITING }).label).toBe('Waiting for an agent');
    expect(clusterHealth({ agents: { alive: 0, gone: 1, zones: [] }, ...WRITING })).toMatchObject({
      tone: 'warn',
      label: 'No agent alive',
    });
  });

  it('counts zones only when there are several', () => {
    expect(clusterHealth({ agents: { alive: 1, gone: 0, zones: ['a'] }, ...WRITING }).text).toBe('1 agent alive.');
    const two = { agents: { alive: 2, gone: 0, zones: ['a', 'b'] }, ...WRITING };
    expect(clusterHealth(two).text).toBe('2 agents alive in 2 zones.');
  });

  it('says why writes are refused while an agent is running', () => {
    const capped = (alive: number) =>
      clusterHealth({
        agents: { alive, gone: 1, zones: [] },
        ...WRITING,
        writesRefusedReason: 'The spending cap is reached.',
      });
    expect(capped(1)).toMatchObject({ tone: 'warn', label: 'Writes blocked', text: 'The spending cap is reached.' });
    expect(capped(0).label).toBe('No agent alive');
  });

  it('says how much producers are slowed down and what to do', () => {
    const writeThrottle = { atMs: 0, maxWrittenBytesPerSecond: 10 * 1024 ** 2 };
    const throttled = { agents: { alive: 1, gone: 0, zones: [] }, ...WRITING, writeThrottle };
    expect(clusterHealth(throttled)).toEqual({
      tone: 'warn',
      label: 'Throttled',
      text: 'Dev clusters take 10 MiB/s before compression. Agents slow producers down to that. For more, change the mode of the cluster.',
    });
    expect(clusterHealth({ ...throttled, writesRefusedReason: 'The cap.' }).label).toBe('Writes blocked');
  });
});

describe('agentCores', () => {
  it('is CPU time over wall time between two heartbeats', () => {
    expect(agentCores(AGENT, later(AGENT, 5_000, 2_500))).toBe(0.5);
  });

  it('is unknown without two heartbeats of one process', () => {
    expect(agentCores(undefined, AGENT)).toBeNull();
    expect(agentCores(AGENT, AGENT)).toBeNull();
    expect(agentCores(AGENT, later(AGENT, 5_000, -900))).toBeNull();
    expect(agentCores({ ...AGENT, agentId: 'b' }, later(AGENT, 5_000, 10))).toBeNull();
  });

  it('stays until the next heartbeat', () => {
    const second = later(AGENT, 5_000, 2_500);
    const summed = [[AGENT], [second], [second]].reduce(coresOf, NO_HEARTBEATS);
    expect(summed.coresByAgent.get('a')).toBe(0.5);
  });
});
