// Who may change users, ACLs and quotas with an agent's key, over the wire.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Code } from '@connectrpc/connect';
import { AclMode, ScramMechanism } from '@penstock/metadata-protocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { peerSecretsOf, recentPeerSecret, SIGN_IN_AGE_MS } from '../auth/peer-secrets.ts';
import { agentNonceMac } from '../auth/scram-proof.ts';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { ADMIN_KEYS, ControlPlaneFixture, PEER_KEYS } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

const PASSWORD = 'correct horse';
const SALT = Buffer.from('a salt of alice');
const ITERATIONS = 4_096;
const AGENT = 'agent-1';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let clusterId: string;
let agent: AgentConnection;
let admin: ReturnType<typeof connectAdmin>;

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
  ({ clusterId } = cluster);
  await controlPlane.pool.query('UPDATE virtual_cluster SET allow_agent_administration = false WHERE id = $1', [
    clusterId,
  ]);
  agent = connectAgent(server.rpcUrl, cluster);
  admin = connectAdmin(server.adminUrl, ADMIN_KEYS);
  await agent.client.registerAgent({ agentId: AGENT, advertisedHost: 'a', advertisedPort: 9092, bucket: 'mem://b' });
  const { storedKey, serverKey } = keysOf(PASSWORD);
  const upserts = [
    { user: 'alice', mechanism: ScramMechanism.SHA_256, salt: SALT, storedKey, serverKey, iterations: ITERATIONS },
  ];
  await admin.client.adminAlterUserScramCredentials({ clusterId, request: { upserts } });
  await admin.client.adminUpdateSecuritySettings({
    clusterId,
    settings: { aclMode: AclMode.ENFORCED, superUsers: ['User:alice'] },
  });
});

afterEach(() => {
  agent.close();
  admin.close();
});

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

function keysOf(password: string) {
  const salted = pbkdf2Sync(password, SALT, ITERATIONS, 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  return {
    clientKey,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: hmac(salted, 'Server Key'),
  };
}

interface Exchange {
  agentId?: string;
  password?: string;
  user?: string;
  secret?: { id: bigint; secret: Uint8Array };
}

/** The proof of a client that signs in at an agent. */
function proofOf({ agentId = AGENT, password = PASSWORD, user = 'alice', secret }: Exchange = {}) {
  const signing = secret ?? peerSecretsOf(PEER_KEYS, clusterId, Date.now()).find(({ signs }) => signs);
  const random = randomBytes(24).toString('base64');
  const mac = agentNonceMac(signing?.secret ?? new Uint8Array(), agentId, random).toString('hex');
  const nonce = `client-nonce${signing?.id}.${random}.${mac}`;
  const salt = SALT.toString('base64');
  const authMessage = `n=${user},r=client-nonce,r=${nonce},s=${salt},i=${ITERATIONS},c=biws,r=${nonce}`;
  const { clientKey, storedKey } = keysOf(password);
  const clientProof = hmac(storedKey, authMessage).map((byte, at) => byte ^ (clientKey[at] ?? 0));
  return { mechanism: ScramMechanism.SHA_256, authMessage, clientProof };
}

const clientWith = (proof?: ReturnType<typeof proofOf>, principal = 'User:alice') => ({
  principal,
  address: '10.0.0.1',
  agentId: AGENT,
  ...(proof === undefined ? {} : { proof }),
});

const binding = {
  resourceType: 2,
  resourceName: 'orders',
  patternType: 3,
  principal: 'User:mallory',
  host: '*',
  operation: 2,
  permissionType: 3,
};

const createAcls = (client: ReturnType<typeof clientWith>) => agent.client.createAcls({ client, bindings: [binding] });

const denied = (message: string) => ({ code: Code.PermissionDenied, rawMessage: expect.stringContaining(message) });

test('an agent’s key alone changes no users, ACLs or quotas', async () => {
  const client = clientWith();
  const message = denied('only after they signed in with SCRAM');
  await expect(createAcls(client)).rejects.toMatchObject(message);
  await expect(agent.client.deleteAcls({ client, filters: [{}] })).rejects.toMatchObject(message);
  const deletions = [{ user: 'alice', mechanism: ScramMechanism.SHA_256 }];
  await expect(agent.client.alterUserScramCredentials({ client, deletions })).rejects.toMatchObject(message);
  await expect(agent.client.alterClientQuotas({ client })).rejects.toMatchObject(message);
});

// As clusters from before did.
test('an agent’s key alone suffices where agents are trusted', async () => {
  await controlPlane.pool.query('UPDATE virtual_cluster SET allow_agent_administration = true WHERE id = $1', [
    clusterId,
  ]);
  const errorCodes = async () => (await createAcls(clientWith())).results.map(({ errorCode }) => errorCode);
  await expect.poll(() => errorCodes().catch(() => []), { timeout: 60_000 }).toEqual([0]);
});

test('a client administers as its ACLs allow after SCRAM sign-in', async () => {
  const created = await createAcls(clientWith(proofOf()));
  expect(created.results).toMatchObject([{ errorCode: 0 }]);
  await admin.client.adminUpdateSecuritySettings({ clusterId, settings: { aclMode: AclMode.ENFORCED } });
  await expect(createAcls(clientWith(proofOf()))).rejects.toMatchObject(denied('no ACL allows User:alice to ALTER'));
  const rights = { ...binding, resourceType: 4, resourceName: 'kafka-cluster', principal: 'User:alice', operation: 7 };
  await admin.client.adminCreateAcls({ clusterId, request: { bindings: [rights] } });
  expect((await createAcls(clientWith(proofOf()))).results).toMatchObject([{ errorCode: 0 }]);
  const quotas = agent.client.alterClientQuotas({ client: clientWith(proofOf()) });
  await expect(quotas).rejects.toMatchObject(denied('ALTER_CONFIGS'));
});

test('refuses every forged, borrowed or old proof', async () => {
  await expect(createAcls(clientWith(proofOf({ password: 'wrong' })))).rejects.toMatchObject(denied('password of now'));
  await expect(createAcls(clientWith(proofOf({ user: 'bob' })))).rejects.toMatchObject(denied('was deleted'));
  await expect(createAcls(clientWith(proofOf(), 'User:root'))).rejects.toMatchObject(denied('as another user'));
  const other = proofOf({ agentId: 'agent-2' });
  await expect(createAcls(clientWith(other))).rejects.toMatchObject(denied('another agent'));
  const old = peerSecretsOf(PEER_KEYS, clusterId, Date.now() - SIGN_IN_AGE_MS - 600_000).find(({ signs }) => signs);
  await expect(createAcls(clientWith(proofOf({ ...(old && { secret: old }) })))).rejects.toMatchObject(
    denied('too long ago'),
  );
  const invented = { id: 1n, secret: new Uint8Array(32) };
  await expect(createAcls(clientWith(proofOf({ secret: invented })))).rejects.toMatchObject(denied('too long ago'));
});

test('a stolen verifier proves nothing', async () => {
  const { storedKey } = keysOf(PASSWORD);
  const proof = proofOf();
  const forged = hmac(storedKey, proof.authMessage).map((byte, at) => byte ^ (storedKey[at] ?? 0));
  await expect(createAcls(clientWith({ ...proof, clientProof: forged }))).rejects.toMatchObject(
    denied('password of now'),
  );
});

test('a proof ends with its password', async () => {
  const proof = proofOf();
  const deletions = [{ user: 'alice', mechanism: ScramMechanism.SHA_256 }];
  await admin.client.adminAlterUserScramCredentials({ clusterId, request: { deletions } });
  await expect(createAcls(clientWith(proof))).rejects.toMatchObject(denied('was deleted'));
});

test('a malformed proof is refused', async () => {
  const malformed = { ...proofOf(), authMessage: 'n=alice' };
  await expect(createAcls(clientWith(malformed))).rejects.toMatchObject(denied('malformed'));
});

test('secrets sign for five minutes and prove an hour more', () => {
  const nowMs = 1_800_000_000_000;
  const signing = peerSecretsOf(PEER_KEYS, clusterId, nowMs).find(({ signs }) => signs);
  const at = (laterMs: number) => recentPeerSecret(PEER_KEYS, clusterId, signing?.id ?? 0n, nowMs + laterMs);
  expect(at(0)).toEqual(signing?.secret);
  expect(at(SIGN_IN_AGE_MS)).toEqual(signing?.secret);
  expect(at(SIGN_IN_AGE_MS + 300_000)).toBe(undefined);
  expect(at(-600_000)).toBe(undefined);
});

test('the audit log says whether an offset’s client was verified', async () => {
  const commit = (groupId: string, client?: ReturnType<typeof clientWith>) => {
    const offsets = [{ topic: 'orders', partition: 0, offset: 0n, leaderEpoch: -1, metadata: '' }];
    const named = client === undefined ? {} : { client };
    return agent.client.commitOffsets({ groupId, generationId: -1, memberId: '', offsets, ...named });
  };
  await agent.client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
  await commit('g', clientWith(proofOf()));
  await commit('g', clientWith(proofOf(), 'User:bob'));
  await commit('g', clientWith(proofOf({ password: 'guessed' })));
  await commit('g', clientWith());
  await commit('g');
  const counted = async () => {
    const { rows } = await controlPlane.pool.query(
      `SELECT principal, is_verified, calls FROM agent_key_deed WHERE cluster_id = $1 ORDER BY principal, is_verified`,
      [clusterId],
    );
    return rows;
  };
  await expect.poll(counted, { timeout: 30_000 }).toEqual([
    { principal: '', is_verified: false, calls: 1 },
    { principal: 'User:alice', is_verified: false, calls: 2 },
    { principal: 'User:alice', is_verified: true, calls: 1 },
    { principal: 'User:bob', is_verified: false, calls: 1 },
  ]);
}, 60_000);
