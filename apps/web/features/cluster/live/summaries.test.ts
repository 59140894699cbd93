import { describe, expect, it } from 'vitest';
import type { LiveAgent, LiveView } from './live-view.ts';
import { agentCores, clusterHealth } from './summaries.ts';

const AGENT: LiveAgent = {
  agentId: 'a',
  nodeId: 1,
  zone: 'eu-1a',
  version: '0.1.0',
  advertisedHost: '127.0.0.1',
  advertisedPort: 9092,
  bucket: 'file:///tmp/penstock',
  messageBrowserUrl: null,
  registeredAtMs: 0,
  lastSeenMs: 10_000,
  alive: true,
  stats: {
    producedBytes: 0,
    producedUncompressedBytes: 0,
    producedRecords: 0,
    fetchedBytes: 0,
    objectPuts: 0,
    objectGets: 0,
    openConnections: 0,
    cpuMs: 1_000,
    residentBytes: 0,
    requests: 0,
    requestErrors: 0,
  },
};

function viewWith(agents: LiveAgent[]): LiveView {
  return {
    clusterId: 'c',
    atMs: 0,
    agents,
    topics: [],
    groups: [],
    throughput: [],
    uncompressedBytesTotal: 0,
    journalSeq: 0,
  };
}

function later(agent: LiveAgent, afterMs: number, cpuMs: number): LiveAgent {
  const stats = agent.stats === null ? null : { ...agent.stats, cpuMs: agent.stats.cpuMs + cpuMs };
  return { ...agent, lastSeenMs: agent.lastSeenMs + afterMs, stats };
}

describe('clusterHealth', () => {
  it('tells a cluster that never had an agent from one that lost its agents', () => {
    expect(clusterHealth(viewWith([])).label).toBe('Waiting for an agent');
    expect(clusterHealth(viewWith([{ ...AGENT, alive: false }]))).toMatchObject({
      tone: 'warn',
      label: 'No agent alive',
    });
  });

  it('counts zones only where there is more than one', () => {
    expect(clusterHealth(viewWith([AGENT])).text).toBe('1 agent alive.');
    const other = { ...AGENT, agentId: 'b', zone: 'eu-1b' };
    expect(clusterHealth(viewWith([AGENT, other])).text).toBe('2 agents alive in 2 zones.');
  });
});

describe('agentCores', () => {
  it('is CPU time over wall time between two heartbeats', () => {
    expect(agentCores(AGENT, later(AGENT, 5_000, 2_500))).toBe(0.5);
  });

  it('is unknown without two different heartbeats of one life', () => {
    expect(agentCores(undefined, AGENT)).toBeNull();
    expect(agentCores(AGENT, AGENT)).toBeNull();
    expect(agentCores(AGENT, later(AGENT, 5_000, -900))).toBeNull();
    expect(agentCores({ ...AGENT, agentId: 'b' }, later(AGENT, 5_000, 10))).toBeNull();
  });
});
