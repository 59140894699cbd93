import { describe, expect, test } from 'vitest';
import type { LiveAgent } from '../../lib/live';
import {
  type AgentFigures,
  agentRows,
  haveLandingBuckets,
  inOrder,
  kafkaAddress,
  landingSummary,
  landingText,
  stateOf,
  zoneSummaries,
} from './agent-rows';

function agent(nodeId: number, change: Partial<LiveAgent> = {}): LiveAgent {
  return {
    agentId: `agent-${nodeId}`,
    nodeId,
    zone: 'a',
    version: '0.1.0',
    advertisedHost: '10.0.0.1',
    advertisedPort: 9_092,
    registeredAtMs: 0,
    lastSeenMs: 0,
    alive: true,
    cpuMs: null,
    residentBytes: null,
    landingZones: null,
    ...change,
  };
}

function reading(nodeId: number, change: Partial<AgentFigures> = {}): AgentFigures {
  return {
    agentId: `agent-${nodeId}`,
    producedBytesPerS: 0,
    fetchedBytesPerS: 0,
    errorsPerS: 0,
    cpuCores: 0,
    residentBytes: null,
    produceP99Ms: null,
    ...change,
  };
}

const none = new Map<string, number>();

test('an agent without a report shows data of its heartbeat', () => {
  const [row] = agentRows([agent(1)], [], new Map([['agent-1', 0.5]]));
  expect(row).toMatchObject({ reading: undefined, cpuCores: 0.5, residentBytes: undefined });
});

test('measurements of a departed agent are not shown as current', () => {
  const [row] = agentRows([agent(1, { alive: false })], [reading(1, { cpuCores: 3 })], new Map([['agent-1', 3]]));
  expect(row).toMatchObject({ reading: undefined, cpuCores: undefined });
});

test('live agents come first, in the order of their nodes', () => {
  const rows = agentRows([agent(3), agent(1, { alive: false }), agent(2)], [], none);
  expect(inOrder(rows).map((row) => row.agent.nodeId)).toEqual([2, 3, 1]);
});

test('agents with errors, without errors and gone are distinct', () => {
  const rows = agentRows(
    [agent(1), agent(2), agent(3, { alive: false })],
    [reading(1, { errorsPerS: 0.1 }), reading(2)],
    none,
  );
  expect(rows.map(stateOf)).toEqual(['errors', 'ok', 'gone']);
});

test('a zone sums its live agents and shows their worst p99', () => {
  const rows = agentRows(
    [agent(2), agent(1), agent(3, { zone: 'b', version: '0.2.0' }), agent(4, { zone: 'b', alive: false })],
    [
      reading(1, { producedBytesPerS: 10, cpuCores: 1, produceP99Ms: 20 }),
      reading(2, { producedBytesPerS: 5, cpuCores: 2, produceP99Ms: 400, errorsPerS: 1 }),
    ],
    none,
  );
  const [a, b] = zoneSummaries(rows);
  expect(a).toMatchObject({ zone: 'a', alive: 2, withErrors: 1, producedBytesPerS: 15, cpuCores: 3, worstP99Ms: 400 });
  expect(a?.rows.map((row) => row.agent.nodeId)).toEqual([1, 2]);
  expect(b).toMatchObject({ zone: 'b', alive: 1, withErrors: 0, worstP99Ms: null, versions: ['0.2.0'] });
  expect(b?.rows).toHaveLength(2);
});

test('an agent that only merges files shows no client address', () => {
  expect(kafkaAddress(agent(1))).toBe('10.0.0.1:9092');
  expect(kafkaAddress(agent(1, { advertisedPort: 0 }))).toBe('None (jobs only)');
});

// Of the others, whether they have none or don't say.
test('shows landing zones once any agent has some', () => {
  const agents = [agent(1), agent(2, { landingZones: [] }), agent(3, { landingZones: ['use1-az6', 'use1-az4'] })];
  expect(agents.map(landingText)).toEqual(['Not reported', 'None', 'use1-az4, use1-az6']);
  expect(haveLandingBuckets(agentRows(agents, [], none))).toBe(true);
  expect(haveLandingBuckets(agentRows(agents.slice(0, 2), [], none))).toBe(false);
});

describe('the landing zones of all agents', () => {
  const zones = ['use1-az6', 'use1-az4'];
  const withZones = (...nodeIds: number[]) =>
    nodeIds.map((nodeId) => agent(nodeId, { landingZones: zones.toReversed() }));
  const summary = (...agents: LiveAgent[]) => landingSummary(agentRows(agents, [], none));

  test('are listed once if they are the same', () => {
    expect(summary(...withZones(1), agent(2, { landingZones: zones }))).toBe('use1-az4, use1-az6 on all agents');
    expect(summary(...withZones(1))).toBe('use1-az4, use1-az6 on node 1');
  });

  test('name the agents that differ, up to three', () => {
    const all = [agent(1, { landingZones: [] }), ...withZones(2, 3, 4, 5), agent(6), agent(7)];
    expect(summary(...all)).toBe('use1-az4, use1-az6 on 4 agents; not reported by nodes 6, 7; none on node 1');
  });

  test('are left out if no running agent has any', () => {
    expect(
      summary(agent(1), agent(2, { landingZones: [] }), agent(3, { alive: false, landingZones: zones })),
    ).toBeNull();
  });
});
