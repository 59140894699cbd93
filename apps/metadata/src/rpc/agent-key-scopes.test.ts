// What keys of each scope get over the wire, and whose agents they may speak for.
import type { DescField } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { KafkaClientSchema, MetadataService } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { ADMIN_KEYS, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let clusterId: string;
const open: { close: () => void }[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});

afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

beforeEach(async () => {
  ({ clusterId } = await controlPlane.createCluster());
});

afterEach(() => {
  for (const connection of open.splice(0)) {
    connection.close();
  }
});

async function withKey(scope: 'agent' | 'jobs' | 'read_only') {
  const { key, keyId } = await controlPlane.createKey(clusterId, 'org', scope);
  const connection = connectAgent(server.rpcUrl, { clusterId, key });
  open.push(connection);
  return { client: connection.client, keyId };
}

function agent(agentId: string, roles: string[] = [], advertisedPort = 9092) {
  return { agentId, roles, advertisedPort, version: '0.1.0', advertisedHost: 'agent.example', bucket: 'mem://bucket' };
}

async function putUser(): Promise<void> {
  const admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  open.push(admin);
  await admin.client.adminAlterUserScramCredentials({
    clusterId,
    request: {
      actor: 'somebody',
      upserts: [
        {
          user: 'alice',
          mechanism: 1,
          salt: Uint8Array.of(1, 2, 3),
          storedKey: new Uint8Array(32).fill(1),
          serverKey: new Uint8Array(32).fill(2),
          iterations: 4_096,
        },
      ],
    },
  });
}

/** The first event of a stream of this agent. */
async function firstEvent(client: AgentConnection['client'], agentId: string) {
  const ended = new AbortController();
  try {
    for await (const event of client.watch({ agentId }, { signal: ended.signal })) {
      return event;
    }
  } finally {
    ended.abort();
  }
  throw new Error('the stream ended without an event');
}

const refused = { code: Code.PermissionDenied, rawMessage: expect.stringContaining('registered with another key') };

test('a key for jobs takes jobs but gets no secrets', async () => {
  await putUser();
  const { client } = await withKey('jobs');
  const registered = await client.registerAgent(agent('worker', ['jobs'], 0));
  expect([registered.keyScope, registered.peerSecrets]).toEqual(['jobs', []]);
  expect((await client.agentHeartbeat({ agentId: 'worker', roles: ['jobs'] })).unknownAgent).toBe(false);
  await client.takeJob({ agentId: 'worker', wantsJob: true });
  const event = await firstEvent(client, 'worker');
  expect([event.catalogue?.full, event.security]).toEqual([true, undefined]);
  const { client: full } = await withKey('agent');
  await full.registerAgent(agent('server'));
  expect((await firstEvent(full, 'server')).security?.credentials).toHaveLength(1);
});

test('a key for jobs cannot read users, commit or serve clients', async () => {
  const { client } = await withKey('jobs');
  const denied = { code: Code.PermissionDenied, rawMessage: expect.stringContaining('for jobs only') };
  await expect(client.describeSecurity({})).rejects.toMatchObject(denied);
  await expect(client.commitFile({})).rejects.toMatchObject(denied);
  await expect(client.alterUserScramCredentials({})).rejects.toMatchObject(denied);
  await expect(client.registerAgent(agent('a', ['jobs']))).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining('--roles jobs'),
  });
});

test('a read-only key serves consumers but no producers', async () => {
  const { client: full } = await withKey('agent');
  await full.registerAgent(agent('writer'));
  const { client: reader } = await withKey('read_only');
  await expect(reader.registerAgent(agent('reader'))).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining('--roles consume'),
  });
  expect((await reader.registerAgent(agent('reader', ['consume']))).keyScope).toBe('read_only');
  await reader.listGroups({});
  await expect(reader.createTopics({})).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: expect.stringContaining('is read-only'),
  });
  const agentsSeen = async (client: AgentConnection['client'], agentId: string) =>
    (await firstEvent(client, agentId)).catalogue?.agents.map((known) => known.agentId);
  expect(await agentsSeen(full, 'writer')).toEqual(['writer']);
  expect(await agentsSeen(reader, 'reader')).toEqual(['reader']);
});

test('refuses agents of a narrowed key until they register again', async () => {
  const { client, keyId } = await withKey('agent');
  await client.registerAgent(agent('a'));
  await controlPlane.pool.query(`UPDATE agent_key SET scope = 'jobs' WHERE id = $1`, [keyId]);
  await expect
    .poll(async () => (await client.agentHeartbeat({ agentId: 'a' })).unknownAgent, { timeout: 60_000 })
    .toBe(true);
  await expect(client.registerAgent(agent('a'))).rejects.toMatchObject({ code: Code.FailedPrecondition });
});

test('no call lets another key of the cluster name an agent', async () => {
  const { client: own } = await withKey('agent');
  await own.registerAgent(agent('agent-1'));
  const { client: other } = await withKey('agent');
  const id = Buffer.from(newId().replaceAll('-', ''), 'hex');
  const named = { agentId: 'agent-1' };
  await expect(other.registerAgent(agent('agent-1'))).rejects.toMatchObject(refused);
  await expect(other.agentHeartbeat(named)).rejects.toMatchObject(refused);
  await expect(other.deregisterAgent(named)).rejects.toMatchObject(refused);
  await expect(other.reportTelemetry({ ...named, incarnationId: id })).rejects.toMatchObject(refused);
  await expect(other.takeJob({ ...named, wantsJob: true })).rejects.toMatchObject(refused);
  await expect(other.completeJob({ ...named, jobId: id, fileId: id })).rejects.toMatchObject(refused);
  await expect(other.takeDeletions({ ...named, maxFiles: 1 })).rejects.toMatchObject(refused);
  await expect(other.initProducerId({ ...named, requestId: id })).rejects.toMatchObject(refused);
  await expect(other.commitFile({ ...named, fileId: id })).rejects.toMatchObject(refused);
  await expect(firstEvent(other, 'agent-1')).rejects.toMatchObject(refused);
  await expect(other.createTopics({ client: named })).rejects.toMatchObject(refused);
  await own.takeDeletions({ ...named, maxFiles: 1 });
});

test('a departed agent still belongs to its key', async () => {
  const { client: own } = await withKey('agent');
  await own.registerAgent(agent('agent-1'));
  await own.deregisterAgent({ agentId: 'agent-1' });
  const { client: other } = await withKey('agent');
  await expect(other.createTopics({ client: { agentId: 'agent-1' } })).rejects.toMatchObject(refused);
});

test('agents move to a new key one by one, with new ids', async () => {
  const { client: old } = await withKey('agent');
  await old.registerAgent(agent('old-1'));
  await old.registerAgent(agent('old-2'));
  const { client: next } = await withKey('agent');
  await old.deregisterAgent({ agentId: 'old-1' });
  await next.registerAgent(agent('new-1'));
  expect((await old.agentHeartbeat({ agentId: 'old-2' })).unknownAgent).toBe(false);
  await old.deregisterAgent({ agentId: 'old-2' });
  await next.registerAgent(agent('new-2'));
  expect((await firstEvent(next, 'new-1')).catalogue?.agents.map(({ agentId }) => agentId)).toEqual(['new-1', 'new-2']);
});

test('agents are named by the two fields that the service checks', () => {
  const isAgentId = ({ name }: DescField): boolean => name === 'agent_id';
  for (const { input } of Object.values(MetadataService.method)) {
    for (const field of input.fields) {
      const isClient = field.message?.typeName === KafkaClientSchema.typeName;
      expect(isClient ? field.name : 'client', `${input.name}.${field.name}`).toBe('client');
      const isNamed = !isClient && field.message?.fields.some(isAgentId) === true;
      expect(isNamed, `${input.name}.${field.name} names agents`).toBe(false);
    }
  }
});
