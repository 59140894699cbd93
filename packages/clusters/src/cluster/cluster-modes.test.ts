import { describe, expect, test } from 'vitest';
import { warningOfAgents, warningOfMode } from './cluster-modes.ts';
import { loadOf } from './preview-cluster-modes.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const MIB = 1024 ** 2;

function load(...writtenMib: number[]) {
  const point = (mib: number) => ({
    startMs: 0,
    seconds: 10,
    inBytes: 1,
    inUncompressedBytes: 10 * mib * MIB,
    inRecords: 1,
    outBytes: 0,
  });
  return loadOf({ topics: [], throughput: writtenMib.map(point) });
}

describe('a change to Dev', () => {
  // Measured before compression.
  test('warns if the busiest ten seconds would be slowed down', () => {
    expect(warningOfMode('dev', load(3, 12.25, 9), NOW)).toContain('up to 12.3 MiB/s before compression');
    expect(warningOfMode('dev', load(3, 10), NOW)).toBeNull();
    expect(warningOfMode('dev', load(), NOW)).toBeNull();
  });

  test('is the only change that slows clients down', () => {
    expect(warningOfMode('standard', load(500), NOW)).toBeNull();
    expect(warningOfMode('low-latency', load(500), NOW)).toBeNull();
  });
});

describe('a change to low latency', () => {
  const agent = (nodeId: number, landingZones: string[] | null, alive = true) => ({ nodeId, alive, landingZones });
  const zones = ['use1-az4', 'use1-az5'];

  test.each([
    ['no agent', [], 'No running agent'],
    ['agents that have none', [agent(1, []), agent(2, [])], 'No running agent'],
    ['agents that have not reported any', [agent(1, null)], 'No running agent'],
    ['agents of which only a dead one has them', [agent(1, []), agent(2, zones, false)], 'No running agent'],
    ['one of two without them', [agent(1, []), agent(2, zones)], 'Agent 1 has not reported landing buckets.'],
    ['two of three without them', [agent(1, []), agent(2, null), agent(3, zones)], '2 of 3 agents have not reported'],
  ])('warns with %s, and says what to do', (_agents, agents, words) => {
    expect(warningOfAgents('low-latency', agents)).toContain(words);
    expect(warningOfAgents('low-latency', agents)).toContain('--landing-bucket');
    expect(warningOfAgents('standard', agents)).toBeNull();
  });

  test('does not warn when every running agent has landing buckets', () => {
    expect(warningOfAgents('low-latency', [agent(1, zones), agent(2, [], false)])).toBeNull();
  });
});
