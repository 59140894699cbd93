// The life of an agent, over the wire: each call once, with the response that the contract promises.
import { Code } from '@connectrpc/connect';
import { ErrorCode } from '@penstock/metadata-core';
import { ConfigOp_Kind } from '@penstock/metadata-protocol';
import { messageBrowserPublicKey, newId } from '@penstock/platform';
import { HOUR_MS } from '@penstock/units';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MetadataServer, startServer } from '../server.ts';
import { type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { ADMIN_KEYS, BROWSE_KEYS, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer, testSettings } from '../testing/test-server.ts';

const RECORDS = 10;
const BATCH_BYTES = 1_000;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let connection: AgentConnection;
let client: AgentConnection['client'];
let clusterId: string;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});

afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

beforeEach(async () => {
  const cluster = await controlPlane.createCluster();
  clusterId = cluster.clusterId;
  connection = connectAgent(server.rpcUrl, cluster);
  client = connection.client;
});

afterEach(() => {
  connection.close();
});

function register(
  agentId = 'agent-1',
  internal: { internalUrl?: string; internalKeySha256?: Uint8Array<ArrayBuffer> } = {},
) {
  return client.registerAgent({
    agentId,
    zone: 'eu-1a',
    version: '0.1.0',
    advertisedHost: 'agent.example',
    advertisedPort: 9092,
    bucket: 'mem://bucket',
    ...internal,
  });
}

async function createTopic(name = 'orders', partitions = 2): Promise<Uint8Array> {
  const { results } = await client.createTopics({ topics: [{ name, partitions }] });
  expect(results[0]?.errorCode).toBe(ErrorCode.NONE);
  return results[0]?.topicId ?? new Uint8Array();
}

/** A data file with one batch in each of these partitions. */
function fileOf(topicId: Uint8Array, partitions: number[]) {
  const each = <Value>(value: Value): Value[] => partitions.map(() => value);
  return {
    fileId: Buffer.from(newId().replaceAll('-', ''), 'hex'),
    fileBytes: BigInt(partitions.length * BATCH_BYTES),
    topicIds: [topicId],
    runTopic: each(0),
    runPartition: partitions,
    runPosition: partitions.map((_, run) => BigInt(run * BATCH_BYTES)),
    runBatches: each(1),
    batchBytes: each(BATCH_BYTES),
    batchRecords: each(RECORDS),
    batchMaxTimestampMs: each(1_760_000_000_000n),
    batchUncompressedBytes: each(2_000n),
  };
}

test('an agent registers, is listed, sends heartbeats and leaves', async () => {
  const registered = await register();
  expect(registered).toMatchObject({ clusterId, nodeId: 1, settings: { autoCreateTopics: true } });
  expect(registered.heartbeatIntervalMs).toBeGreaterThan(0);
  expect((await register('agent-2')).nodeId).toBe(2);
  expect((await client.agentHeartbeat({ agentId: 'agent-1', stats: { openConnections: 3 } })).unknownAgent).toBe(false);
  expect((await client.agentHeartbeat({ agentId: 'stranger' })).unknownAgent).toBe(true);
  await client.deregisterAgent({ agentId: 'agent-2' });
  const { agents } = await client.describeCluster({});
  expect(agents.map(({ agentId, alive }) => [agentId, alive])).toEqual([
    ['agent-1', true],
    ['agent-2', false],
  ]);
  expect((await client.agentHeartbeat({ agentId: 'agent-2' })).unknownAgent).toBe(true);
});

test('another key of the cluster cannot act for an agent', async () => {
  await register();
  const other = connectAgent(server.rpcUrl, { clusterId, ...(await controlPlane.createKey(clusterId)) });
  const agent = {
    agentId: 'agent-1',
    advertisedHost: 'agent.example',
    advertisedPort: 9092,
    bucket: 'mem://bucket',
  };
  try {
    const refused = { code: Code.PermissionDenied };
    await expect(other.client.deregisterAgent({ agentId: 'agent-1' })).rejects.toMatchObject(refused);
    await expect(other.client.registerAgent(agent)).rejects.toMatchObject(refused);
    await expect(other.client.agentHeartbeat({ agentId: 'agent-1', notReady: 'x' })).rejects.toMatchObject(refused);
    expect((await client.describeCluster({})).agents).toMatchObject([{ agentId: 'agent-1', alive: true }]);
    await client.deregisterAgent({ agentId: 'agent-1' });
    expect((await client.describeCluster({})).agents).toMatchObject([{ agentId: 'agent-1', alive: false }]);
  } finally {
    other.close();
  }
});

test('advertises a message browser with the key for its tokens', async () => {
  const registered = await client.registerAgent({
    agentId: 'agent-1',
    version: '0.1.0',
    advertisedHost: 'agent.example',
    advertisedPort: 9092,
    bucket: 'mem://bucket',
    messageBrowserUrl: 'https://records.example.com',
  });
  expect(registered.messageBrowserKeys).toEqual(
    BROWSE_KEYS.map(({ secret }) => messageBrowserPublicKey(secret, clusterId)),
  );
  const advertised = async () => (await client.describeCluster({})).agents.map((agent) => agent.messageBrowserUrl);
  expect(await advertised()).toEqual(['https://records.example.com']);
  const beat = (messageBrowserUrl: string) => client.agentHeartbeat({ agentId: 'agent-1', messageBrowserUrl });
  expect((await beat('https://other.example.com')).messageBrowserKeys).toEqual(registered.messageBrowserKeys);
  expect(await advertised()).toEqual(['https://other.example.com']);
  for (const refused of ['', "https://x;script-src 'unsafe-inline'"]) {
    await beat(refused);
    expect(await advertised()).toEqual(['']);
  }
});

test('tells an agent without landing buckets from an older one', async () => {
  await register();
  const reported = async () => (await client.describeCluster({})).agents.map(({ landing }) => landing?.zones);
  expect(await reported()).toEqual([undefined]);
  for (const [landing, zones] of [
    [{ zones: ['use1-az4', 'use1-az5'] }, ['use1-az4', 'use1-az5']],
    [{ zones: [] }, []],
    [{ zones: ['<script>'] }, undefined],
    [undefined, undefined],
  ] as const) {
    await client.agentHeartbeat({ agentId: 'agent-1', ...(landing && { landing: { zones: [...landing.zones] } }) });
    expect(await reported()).toEqual([zones]);
  }
});

test('only registered agents get the peer secrets', async () => {
  const { peerSecrets } = await register();
  expect(peerSecrets.map(({ signs }) => signs)).toEqual([false, true, false]);
  expect(new Set(peerSecrets.map(({ secret }) => Buffer.from(secret).toString('hex'))).size).toBe(3);
  const answer = await client.agentHeartbeat({ agentId: 'agent-1' });
  // A period may have passed in between.
  expect(peerSecrets).toContainEqual(answer.peerSecrets[0]);
  expect((await client.agentHeartbeat({ agentId: 'stranger' })).peerSecrets).toEqual([]);
  await client.deregisterAgent({ agentId: 'agent-1' });
  expect((await client.agentHeartbeat({ agentId: 'agent-1' })).peerSecrets).toEqual([]);

  const other = await controlPlane.createCluster();
  const elsewhere = connectAgent(server.rpcUrl, other);
  const { peerSecrets: foreign } = await elsewhere.client.registerAgent({
    agentId: 'agent-1',
    advertisedHost: 'agent.example',
    advertisedPort: 9092,
    bucket: 'mem://bucket',
  });
  elsewhere.close();
  for (const { secret } of foreign) {
    expect(peerSecrets.map((own) => own.secret)).not.toContainEqual(secret);
  }
});

/** The internal addresses of agents in the catalogues of a stream. */
async function* internalAddresses(signal: AbortSignal) {
  for await (const { catalogue } of client.watch({ agentId: 'agent-1' }, { signal })) {
    if (catalogue?.agentsChanged === true) {
      yield catalogue.agents.map(({ internalUrl, internalKeySha256 }) => [
        internalUrl,
        ...internalKeySha256.slice(0, 1),
      ]);
    }
  }
}

// From a new owner with the next heartbeat.
test('agents learn only internal origins of each other', async () => {
  await register();
  const aborted = new AbortController();
  const urls = internalAddresses(aborted.signal);
  const next = async () => (await urls.next()).value;
  expect(await next()).toEqual([['']]);
  const internalKeySha256 = new Uint8Array(32).fill(7);
  const beat = (internalUrl: string) => client.agentHeartbeat({ agentId: 'agent-1', internalUrl, internalKeySha256 });
  await beat('http://10.0.3.7:9466');
  expect(await next()).toEqual([['http://10.0.3.7:9466', 7]]);
  // Repeating it is not news.
  await beat('http://10.0.3.7:9466');
  await beat('http://10.0.3.7:9466/and/more');
  expect(await next()).toEqual([['', 7]]);
  aborted.abort();
  await expect(urls.next()).rejects.toThrow();
});

test('the catalogue never names an address without its key', async () => {
  const internalUrl = 'http://10.0.3.7:9466';
  const internalKeySha256 = new Uint8Array(32).fill(7);
  await register('agent-1', { internalUrl, internalKeySha256 });
  const aborted = new AbortController();
  const addresses = internalAddresses(aborted.signal);
  const next = async () => (await addresses.next()).value;
  expect(await next()).toEqual([[internalUrl, 7]]);
  // Repeating it is not news. A key that changed is, although the address did not.
  await client.agentHeartbeat({ agentId: 'agent-1', internalUrl, internalKeySha256 });
  await client.agentHeartbeat({ agentId: 'agent-1', internalUrl, internalKeySha256: new Uint8Array(32).fill(8) });
  expect(await next()).toEqual([[internalUrl, 8]]);
  aborted.abort();
  await expect(addresses.next()).rejects.toThrow();
});

test('a malformed key hash is refused in every call', async () => {
  const internalKeySha256 = new Uint8Array(31);
  const refused = { code: Code.InvalidArgument, rawMessage: expect.stringContaining('has 31 bytes') };
  await expect(register('agent-1', { internalKeySha256 })).rejects.toMatchObject(refused);
  await register();
  await expect(client.agentHeartbeat({ agentId: 'agent-1', internalKeySha256 })).rejects.toMatchObject(refused);
});

test('an internal address without a key is refused in every call', async () => {
  const internalUrl = 'http://10.0.3.7:9466';
  const refused = { code: Code.InvalidArgument, rawMessage: expect.stringContaining('has 0 bytes') };
  await expect(register('agent-1', { internalUrl })).rejects.toMatchObject(refused);
  await register();
  await expect(client.agentHeartbeat({ agentId: 'agent-1', internalUrl })).rejects.toMatchObject(refused);
});

test("agents learn each other's listeners", async () => {
  await register();
  const aborted = new AbortController();
  const watched = (async function* () {
    for await (const { catalogue } of client.watch({ agentId: 'agent-1' }, { signal: aborted.signal })) {
      if (catalogue?.agentsChanged === true) {
        yield catalogue.agents.map(({ listeners }) =>
          listeners.map(({ name, host, port }) => `${name}=${host}:${port}`),
        );
      }
    }
  })();
  const next = async () => (await watched.next()).value;
  expect(await next()).toEqual([[]]);
  const listeners = [
    { name: 'internal', host: 'agent-1.internal', port: 9092 },
    { name: 'external', host: 'kafka.example.com', port: 9093 },
  ];
  await client.agentHeartbeat({ agentId: 'agent-1', listeners });
  expect(await next()).toEqual([['internal=agent-1.internal:9092', 'external=kafka.example.com:9093']]);
  // Repeating them is not news.
  await client.agentHeartbeat({ agentId: 'agent-1', listeners });
  await client.agentHeartbeat({ agentId: 'agent-1' });
  expect(await next()).toEqual([[]]);
  aborted.abort();
  await expect(watched.next()).rejects.toThrow();
});

test('creates, describes, extends, configures and deletes topics', async () => {
  const topicId = await createTopic();
  const again = await client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
  expect(again.results[0]?.errorCode).toBe(ErrorCode.TOPIC_ALREADY_EXISTS);
  const grown = await client.createPartitions({ topics: [{ name: 'orders', totalPartitions: 5 }] });
  expect(grown.results[0]?.topic?.partitions).toBe(5);
  const op = { kind: ConfigOp_Kind.SET, name: 'retention.ms', value: '60000' };
  const altered = await client.alterConfigs({ topics: [{ name: 'orders', ops: [op] }] });
  expect(altered.results[0]?.topic?.configs).toMatchObject([{ name: 'retention.ms', value: '60000' }]);
  const { topics } = await client.describeCluster({ topicIds: [topicId] });
  expect(topics).toMatchObject([{ name: 'orders', partitions: 5 }]);
  const deleted = await client.deleteTopics({ names: ['orders', 'missing'] });
  expect(deleted.results.map((result) => result.errorCode)).toEqual([0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]);
  expect((await client.describeCluster({})).topics).toEqual([]);
});

test('finds a committed file and repeats its offsets', async () => {
  await register();
  const topicId = await createTopic();
  const file = fileOf(topicId, [0, 1]);
  const answer = await client.commitFile(file);
  expect(answer).toMatchObject({
    errorCode: 0,
    batchBaseOffset: [0n, 0n],
    batchErrorCode: [],
    runLogStartOffset: [0n, 0n],
  });
  expect((await client.commitFile(file)).batchBaseOffset).toEqual([0n, 0n]);
  expect((await client.commitFile(fileOf(topicId, [1]))).batchBaseOffset).toEqual([BigInt(RECORDS)]);

  const { located } = await client.locate({
    cursors: [
      { topicId, partition: 1, offset: 3n, maxBytes: 1 },
      { topicId, partition: 1, offset: 99n, maxBytes: 1 },
      { topicId, partition: 7, offset: 0n, maxBytes: 1 },
    ],
  });
  expect(located[0]).toMatchObject({
    errorCode: 0,
    highWatermark: 20n,
    runs: [{ position: 1_000n, bytes: BATCH_BYTES, baseOffset: 0n, records: RECORDS, fileBytes: 2_000n }],
  });
  expect(Buffer.from(located[0]?.runs[0]?.fileId ?? []).equals(file.fileId)).toBe(true);
  expect(located[1]?.errorCode).toBe(ErrorCode.OFFSET_OUT_OF_RANGE);
  expect(located[2]?.errorCode).toBe(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);

  const query = (timestampMs: bigint) => ({ topicId, partition: 1, timestampMs });
  const { answers } = await client.listOffsets({ queries: [query(-1n), query(-2n), query(1_760_000_000_000n)] });
  expect(answers.map(({ offset }) => offset)).toEqual([20n, 0n, 0n]);
  expect(answers[2]?.run?.baseOffset).toBe(0n);
});

test('dead files are known until their deletion is confirmed', async () => {
  await register();
  const topicId = await createTopic();
  const file = fileOf(topicId, [0]);
  await client.commitFile(file);
  const { states } = await client.deleteRecords({ partitions: [{ topicId, partition: 0, beforeOffset: -1n }] });
  expect(states).toMatchObject([{ errorCode: 0, logStartOffset: 10n, highWatermark: 10n }]);
  const stranger = new Uint8Array(16);
  expect((await client.knownFiles({ fileIds: [file.fileId, stranger] })).known).toEqual([true, false]);
  // Readers may still use the file during a grace period: nothing is handed out yet, and confirming other files is ignored.
  expect((await client.takeDeletions({ agentId: 'agent-1', maxFiles: 10 })).fileIds).toEqual([]);
  await client.confirmDeletions({ fileIds: [stranger] });
  expect((await client.knownFiles({ fileIds: [file.fileId] })).known).toEqual([true]);
});

// However far ahead the asking agent's clock is.
test('a file that may still be committed is no orphan', async () => {
  await register();
  const idOf = (timeMs: number) => Buffer.from(newId(timeMs).replaceAll('-', ''), 'hex');
  const [fresh, young, old] = [1, 47 * HOUR_MS, 49 * HOUR_MS].map((agoMs) => idOf(Date.now() - agoMs));
  const fileIds = [fresh, young, old].filter((id) => id !== undefined);
  expect((await client.knownFiles({ fileIds })).known).toEqual([true, true, false]);
});

test('every file is known while orphan collection is off', async () => {
  const frozen = await startServer(
    { ...testSettings(controlPlane.database.ownerUrl), orphanAgeMs: null },
    silentLogger,
  );
  const cluster = await controlPlane.createCluster();
  const agent = connectAgent(frozen.rpcUrl, cluster);
  const old = Buffer.from(newId(Date.now() - 49 * 3_600_000).replaceAll('-', ''), 'hex');
  expect((await agent.client.knownFiles({ fileIds: [old] })).known).toEqual([true]);
  agent.close();
  await frozen.close();
});

test('an agent that is not ready is left out of the catalogue', async () => {
  await register();
  await register('agent-2');
  const events = client.watch({ agentId: 'agent-2' })[Symbol.asyncIterator]();
  const seen = async (): Promise<string[]> => {
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        throw new Error('the stream has ended');
      }
      const { catalogue } = next.value;
      if (catalogue?.agentsChanged === true) {
        return catalogue.agents.map(({ agentId }) => agentId);
      }
    }
  };
  expect(await seen()).toEqual(['agent-1', 'agent-2']);
  await client.agentHeartbeat({ agentId: 'agent-1', notReady: 'its files are refused' });
  expect(await seen()).toEqual(['agent-2']);
  await client.agentHeartbeat({ agentId: 'agent-1' });
  expect(await seen()).toEqual(['agent-1', 'agent-2']);
});

test('an agent gets the time by which its files are judged', async () => {
  const before = Date.now();
  const times = [(await register()).serverTimeMs, (await client.agentHeartbeat({ agentId: 'agent-1' })).serverTimeMs];
  for (const serverTimeMs of times) {
    expect(Math.abs(Number(serverTimeMs) - before)).toBeLessThan(60_000);
  }
});

test('each request gets one new producer id, even if repeated', async () => {
  const requestId = Buffer.from(newId().replaceAll('-', ''), 'hex');
  const ask = (id: Uint8Array) => client.initProducerId({ producerId: -1n, producerEpoch: -1, requestId: id });
  const first = await ask(requestId);
  expect(first.producerEpoch).toBe(0);
  expect((await ask(requestId)).producerId).toBe(first.producerId);
  expect((await ask(new Uint8Array(16).fill(1))).producerId).not.toBe(first.producerId);
});

test('serves the whole life of a consumer group', async () => {
  await createTopic();
  const groupId = 'billing';
  const request = {
    groupId,
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: 30_000,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Uint8Array.of(1) }],
    clientId: 'client',
    clientHost: '/127.0.0.1',
    requireKnownMemberId: true,
  };
  const answer = await client.joinGroup(request);
  expect(answer.errorCode).toBe(ErrorCode.MEMBER_ID_REQUIRED);
  expect(answer.memberId).toMatch(/^client-/);
  const { memberId } = answer;
  const joined = await client.joinGroup({ ...request, memberId });
  expect(joined).toMatchObject({ errorCode: 0, generationId: 1, leader: memberId, protocolName: 'range' });
  const member = { groupId, generationId: 1, memberId };
  const synced = await client.syncGroup({ ...member, assignments: [{ memberId, assignment: Uint8Array.of(9) }] });
  expect([...synced.assignment]).toEqual([9]);
  expect((await client.groupHeartbeat(member)).errorCode).toBe(0);
  expect((await client.groupHeartbeat({ ...member, generationId: 7 })).errorCode).toBe(ErrorCode.ILLEGAL_GENERATION);

  const at = (topic: string) => ({ topic, partition: 0, offset: 4n, leaderEpoch: 0, metadata: 'm' });
  const committed = await client.commitOffsets({ ...member, offsets: [at('orders'), at('missing')] });
  expect(committed).toMatchObject({ errorCode: 0, offsetErrorCodes: [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] });
  const partitions = [
    { topic: 'orders', partition: 0 },
    { topic: 'orders', partition: 1 },
  ];
  const fetched = await client.fetchOffsets({ groupId, partitions });
  expect(fetched.offsets.map(({ offset }) => offset)).toEqual([4n, -1n]);
  expect((await client.fetchOffsets({ groupId, all: true })).offsets).toHaveLength(1);

  expect((await client.listGroups({})).groups).toMatchObject([{ groupId, state: 'Stable' }]);
  const { groups } = await client.describeGroups({ groupIds: [groupId, 'missing'] });
  expect(groups.map(({ state }) => state)).toEqual(['Stable', 'Dead']);
  expect(groups[0]?.members).toMatchObject([{ memberId, clientId: 'client' }]);
  expect((await client.deleteGroups({ groupIds: [groupId] })).errorCodes).toEqual([ErrorCode.NON_EMPTY_GROUP]);
  const left = await client.leaveGroup({ groupId, members: [{ memberId }, { memberId: 'stranger' }] });
  expect(left.memberErrorCodes).toEqual([0, ErrorCode.UNKNOWN_MEMBER_ID]);
  const forgotten = await client.deleteOffsets({ groupId, partitions: [{ topic: 'orders', partition: 0 }] });
  expect(forgotten).toMatchObject({ errorCode: 0, partitionErrorCodes: [0] });
});

test('a watch stream starts with the catalogue, then changes', async () => {
  await register();
  const topicId = await createTopic();
  const events = client.watch({ agentId: 'agent-1' })[Symbol.asyncIterator]();
  const first = (await events.next()).value;
  expect(first?.catalogue).toMatchObject({ full: true, agentsChanged: true, topics: [{ name: 'orders' }] });
  expect(first?.catalogue?.agents).toMatchObject([{ agentId: 'agent-1', alive: true }]);
  const watchId = first?.watchId ?? '';
  const interest = await client.updateInterest({
    watchId,
    add: [
      { topicId, partition: 0 },
      { topicId, partition: 9 },
    ],
  });
  expect(interest.states).toMatchObject([
    { errorCode: 0, highWatermark: 0n },
    { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION },
  ]);
  expect((await client.updateInterest({ watchId: 'stale' })).unknownWatch).toBe(true);
  await client.commitFile(fileOf(topicId, [0, 1]));
  let updates = (await events.next()).value?.partitions ?? [];
  while (updates.length === 0) {
    updates = (await events.next()).value?.partitions ?? [];
  }
  expect(updates).toMatchObject([{ partition: 0, highWatermark: 10n, runs: [{ baseOffset: 0n, records: RECORDS }] }]);
});

test('the dashboard shows the cluster and follows changes', async () => {
  await register();
  const topicId = await createTopic();
  await client.commitFile(fileOf(topicId, [0, 1]));
  const offset = { topic: 'orders', partition: 0, offset: 4n, leaderEpoch: -1, metadata: '' };
  await client.commitOffsets({ groupId: 'billing', generationId: -1, memberId: '', offsets: [offset] });
  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  try {
    const view = await admin.client.getClusterView({ clusterId });
    expect(view).toMatchObject({
      agents: [{ agentId: 'agent-1', zone: 'eu-1a', alive: true }],
      topics: [{ topic: { name: 'orders' }, highWatermark: [10n, 10n], storedBytes: [1_000n, 1_000n] }],
      groups: [
        {
          group: { groupId: 'billing', state: 'Empty' },
          lagRecords: [6n],
          firstUnreadMaxTimestampMs: [1_760_000_000_000n],
        },
      ],
      uncompressedBytesTotal: 4_000n,
    });
    // Per second: the commit is in one point, whether or not others have started since.
    const committed = view.throughput.filter(({ inBytes }) => inBytes > 0n);
    expect(committed).toMatchObject([{ inBytes: 2_000n, inUncompressedBytes: 4_000n, inRecords: 20n }]);
    const views = admin.client.watchClusterView({ clusterId })[Symbol.asyncIterator]();
    await views.next();
    const created = await admin.client.adminCreateTopics({
      clusterId,
      request: { topics: [{ name: 'more', partitions: 1 }] },
    });
    expect(created.results[0]?.errorCode).toBe(0);
    // A view may already have been in progress.
    let topics = 0;
    while (topics !== 2) {
      topics = (await views.next()).value?.topics.length ?? 0;
    }
    const deleted = await admin.client.adminDeleteTopics({ clusterId, request: { names: ['more'] } });
    expect(deleted.results[0]?.errorCode).toBe(0);
  } finally {
    admin.close();
  }
});

test('the dashboard shows why writes are refused', async () => {
  await register();
  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  const refusal = async () => (await admin.client.getClusterView({ clusterId })).writesRefusedReason;
  try {
    expect(await refusal()).toBeUndefined();
    await controlPlane.pool.query(
      `INSERT INTO billing_account (organization_id, capped_month, writes_refused_reason, updated_at)
       VALUES ('org', date_trunc('month', now() AT TIME ZONE 'UTC')::date, 'The cap is reached.', now())`,
    );
    await expect.poll(refusal, { timeout: 60_000 }).toBe('The cap is reached.');
  } finally {
    await controlPlane.pool.query(`DELETE FROM billing_account WHERE organization_id = 'org'`);
    admin.close();
  }
});

test('the dashboard makes changes by the same rules as clients', async () => {
  await register();
  const topicId = await createTopic();
  await client.commitFile(fileOf(topicId, [0, 1]));
  const offset = { topic: 'orders', partition: 0, leaderEpoch: -1, metadata: '' };
  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  try {
    const alter = async (value: string) => {
      const ops = [{ kind: ConfigOp_Kind.SET, name: 'retention.ms', value }];
      const answer = await admin.client.adminAlterConfigs({
        clusterId,
        request: { topics: [{ name: 'orders', ops }] },
      });
      return answer.results[0]?.errorCode;
    };
    expect(await alter('3600000')).toBe(0);
    expect(await alter('soon')).toBe(ErrorCode.INVALID_CONFIG);
    const request = { groupId: 'billing', generationId: -1, memberId: '', offsets: [{ ...offset, offset: 10n }] };
    expect((await admin.client.adminCommitOffsets({ clusterId, request })).errorCode).toBe(0);
    expect(await admin.client.getClusterView({ clusterId })).toMatchObject({
      groups: [{ lagRecords: [0n], firstUnreadMaxTimestampMs: [-1n] }],
    });
    const atTime = async (timestampMs: bigint) => {
      const queries = [{ topicId, partition: 0, timestampMs }];
      return (await admin.client.adminListOffsets({ clusterId, request: { queries } })).answers[0]?.offset;
    };
    expect(await atTime(1_760_000_000_000n)).toBe(0n);
    expect(await atTime(1_760_000_000_001n)).toBe(-1n);
    const back = { ...request, offsets: [{ ...offset, offset: 2n }] };
    expect((await admin.client.adminCommitOffsets({ clusterId, request: back })).errorCode).toBe(0);
    expect(await admin.client.getClusterView({ clusterId })).toMatchObject({
      topics: [{ topic: { configs: [{ name: 'retention.ms', value: '3600000' }] } }],
      groups: [{ group: { groupId: 'billing' }, lagRecords: [8n] }],
    });
    const groups = { clusterId, request: { groupIds: ['billing', 'missing'] } };
    expect((await admin.client.adminDeleteGroups(groups)).errorCodes).toEqual([0, ErrorCode.GROUP_ID_NOT_FOUND]);
    expect((await admin.client.getClusterView({ clusterId })).groups).toEqual([]);
  } finally {
    admin.close();
  }
});
