// Consumer groups of the new protocol, through the calls of agents.
import type { Client } from '@connectrpc/connect';
import { ConfigOp_Kind, type MetadataService } from '@penstock/metadata-protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

const GROUP_ID_NOT_FOUND = 69;
const INVALID_CONFIG = 40;
const FENCED_MEMBER_EPOCH = 110;
const STALE_MEMBER_EPOCH = 113;
const UNSUPPORTED_VERSION = 35;
const INVALID_REGULAR_EXPRESSION = 128;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let connection: AgentConnection;
let agent: Client<typeof MetadataService>;
let topicId: Uint8Array;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.url);
});

afterAll(async () => {
  connection.close();
  await server.close();
  await controlPlane.drop();
});

beforeEach(async () => {
  connection?.close();
  connection = connectAgent(server.rpcUrl, await controlPlane.createCluster());
  agent = connection.client;
  const { results } = await agent.createTopics({ topics: [{ name: 'orders', partitions: 2 }] });
  topicId = results[0]?.topicId ?? new Uint8Array(0);
});

function join(memberId: string, change: { instanceId?: string; rackId?: string; subscribedTopicRegex?: string } = {}) {
  return agent.consumerGroupHeartbeat({
    groupId: 'billing',
    memberId,
    memberEpoch: 0,
    rebalanceTimeoutMs: 60_000,
    ...(change.subscribedTopicRegex === undefined ? { subscribedTopicNames: { names: ['orders'] } } : {}),
    topicPartitions: { topics: [] },
    apiVersion: 1,
    clientId: 'client',
    clientHost: '/127.0.0.1',
    principal: 'User:ANONYMOUS',
    ...change,
  });
}

test('serves a member from joining to leaving', async () => {
  const joined = await join('a');
  expect(joined).toMatchObject({ errorCode: 0, memberId: 'a', heartbeatIntervalMs: 5_000 });
  expect(joined.assignment?.topics).toMatchObject([{ topicId, partitions: [0, 1] }]);
  const quiet = { groupId: 'billing', memberId: 'a', rebalanceTimeoutMs: -1, apiVersion: 1 };
  const next = await agent.consumerGroupHeartbeat({
    ...quiet,
    memberEpoch: joined.memberEpoch,
    clientId: 'client',
    clientHost: '/127.0.0.1',
    principal: 'User:ANONYMOUS',
  });
  expect(next).toMatchObject({ errorCode: 0, memberEpoch: joined.memberEpoch });
  expect(next.assignment).toBeUndefined();
  expect(await agent.consumerGroupHeartbeat({ ...quiet, memberEpoch: 99 })).toMatchObject({
    errorCode: FENCED_MEMBER_EPOCH,
    memberId: '',
  });
  expect((await agent.consumerGroupHeartbeat({ ...quiet, memberEpoch: -1 })).errorCode).toBe(0);
  const { groups } = await agent.listGroups({ types: ['consumer'] });
  expect(groups).toMatchObject([{ groupId: 'billing', state: 'Empty', groupType: 'Consumer' }]);
});

test('descriptions name members, epochs and partitions', async () => {
  await join('a', { instanceId: 'i', rackId: 'r' });
  const { groups } = await agent.describeConsumerGroups({ groupIds: ['billing', 'nope'] });
  expect(groups).toMatchObject([
    {
      state: 'Stable',
      assignorName: 'uniform',
      members: [
        {
          memberId: 'a',
          instanceId: 'i',
          rackId: 'r',
          subscribedTopicNames: ['orders'],
          assignment: [{ topicName: 'orders', partitions: [0, 1] }],
          targetAssignment: [{ topicName: 'orders', partitions: [0, 1] }],
        },
      ],
    },
    { errorCode: GROUP_ID_NOT_FOUND, groupId: 'nope' },
  ]);
  const classic = await agent.describeGroups({ groupIds: ['billing'] });
  expect(classic.groups).toMatchObject([{ errorCode: GROUP_ID_NOT_FOUND, state: 'Dead' }]);
});

test('commits and fetches offsets with the member’s epoch', async () => {
  const { memberEpoch } = await join('a');
  const offsets = [{ topic: 'orders', partition: 0, offset: 7n, leaderEpoch: -1, metadata: '' }];
  const commit = { groupId: 'billing', memberId: 'a', offsets };
  const commits = [
    await agent.commitOffsets({ ...commit, generationId: memberEpoch, knowsMemberEpochs: true }),
    await agent.commitOffsets({ ...commit, generationId: memberEpoch + 1, knowsMemberEpochs: true }),
    await agent.commitOffsets({ ...commit, generationId: memberEpoch }),
  ];
  expect(commits.map(({ errorCode }) => errorCode)).toEqual([0, STALE_MEMBER_EPOCH, UNSUPPORTED_VERSION]);
  const fetch = { groupId: 'billing', partitions: [{ topic: 'orders', partition: 0 }] };
  const fetched = [
    await agent.fetchOffsets({ ...fetch, memberId: 'a', memberEpoch }),
    await agent.fetchOffsets({ ...fetch, memberId: 'a', memberEpoch: memberEpoch - 1 }),
    await agent.fetchOffsets(fetch),
  ];
  expect(fetched.map(({ errorCode, offsets: found }) => [errorCode, found[0]?.offset])).toEqual([
    [0, 7n],
    [STALE_MEMBER_EPOCH, undefined],
    [0, 7n],
  ]);
});

test('accepts RE2 patterns only and finds their topics', async () => {
  const wrong = await join('a', { subscribedTopicRegex: '(orders' });
  expect(wrong.errorCode).toBe(INVALID_REGULAR_EXPRESSION);
  const backtracking = await join('a', { subscribedTopicRegex: '(a)\\1' });
  expect(backtracking.errorCode).toBe(INVALID_REGULAR_EXPRESSION);
  const right = await join('a', { subscribedTopicRegex: 'ord.*' });
  expect(right.assignment?.topics).toMatchObject([{ topicId, partitions: [0, 1] }]);
});

test('configs of groups are set, described and removed', async () => {
  const alter = (kind: ConfigOp_Kind, name: string, value: string) =>
    agent.alterGroupConfigs({ groups: [{ groupId: 'billing', ops: [{ kind, name, value }] }] });
  const session = 'consumer.session.timeout.ms';
  const results = [
    await alter(ConfigOp_Kind.SET, session, '50000'),
    await alter(ConfigOp_Kind.SET, session, '1'),
    await alter(ConfigOp_Kind.APPEND, session, '50000'),
    await alter(ConfigOp_Kind.SET, 'streams.session.timeout.ms', '50000'),
  ];
  expect(results.map((answer) => answer.results[0]?.errorCode)).toEqual([
    0,
    INVALID_CONFIG,
    INVALID_CONFIG,
    INVALID_CONFIG,
  ]);
  const { groups } = await agent.describeGroupConfigs({});
  expect(groups).toHaveLength(1);
  expect(groups[0]?.configs.find(({ name }) => name === session)).toMatchObject({ value: '50000', isDefault: false });
  await alter(ConfigOp_Kind.DELETE, session, '');
  expect((await agent.describeGroupConfigs({})).groups).toEqual([]);
});

test('refuses large patterns before compiling, with a remedy', { tags: ['timed'] }, async () => {
  for (const pattern of [
    '(a?){1000}(a?){1000}.*',
    '(a{1000})'.repeat(400),
    '\\pL{1000}'.repeat(400),
    'a'.repeat(5_000),
  ]) {
    const startMs = performance.now();
    const refused = await join('greedy', { subscribedTopicRegex: pattern });
    expect(refused.errorCode).toBe(INVALID_REGULAR_EXPRESSION);
    expect(refused.errorMessage).toMatch(/Use smaller counts|at most 4096/);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  }
});
