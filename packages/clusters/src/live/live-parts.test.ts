import { expect, test } from 'vitest';
import type { LiveAgent, LiveClusterView } from '../cluster/cluster-view.ts';
import { livePart } from './live-parts.ts';

function agent(nodeId: number, change: Partial<LiveAgent> = {}): LiveAgent {
  return {
    agentId: `agent-${nodeId}`,
    nodeId,
    zone: 'a',
    version: '0.1.0',
    advertisedHost: `10.0.0.${nodeId}`,
    advertisedPort: 9_092,
    registeredAtMs: 0,
    lastSeenMs: 0,
    alive: true,
    bucket: 's3://b',
    messageBrowserUrl: null,
    landingZones: null,
    listeners: [],
    stats: null,
    ...change,
  };
}

const offset = { topic: 't', partition: 0, committedOffset: 5, lagRecords: 3, lagSeconds: 1 };
const view: LiveClusterView = {
  clusterId: 'c',
  atMs: 9,
  agents: [
    agent(1, { alive: false, zone: 'gone' }),
    agent(2, { zone: 'b' }),
    agent(3, { messageBrowserUrl: 'http://10.0.0.3:1' }),
    agent(4, { zone: '' }),
  ],
  topics: [
    {
      topicId: 'id',
      name: 't',
      createdAtMs: 0,
      configs: [],
      partitions: [0, 1].map((partition) => ({ partition, logStartOffset: 0, highWatermark: 8, storedBytes: 1 })),
      records: 16,
      storedBytes: 2,
    },
  ],
  groups: [
    {
      groupId: 'g',
      type: 'Classic',
      state: 'Stable',
      protocolType: 'consumer',
      protocolName: 'range',
      groupEpoch: null,
      members: [],
      offsets: [offset],
      totalLagRecords: 3,
      maxLagSeconds: 1,
    },
  ],
  throughput: [],
  uncompressedBytesTotal: 0,
  journalSeq: 1,
  writesRefusedReason: 'The spending cap is reached.',
  writeThrottle: null,
  metadataMemory: { accounts: [{ name: 'groups', heldBytes: 1, limitBytes: 2 }], refusal: null },
};

test('counts live agents and returns one address as bootstrap', () => {
  expect(livePart(view, { kind: 'summary' })).toEqual({
    clusterId: 'c',
    atMs: 9,
    agents: { alive: 3, gone: 1, zones: ['a', 'b'], withMessageBrowser: 1 },
    bootstrap: { host: '10.0.0.2', port: 9_092 },
    listeners: [],
    bucket: 's3://b',
    topics: 1,
    partitions: 2,
    groups: 1,
    lagRecords: 3,
    writesRefusedReason: 'The spending cap is reached.',
    writeThrottle: null,
    metadataMemory: view.metadataMemory,
  });
});

test('an agent that only merges files is never the bootstrap', () => {
  const merging = view.agents.map((agent) => ({ ...agent, advertisedPort: 0 }));
  expect(livePart({ ...view, agents: merging }, { kind: 'summary' })).toMatchObject({ bootstrap: null });
});

test('lists what a row shows and returns details by name', () => {
  expect(livePart(view, { kind: 'topics' })).toMatchObject([{ name: 't', partitions: 2, records: 16 }]);
  expect(livePart(view, { kind: 'groups' })).toMatchObject([{ groupId: 'g', members: 0, partitions: 1 }]);
  expect(livePart(view, { kind: 'topic', name: 't' })).toBe(view.topics[0]);
  expect(livePart(view, { kind: 'group', name: 'g' })).toBe(view.groups[0]);
  expect(livePart(view, { kind: 'topic', name: 'other' })).toBeNull();
});

test('shows no figures for an agent without a heartbeat', () => {
  expect(livePart(view, { kind: 'agents' })[0]).toMatchObject({ agentId: 'agent-1', cpuMs: null, residentBytes: null });
  const landing = { ...view, agents: [agent(1, { landingZones: ['use1-az4'] }), agent(2)] };
  expect(livePart(landing, { kind: 'agents' })).toMatchObject([{ landingZones: ['use1-az4'] }, { landingZones: null }]);
});

test('lists a topic’s groups with the furthest behind first', () => {
  const [known] = view.groups;
  const member = (memberId: string, topic: string) => ({
    memberId,
    clientId: '',
    clientHost: '',
    groupInstanceId: null,
    assignment: [{ topic, partitions: [0] }],
    memberEpoch: null,
    targetAssignment: null,
  });
  const groups = known && [
    { ...known, groupId: 'starting', offsets: [], members: [member('a', 't'), member('b', 'other')] },
    { ...known, groupId: 'behind', offsets: [offset, { ...offset, partition: 1, lagRecords: 4, lagSeconds: null }] },
    { ...known, groupId: 'elsewhere', offsets: [{ ...offset, topic: 'other' }] },
  ];
  expect(livePart({ ...view, groups: groups ?? [] }, { kind: 'consumers', name: 't' })).toEqual([
    { groupId: 'behind', type: 'Classic', state: 'Stable', members: 0, partitions: 2, lagRecords: 7, lagSeconds: 1 },
    {
      groupId: 'starting',
      type: 'Classic',
      state: 'Stable',
      members: 1,
      partitions: 0,
      lagRecords: 0,
      lagSeconds: null,
    },
  ]);
});

test('shows a throttle for a minute after the last report', () => {
  const writeThrottle = { atMs: 1_000, maxWrittenBytesPerSecond: 10 };
  const at = (atMs: number) => livePart({ ...view, atMs, writeThrottle }, { kind: 'summary' }).writeThrottle;
  expect(at(60_999)).toEqual(writeThrottle);
  expect(at(61_000)).toBeNull();
});
