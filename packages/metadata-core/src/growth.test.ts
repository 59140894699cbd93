// What one cluster may hold of what multiplies. See MEMORY_LIMITS.
import { expect, test } from 'vitest';
import { heldBytes } from './growth.ts';
import { ErrorCode } from './model/error-code.ts';
import type { JoinGroup } from './model/groups.types.ts';
import {
  MAX_GROUP_CONFIGS,
  MAX_LEFT_AGENTS,
  MAX_REMEMBERED_GRANTS,
  MAX_REMEMBERED_PRODUCERS,
  MEMORY_LIMITS,
  PRODUCER_EXPIRATION_MS,
} from './model/limits.ts';
import { memoryBytes } from './state/memory.ts';
import { commitOf, id, TestCluster } from './testing/cluster.ts';
import { accountsFromScratch, accountsOf } from './testing/memory-from-scratch.ts';

const MIB = 1024 * 1024;
/** Shared, so that the test itself needs no memory. */
const METADATA = new Uint8Array(MIB - 1_000);

function join(cluster: TestCluster, groupId: string, change: Partial<JoinGroup> = {}) {
  return cluster.do({
    kind: 'join-group',
    groupId,
    sessionTimeoutMs: 1_800_000,
    rebalanceTimeoutMs: 60_000,
    memberId: '',
    newMemberId: `member-of-${groupId}`,
    groupInstanceId: null,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: METADATA }],
    clientId: 'c',
    clientHost: '/h',
    requireKnownMemberId: false,
    initialRebalanceDelayMs: 0,
    ...change,
  });
}

function joinMany(cluster: TestCluster, count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const answer = join(cluster, `g${at}`);
    return answer.waiting ? ErrorCode.NONE : answer.errorCode;
  });
}

test('bounds members of all groups together and frees memory', () => {
  const cluster = new TestCluster();
  const empty = memoryBytes(cluster.state);
  const codes = joinMany(cluster, 300);
  expect(codes.slice(0, 250).every((code) => code === ErrorCode.NONE)).toBe(true);
  expect(codes.slice(260).every((code) => code === ErrorCode.GROUP_MAX_SIZE_REACHED)).toBe(true);
  expect(heldBytes(cluster.state, 'groups')).toBeLessThanOrEqual(MEMORY_LIMITS.groups);
  expect(memoryBytes(cluster.state).groups).toBeGreaterThan(200 * MIB);
  // A small one is refused, too: the bound has no back door.
  cluster.do({ kind: 'leave-group', groupId: 'g0', members: [{ memberId: 'member-of-g0', groupInstanceId: null }] });
  expect(join(cluster, 'g0')).toMatchObject({ waiting: true });
  for (let at = 0; at < 300; at += 1) {
    const members = [{ memberId: `member-of-g${at}`, groupInstanceId: null }];
    cluster.do({ kind: 'leave-group', groupId: `g${at}`, members });
  }
  cluster.do({ kind: 'delete-groups', groupIds: Array.from({ length: 300 }, (_, at) => `g${at}`) });
  expect(memoryBytes(cluster.state)).toEqual(empty);
});

test('lets a member rejoin a full cluster unless it grows', () => {
  const cluster = new TestCluster();
  joinMany(cluster, 300);
  const memberId = 'member-of-g0';
  const smaller = { memberId, protocols: [{ name: 'range', metadata: METADATA.subarray(0, 100) }] };
  expect(join(cluster, 'g0', { memberId })).toMatchObject({ errorCode: ErrorCode.NONE });
  expect(join(cluster, 'g0', smaller)).toMatchObject({ waiting: true });
  expect(accountsOf(cluster.state)).toEqual(accountsFromScratch(cluster.state));
});

test('tells refused members of the new protocol what is full', () => {
  const cluster = new TestCluster();
  joinMany(cluster, 300);
  const refused = cluster.do({
    kind: 'consumer-group-heartbeat',
    groupId: 'new',
    memberId: 'm',
    newMemberId: 'm',
    memberEpoch: 0,
    instanceId: null,
    rackId: null,
    rebalanceTimeoutMs: 60_000,
    subscribedTopics: ['x'.repeat(MIB / 2)],
    subscribedRegex: null,
    serverAssignor: null,
    owned: [],
    apiVersion: 1,
    clientId: 'c',
    clientHost: '/h',
    principal: 'User:ANONYMOUS',
  });
  expect(refused.errorCode).toBe(ErrorCode.GROUP_MAX_SIZE_REACHED);
  expect(refused.errorMessage).toMatch(/^The virtual cluster holds \d+ of 256 MiB of consumer groups/);
});

test('bounds offsets, but lets a group recommit what it holds', () => {
  const cluster = new TestCluster();
  cluster.topic(1, 40_000, 't');
  const metadata = 'm'.repeat(4_096);
  const commit = (groupId: string, from: number, count: number, text = metadata) =>
    cluster.do({
      kind: 'commit-offsets',
      groupId,
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: Array.from({ length: count }, (_, at) => ({
        topic: 't',
        partition: from + at,
        offset: 5,
        leaderEpoch: -1,
        metadata: text,
      })),
    }).errorCode;
  const codes = Array.from({ length: 40 }, (_, at) => commit('g', at * 1_000, 1_000));
  expect(codes).toContain(ErrorCode.INVALID_COMMIT_OFFSET_SIZE);
  expect(codes.slice(0, 31).every((code) => code === ErrorCode.NONE)).toBe(true);
  expect(heldBytes(cluster.state, 'offsets')).toBeLessThanOrEqual(MEMORY_LIMITS.offsets);
  expect(commit('h', 0, 1_000)).toBe(ErrorCode.INVALID_COMMIT_OFFSET_SIZE);
  expect(commit('g', 0, 1_000)).toBe(ErrorCode.NONE);
  // Less metadata makes room.
  expect(commit('g', 0, 1_000, '')).toBe(ErrorCode.NONE);
  expect(commit('h', 0, 900)).toBe(ErrorCode.NONE);
  expect(accountsOf(cluster.state)).toEqual(accountsFromScratch(cluster.state));
});

test('bounds names of transactional ids; existing ids continue', () => {
  const cluster = new TestCluster();
  const init = (number: number) =>
    cluster.do({
      kind: 'init-transactional-producer',
      transactionalId: `${number}-`.padEnd(1_024, 'x'),
      timeoutMs: 60_000,
      producerId: -1,
      producerEpoch: -1,
      clientId: 'c'.repeat(255),
      agentId: 'a'.repeat(1_024),
    }).errorCode;
  const codes = Array.from({ length: 45_000 }, (_, at) => init(at));
  expect(codes.at(-1)).toBe(ErrorCode.POLICY_VIOLATION);
  expect(codes.indexOf(ErrorCode.POLICY_VIOLATION)).toBeGreaterThan(35_000);
  expect(heldBytes(cluster.state, 'transactions')).toBeLessThanOrEqual(MEMORY_LIMITS.transactions);
  expect(init(0)).toBe(ErrorCode.NONE);
});

test('bounds topic configs and regains room from deleted topics', () => {
  const cluster = new TestCluster();
  const value = Array.from({ length: 250 }, () => '1:1').join();
  const configs = ['leader.replication.throttled.replicas', 'follower.replication.throttled.replicas'].map((name) => ({
    name,
    value,
  }));
  const create = (at: number) =>
    cluster.do({
      kind: 'create-topics',
      topics: [{ name: `t${at}`, topicId: id(at + 1), partitions: 1, configs }],
      validateOnly: false,
    }).results[0];
  const first = create(0);
  expect(first).toMatchObject({ errorCode: ErrorCode.NONE });
  const perTopic = heldBytes(cluster.state, 'topics');
  const fitting = Math.floor(MEMORY_LIMITS.topics / perTopic);
  let at = 1;
  for (; create(at)?.errorCode === ErrorCode.NONE; at += 1) {
    expect(at).toBeLessThan(fitting + 10);
  }
  expect(create(at)).toMatchObject({
    errorCode: ErrorCode.POLICY_VIOLATION,
    errorMessage: expect.stringMatching(/128 of 128 MiB of names and configs of topics/),
  });
  cluster.do({ kind: 'delete-topics', names: ['t0', 't1'], topicIds: [] });
  expect(create(at)).toMatchObject({ errorCode: ErrorCode.NONE });
});

test('bounds departed agents, retry answers and group configs', () => {
  const cluster = new TestCluster();
  for (let at = 0; at < MAX_LEFT_AGENTS + 50; at += 1) {
    const agentId = `a${at}`;
    cluster.do({
      kind: 'register-agent',
      agentId,
      zone: 'z',
      version: '1',
      advertisedHost: 'h',
      advertisedPort: 9_092,
      bucket: 's3://b',
      keyId: 'k',
    });
    cluster.nowMs += 1;
    cluster.do({ kind: 'agent-left', agentId });
  }
  expect(cluster.state.agents.size).toBe(MAX_LEFT_AGENTS);
  expect(cluster.state.agents.has('a49')).toBe(false);
  expect(cluster.state.agents.has('a50')).toBe(true);
  for (let at = 0; at < MAX_REMEMBERED_GRANTS + 10; at += 1) {
    cluster.do({ kind: 'init-producer-id', requestId: id(at), producerId: -1, producerEpoch: -1 });
  }
  expect(cluster.state.producerIdGrants.size).toBe(MAX_REMEMBERED_GRANTS);
  const groups = Array.from({ length: MAX_GROUP_CONFIGS + 1 }, (_, at) => ({
    groupId: `g${at}`,
    ops: [{ name: 'consumer.session.timeout.ms', value: '50000' }],
  }));
  const { results } = cluster.do({ kind: 'alter-group-configs', groups, validateOnly: false });
  expect(results.at(-1)).toMatchObject({ errorCode: ErrorCode.POLICY_VIOLATION });
  expect(results.at(-2)).toMatchObject({ errorCode: ErrorCode.NONE });
});

test('bounds the idempotent producers of partitions', () => {
  const cluster = new TestCluster();
  cluster.topic(1, 2);
  const { partitionMemory } = cluster.state;
  const write = (partition: number, producerId: number, sequence: number) =>
    cluster.outcome(
      commitOf(cluster.newFileId(), [{ partition, batches: [{ records: 1, producer: [producerId, 0, sequence] }] }]),
    );
  write(0, 1, 0);
  // Millions of them would take this test minutes.
  partitionMemory.producerCount = MAX_REMEMBERED_PRODUCERS - 1;
  expect(write(0, 2, 0).answer.batchErrorCode).toHaveLength(0);
  const refused = write(1, 2, 0);
  expect(refused.lacksMemory).toBe(true);
  expect([...refused.answer.batchErrorCode]).toEqual([ErrorCode.POLICY_VIOLATION]);
  // Those that it knows go on, and so do producers without an id.
  expect(write(0, 1, 1).answer.batchErrorCode).toHaveLength(0);
  expect(cluster.commit([{ partition: 1, batches: [{ records: 1 }] }]).batchErrorCode).toHaveLength(0);
  // They are forgotten a day later.
  partitionMemory.producerCount = 2;
  cluster.nowMs += PRODUCER_EXPIRATION_MS + 1;
  cluster.expire();
  expect(accountsOf(cluster.state)).toEqual(accountsFromScratch(cluster.state));
  expect(partitionMemory.producerCount).toBe(0);
});
