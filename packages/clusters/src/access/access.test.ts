import { newId } from '@penstock/platform';
import { expireAccess, type ReportedDenial, storeAccess } from '@penstock/telemetry-store';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import {
  acl,
  aclModes,
  aclOperations,
  aclPatternTypes,
  aclPermissions,
  aclResourceTypes,
  authenticationRequirements,
  quotaChange,
  scramMechanisms,
  scramVerifier,
} from './access-input.ts';
import {
  aclOf,
  bindingMessage,
  deletionMessage,
  filterMessage,
  settingsMessage,
  settingsOf,
} from './access-messages.ts';
import { createAcls } from './create-acls.ts';
import { deleteAcls } from './delete-acls.ts';
import { deleteUser } from './delete-user.ts';
import { getSecuritySettings } from './get-security-settings.ts';
import { listAcls } from './list-acls.ts';
import { listDeniedRequests } from './list-denied-requests.ts';
import { listQuotas } from './list-quotas.ts';
import { listUsers } from './list-users.ts';
import { putUserCredential } from './put-user-credential.ts';
import { setQuota } from './set-quota.ts';
import { updateSecuritySettings } from './update-security-settings.ts';

const plane = setUpControlPlane();

const verifier = scramVerifier.parse({
  mechanism: 'SCRAM-SHA-256',
  salt: 'c2FsdA==',
  storedKey: 'c3RvcmVkLWtleQ==',
  serverKey: 'c2VydmVyLWtleQ==',
  iterations: 4_096,
});
const read = acl.parse({ resourceType: 'TOPIC', resourceName: 'orders', principal: 'User:alice', operation: 'READ' });

async function setUp() {
  const tenant = await plane.newTenant();
  const { id: clusterId } = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  return { tenant, metadata, clusterId };
}

test('words of ACLs and mechanisms have Kafka’s numbers', () => {
  const numbersOf = (fields: Partial<typeof read>) => bindingMessage({ ...read, ...fields });
  expect(aclResourceTypes.map((resourceType) => numbersOf({ resourceType }).resourceType)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(aclPatternTypes.map((patternType) => numbersOf({ patternType }).patternType)).toEqual([3, 4]);
  expect(aclOperations.map((operation) => numbersOf({ operation }).operation)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ]);
  expect(aclPermissions.map((permission) => numbersOf({ permission }).permissionType)).toEqual([3, 2]);
  expect(scramMechanisms.map((mechanism) => deletionMessage('alice', mechanism).mechanism)).toEqual([1, 2]);
  expect(aclOf(bindingMessage(read))).toEqual(read);
  const settings = { superUsers: [], allowEveryoneIfNoAclFound: false };
  for (const [at, aclMode] of aclModes.entries()) {
    expect(settingsMessage({ ...settings, aclMode, authentication: 'always' })).toMatchObject({ aclMode: at + 1 });
  }
  for (const [at, authentication] of authenticationRequirements.entries()) {
    expect(settingsMessage({ ...settings, aclMode: 'shadow', authentication }).authentication).toBe(at + 1);
  }
});

test('fields that a filter omits match everything', () => {
  expect(filterMessage({})).toMatchObject({ resourceType: 1, patternType: 1, operation: 1, permissionType: 1 });
  expect(filterMessage({}).principal).toBeUndefined();
  expect(filterMessage({ patternType: 'MATCH', host: '*' })).toMatchObject({ patternType: 2, host: '*' });
});

// No audit row has one either.
test('lists credentials without their verifiers', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  const put = (mechanism: (typeof scramMechanisms)[number]) =>
    tenant.run((scope) => putUserCredential(scope, metadata, { clusterId, user: 'alice', ...verifier, mechanism }));
  await put('SCRAM-SHA-512');
  const user = await put('SCRAM-SHA-256');
  expect(user.credentials.map(({ mechanism }) => mechanism)).toEqual(['SCRAM-SHA-512', 'SCRAM-SHA-256']);
  expect(Buffer.from(metadata.security.state.credentials[0]?.salt ?? []).toString()).toBe('salt');
  const users = await tenant.run((scope) => listUsers(scope, metadata, { clusterId, slice: undefined }));
  expect(users).toEqual([user]);
  const row = (await plane.auditOf(tenant)).at(-1);
  expect(row).toMatchObject({ action: 'cluster-user.put-credential', targetId: `${clusterId}/alice` });
  for (const secret of ['c2FsdA==', 'c3RvcmVkLWtleQ==', 'c2VydmVyLWtleQ==']) {
    expect(JSON.stringify([row, users])).not.toContain(secret);
  }
});

test('deleting a user deletes all credentials or the named one', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  for (const mechanism of scramMechanisms) {
    await tenant.run((scope) =>
      putUserCredential(scope, metadata, { clusterId, user: 'alice', ...verifier, mechanism }),
    );
  }
  const remove = (mechanism?: (typeof scramMechanisms)[number]) =>
    tenant.run((scope) => deleteUser(scope, metadata, { clusterId, user: 'alice', mechanism }));
  await remove('SCRAM-SHA-512');
  expect(metadata.security.state.credentials.map(({ mechanism }) => mechanism)).toEqual([1]);
  await remove();
  expect(metadata.security.state.credentials).toEqual([]);
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'cluster-user.delete',
    before: { user: 'alice', mechanisms: ['SCRAM-SHA-256'] },
  });
  expect(await refusalOf(remove())).toBe('user_not_found');
});

test('records accepted ACLs and returns why others were refused', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  metadata.security.refusedNames.add('full');
  const full = { ...read, resourceName: 'full' };
  const create = (acls: (typeof read)[]) => tenant.run((scope) => createAcls(scope, metadata, { clusterId, acls }));
  expect(await create([read, full])).toEqual({
    created: [read],
    refused: [{ acl: full, message: 'Too many ACLs.' }],
  });
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'acl.create',
    after: { clusterId, acls: ['ALLOW User:alice from * to READ TOPIC LITERAL:orders'] },
  });
  const rows = (await plane.auditOf(tenant)).length;
  expect(await refusalOf(create([full]))).toBe('access_limit_reached');
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
  expect(await tenant.run((scope) => listAcls(scope, metadata, { clusterId, slice: undefined }))).toEqual([read]);
});

test('ACLs are deleted by a filter, which cannot be empty', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  const bob = { ...read, principal: 'User:bob' };
  await tenant.run((scope) => createAcls(scope, metadata, { clusterId, acls: [read, bob] }));
  expect(await refusalOf(tenant.run((scope) => deleteAcls(scope, metadata, { clusterId })))).toBe('acl_filter_empty');
  const remove = () => tenant.run((scope) => deleteAcls(scope, metadata, { clusterId, principal: 'User:bob' }));
  expect(await remove()).toEqual([bob]);
  const rows = (await plane.auditOf(tenant)).length;
  expect(await remove()).toEqual([]);
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});

test('omitted settings stay, and changes to old versions fail', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  const get = () => tenant.run((scope) => getSecuritySettings(scope, metadata, clusterId));
  expect(await get()).toEqual({
    version: 0,
    superUsers: [],
    allowEveryoneIfNoAclFound: false,
    aclMode: 'disabled',
    authentication: 'when-credentials-exist',
  });
  const update = (change: { aclMode?: 'shadow' | 'enforced'; superUsers?: string[]; expectedVersion?: number }) =>
    tenant.run((scope) => updateSecuritySettings(scope, metadata, { clusterId, ...change }));
  await update({ superUsers: ['User:admin'] });
  expect(await update({ aclMode: 'shadow', expectedVersion: 1 })).toMatchObject({
    version: 2,
    aclMode: 'shadow',
    superUsers: ['User:admin'],
  });
  expect(await refusalOf(update({ aclMode: 'enforced', expectedVersion: 1 }))).toBe('security_changed');
  expect(settingsOf(metadata.security.state).aclMode).toBe('shadow');
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'security.update-settings',
    before: { aclMode: 'disabled' },
    after: { aclMode: 'shadow' },
  });
});

test('a quota is set and removed', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  const set = (producerByteRate: number | null) =>
    tenant.run((scope) =>
      setQuota(scope, metadata, { clusterId, ...quotaChange.parse({ user: 'alice', producerByteRate }) }),
    );
  expect(await set(1_000)).toMatchObject({ user: 'alice', clientId: null, producerByteRate: 1_000 });
  expect(await tenant.run((scope) => listQuotas(scope, metadata, { clusterId, slice: undefined }))).toHaveLength(1);
  expect(await set(null)).toMatchObject({ producerByteRate: null });
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({ action: 'quota.set', after: { user: 'alice' } });
});

test('records nothing while the metadata service is down', async () => {
  const { tenant, metadata, clusterId } = await setUp();
  metadata.isDown = true;
  const rows = (await plane.auditOf(tenant)).length;
  const acls = [read];
  expect(await refusalOf(tenant.run((scope) => createAcls(scope, metadata, { clusterId, acls })))).toBe(
    'metadata_unavailable',
  );
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});

// Its default could allow.
test('refuses a misspelt field of an ACL', () => {
  expect(acl.safeParse({ ...read, permision: 'DENY' }).success).toBe(false);
});

describe('reports of agents', () => {
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool({ connectionString: plane.databaseUrl });
  });
  afterAll(() => pool.end());

  const denial = (change: Partial<ReportedDenial> = {}): ReportedDenial => ({
    principal: 'User:alice',
    host: '10.0.0.1',
    clientId: 'app',
    resourceType: 2,
    resourceName: 'orders',
    operation: 3,
    isEnforced: true,
    count: 2,
    firstMs: Date.now() - 60_000,
    lastMs: Date.now() - 30_000,
    denyingAcl: null,
    ...change,
  });
  const reportFrom = async (
    { tenant, clusterId }: Awaited<ReturnType<typeof setUp>>,
    ...denials: ReportedDenial[]
  ): Promise<void> =>
    storeAccess(
      pool,
      { clusterId, organizationId: tenant.organizationId, agentId: newId() },
      { revision: 1n, denials, uses: [] },
    );

  // It comes with the ACL that would allow them.
  test('merges denied requests of one cluster’s agents into one', async () => {
    const own = await setUp();
    await reportFrom(await setUp(), denial());
    await reportFrom(own, denial());
    await reportFrom(own, denial({ host: '10.0.0.2', count: 3, lastMs: Date.now(), isEnforced: false }));
    const [found, ...others] = await own.tenant.run((scope) => listDeniedRequests(scope, own.clusterId));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ count: 5, host: '10.0.0.2', isEnforced: false, denyingAcl: null, allowingAcl: read });
  });

  // No other ACL would allow it.
  test('names the ACL that denied a request', async () => {
    const own = await setUp();
    const denyingAcl = { ...bindingMessage({ ...read, principal: 'User:*', permission: 'DENY' }) };
    await reportFrom(own, denial({ denyingAcl }));
    const [found] = await own.tenant.run((scope) => listDeniedRequests(scope, own.clusterId));
    expect(found).toMatchObject({ allowingAcl: null, denyingAcl: { principal: 'User:*', permission: 'DENY' } });
  });

  test('forgets denied requests after an hour', async () => {
    const own = await setUp();
    const hourAgoMs = Date.now() - 3_600_000;
    await reportFrom(own, denial({ lastMs: hourAgoMs - 1 }));
    expect(await own.tenant.run((scope) => listDeniedRequests(scope, own.clusterId))).toEqual([]);
    await expireAccess(pool, Date.now());
    const { rowCount } = await pool.query('SELECT 1 FROM telemetry.denied_request WHERE cluster_id = $1', [
      own.clusterId,
    ]);
    expect(rowCount).toBe(0);
  });

  test('shows a credential’s last use since it was created', async () => {
    const { tenant, metadata, clusterId } = await setUp();
    const reporter = { clusterId, organizationId: tenant.organizationId, agentId: newId() };
    const use = (lastMs: number) =>
      storeAccess(pool, reporter, {
        revision: 0n,
        denials: [],
        uses: [{ user: 'alice', mechanism: 1, host: '10.0.0.1', lastMs }],
      });
    const put = () =>
      tenant.run((scope) => putUserCredential(scope, metadata, { clusterId, user: 'alice', ...verifier }));
    const created = await put();
    const createdMs = created.credentials[0]?.createdAt.getTime() ?? 0;
    await use(createdMs - 1);
    const lastUsed = async () =>
      (await tenant.run((scope) => listUsers(scope, metadata, { clusterId, slice: undefined })))[0]?.credentials[0];
    expect(await lastUsed()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
    await use(createdMs + 5);
    expect(await lastUsed()).toMatchObject({ lastUsedAt: new Date(createdMs + 5), lastUsedFrom: '10.0.0.1' });
  });
});
