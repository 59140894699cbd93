import { generateApiKey, newId } from '@penstock/platform';
import { inTenant } from '@penstock/tenancy';
import { refusalOf, setUpControlPlane, type TestOrganization } from '@penstock/tenancy/testing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { changeMemberRole } from '../member/change-member-role.ts';
import { leaveOrganization } from '../member/leave-organization.ts';
import { removeMember } from '../member/remove-member.ts';
import { transferOwnership } from '../member/transfer-ownership.ts';
import { auditApiKeyUse } from './audit-api-key-use.ts';
import { authenticateApiKey, bearerToken } from './authenticate-api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { getCurrentApiKey } from './get-current-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

const plane = setUpControlPlane();

function create(tenant: TestOrganization, changes: Partial<Parameters<typeof createApiKey>[1]> = {}) {
  const input = { name: 'deployments', role: 'admin' as const, isReadOnly: false, lifetimeDays: null, ...changes };
  return tenant.run((scope) => createApiKey(scope, input));
}

const authenticate = (plaintext: string, now = new Date(), address = '192.0.2.7') =>
  authenticateApiKey(plane, plaintext, { now, address });

describe('a key', () => {
  test('opens its organization with its role and is stored hashed', async () => {
    const tenant = await plane.newTenant();
    const { apiKey, plaintext } = await create(tenant, { isReadOnly: true });
    expect(await authenticate(plaintext)).toMatchObject({
      apiKeyId: apiKey.id,
      organizationId: tenant.organizationId,
      role: 'admin',
      isReadOnly: true,
    });
    const row = await plane.database.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } });
    expect(JSON.stringify(row)).not.toContain(plaintext);
    expect(JSON.stringify(await plane.auditOf(tenant))).not.toContain(plaintext);
  });

  test('records when it was last used, to the minute', async () => {
    const tenant = await plane.newTenant();
    const { plaintext } = await create(tenant);
    const first = new Date();
    await authenticate(plaintext, first);
    await authenticate(plaintext, new Date(first.getTime() + 30_000));
    expect((await tenant.run(listApiKeys))[0]?.lastUsedAt).toEqual(first);
    const later = new Date(first.getTime() + 61_000);
    await authenticate(plaintext, later);
    expect((await tenant.run(listApiKeys))[0]?.lastUsedAt).toEqual(later);
  });

  test('explains why a revoked, expired or unknown one is refused', async () => {
    const tenant = await plane.newTenant();
    const { apiKey, plaintext } = await create(tenant, { lifetimeDays: 1 });
    expect(await refusalOf(authenticate(plaintext, new Date(Date.now() + 2 * DAY_MS)))).toBe('api_key_expired');
    await tenant.run((scope) => revokeApiKey(scope, { apiKeyId: apiKey.id }));
    expect(await refusalOf(authenticate(plaintext))).toBe('api_key_revoked');
    expect(await refusalOf(authenticate(generateApiKey().plaintext))).toBe('api_key_unknown');
    expect(await refusalOf(authenticate('nonsense'))).toBe('api_key_malformed');
  });

  test('cannot have more rights than its creator', async () => {
    const tenant = await plane.newTenant();
    const admin = await plane.newMember(tenant, 'admin');
    expect(await refusalOf(create(admin, { role: 'owner' }))).toBe('role_out_of_reach');
    const { apiKey } = await create(tenant, { role: 'owner' });
    for (const act of [
      () => admin.run((scope) => rotateApiKey(scope, { apiKeyId: apiKey.id, overlapHours: 1 })),
      () => admin.run((scope) => revokeApiKey(scope, { apiKeyId: apiKey.id })),
    ]) {
      expect(await refusalOf(act())).toBe('role_out_of_reach');
    }
  });

  test('is not found in another organization', async () => {
    const { apiKey } = await create(await plane.newTenant());
    const stranger = await plane.newTenant();
    for (const apiKeyId of [apiKey.id, newId(), 'nonsense']) {
      expect(await refusalOf(stranger.run((scope) => revokeApiKey(scope, { apiKeyId })))).toBe('api_key_not_found');
    }
  });
});

describe('when the creator of keys leaves', () => {
  test.each(['removed', 'leaving'])('%s: revokes their keys and those made with them', async (how) => {
    const owner = await plane.newTenant();
    const admin = await plane.newMember(owner, 'admin');
    const [own, others] = [await create(admin), await create(owner)];
    const actor = { type: 'api-key', id: own.apiKey.id, label: 'API key deployments', source: 'api' } as const;
    const made = await inTenant(plane.database, owner.organizationId, (tx) =>
      createApiKey(
        { tx, organizationId: owner.organizationId, actor, now: new Date() },
        { name: 'made by a key', role: 'viewer', isReadOnly: true, lifetimeDays: null },
      ),
    );
    expect((await owner.run(listApiKeys)).map(({ createdBy }) => createdBy).sort()).toEqual(
      [own.apiKey.id, admin.userId, owner.userId].sort(),
    );
    await (how === 'removed'
      ? owner.run((scope) => removeMember(scope, { userId: admin.userId }))
      : admin.run(leaveOrganization));
    for (const { plaintext } of [own, made]) {
      expect(await refusalOf(authenticate(plaintext))).toBe('api_key_revoked');
    }
    expect((await authenticate(others.plaintext)).apiKeyId).toBe(others.apiKey.id);
    const revoked = (await plane.auditOf(owner)).filter(({ action }) => action === 'api-key.revoke');
    expect(revoked.map(({ targetId }) => targetId).sort()).toEqual([own.apiKey.id, made.apiKey.id].sort());
  });
});

describe('when the role of a key’s creator is lowered', () => {
  test('lowers their keys at once, with audit rows and one mail', async () => {
    const owner = await plane.newTenant();
    const maker = await plane.newMember(owner, 'owner');
    const own = await create(maker, { role: 'owner', name: 'deployments' });
    const weak = await create(maker, { role: 'viewer', name: 'reader' });
    const others = await create(owner, { role: 'owner' });
    const actor = { type: 'api-key', id: own.apiKey.id, label: 'API key deployments', source: 'api' } as const;
    const made = await inTenant(plane.database, owner.organizationId, (tx) =>
      createApiKey(
        { tx, organizationId: owner.organizationId, actor, now: new Date() },
        { name: 'made by a key', role: 'owner', isReadOnly: true, lifetimeDays: null },
      ),
    );
    await owner.run((scope) => changeMemberRole(scope, { userId: maker.userId, role: 'admin' }));
    const rolesNow = [own, made, weak, others].map(async ({ plaintext }) => (await authenticate(plaintext)).role);
    expect(await Promise.all(rolesNow)).toEqual(['admin', 'admin', 'viewer', 'owner']);
    const lowered = (await plane.auditOf(owner)).filter(({ action }) => action === 'api-key.lower-role');
    expect(lowered.map(({ targetId }) => targetId).sort()).toEqual([own.apiKey.id, made.apiKey.id].sort());
    const mails = await plane.database.mail.findMany({ where: { toAddress: maker.email } });
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(/- deployments: now has the role admin\n- made by a key: now has the role admin/),
    ]);
  });

  test('revokes a key that would gain a right', async () => {
    const owner = await plane.newTenant();
    const maker = await plane.newMember(owner, 'admin');
    const { plaintext } = await create(maker, { role: 'billing' });
    // Viewers see agent keys, which billing does not.
    await owner.run((scope) => changeMemberRole(scope, { userId: maker.userId, role: 'viewer' }));
    expect(await refusalOf(authenticate(plaintext))).toBe('api_key_revoked');
  });

  test('nothing changes for a higher role', async () => {
    const owner = await plane.newTenant();
    const maker = await plane.newMember(owner, 'admin');
    const { plaintext } = await create(maker, { role: 'admin' });
    await owner.run((scope) => changeMemberRole(scope, { userId: maker.userId, role: 'owner' }));
    expect((await authenticate(plaintext)).role).toBe('admin');
    expect(await plane.database.mail.count({ where: { toAddress: maker.email } })).toBe(0);
  });

  test('transferring ownership lowers the rights of one’s keys', async () => {
    const owner = await plane.newTenant();
    const heir = await plane.newMember(owner, 'viewer');
    const { plaintext } = await create(owner, { role: 'owner' });
    await owner.run((scope) => transferOwnership(scope, { userId: heir.userId }));
    expect((await authenticate(plaintext)).role).toBe('admin');
  });
});

describe('the current key', () => {
  const current = (apiKeyId: string, organizationId: string) => {
    const actor = { type: 'api-key', id: apiKeyId, label: 'API key', source: 'api' } as const;
    return inTenant(plane.database, organizationId, (tx) =>
      getCurrentApiKey({ tx, organizationId, actor, now: new Date() }),
    );
  };

  test('is returned only to the program that uses it', async () => {
    const tenant = await plane.newTenant();
    const { apiKey } = await create(tenant, { role: 'viewer' });
    expect(await current(apiKey.id, tenant.organizationId)).toEqual(apiKey);
    expect(await refusalOf(tenant.run(getCurrentApiKey))).toBe('api_key_not_found');
    const stranger = await plane.newTenant();
    expect(await refusalOf(current(apiKey.id, stranger.organizationId))).toBe('api_key_not_found');
  });
});

describe('the audit log', () => {
  const about = async (tenant: TestOrganization, action: string) =>
    (await plane.auditOf(tenant))
      .filter((row) => row.action === action)
      .map(({ targetId, after }) => [targetId, after]);

  test('records first uses from new networks, except the very first', async () => {
    const tenant = await plane.newTenant();
    const { apiKey, plaintext } = await create(tenant);
    const use = (address: string) => authenticate(plaintext, new Date(), address);
    await use('192.0.2.7');
    await use('192.0.2.99');
    await Promise.all([use('198.51.100.1'), use('198.51.100.2')]);
    await use('2001:db8:1::1');
    expect(await auditApiKeyUse(plane.worker, 'https://app.example.com', new Date())).toBeGreaterThanOrEqual(2);
    await use('198.51.100.3');
    await auditApiKeyUse(plane.worker, 'https://app.example.com', new Date());
    const seen = await about(tenant, 'api-key.new-network');
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual([
      apiKey.id,
      expect.objectContaining({ name: 'deployments', address: '2001:db8:1::1' }),
    ]);
  });

  test('comes with a mail to owners and admins, one per key and day', async () => {
    const tenant = await plane.newTenant();
    const admin = await plane.newMember(tenant, 'admin');
    const viewer = await plane.newMember(tenant, 'viewer');
    const { plaintext } = await create(tenant);
    const start = new Date();
    const use = async (address: string, hours: number) => {
      const at = new Date(start.getTime() + hours * HOUR_MS);
      await authenticate(plaintext, at, address);
      await auditApiKeyUse(plane.worker, 'https://app.example.com', at);
    };
    const mailsTo = (email: string) =>
      plane.database.mail.findMany({ where: { toAddress: email, subject: { startsWith: 'API key used' } } });
    await use('192.0.2.7', 0);
    expect(await mailsTo(admin.email)).toEqual([]);
    await use('198.51.100.1', 1);
    await use('203.0.113.1', 2);
    expect(await mailsTo(admin.email)).toMatchObject([
      {
        subject: 'API key used from a new network (deployments)',
        text: expect.stringMatching(/used from 198\.51\.100\.1 at .*first use from 198\.51\.100\.0\/24/),
        link: 'https://app.example.com/app/api-keys',
      },
    ]);
    expect(await mailsTo(viewer.email)).toEqual([]);
    await use('233.252.0.1', 26);
    expect(await mailsTo(admin.email)).toHaveLength(2);
  });

  test('counts calls with an ended key in one row per hour', async () => {
    const tenant = await plane.newTenant();
    const { apiKey, plaintext } = await create(tenant);
    await tenant.run((scope) => revokeApiKey(scope, { apiKeyId: apiKey.id }));
    const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const refusedAt = (minute: number, address: string) =>
      refusalOf(authenticate(plaintext, new Date(hourMs + minute * MINUTE_MS), address));
    const codes = await Promise.all([1, 20, 59].map((minute) => refusedAt(minute, '203.0.113.5')));
    expect(codes).toEqual(['api_key_revoked', 'api_key_revoked', 'api_key_revoked']);
    await refusedAt(61, '203.0.113.6');
    const audit = (minute: number) =>
      auditApiKeyUse(plane.worker, 'https://app.example.com', new Date(hourMs + minute * MINUTE_MS));
    await audit(60);
    expect(await about(tenant, 'api-key.refuse')).toEqual([]);
    await audit(61);
    await audit(62);
    expect(await about(tenant, 'api-key.refuse')).toEqual([
      [
        apiKey.id,
        {
          name: 'deployments',
          attempts: 3,
          withinHourFrom: new Date(hourMs).toISOString(),
          lastAddress: '203.0.113.5',
        },
      ],
    ]);
    await audit(121);
    expect((await about(tenant, 'api-key.refuse'))[1]).toEqual([apiKey.id, expect.objectContaining({ attempts: 1 })]);
  });
});

describe('a rotation', () => {
  test('keeps both secrets valid only during the overlap', async () => {
    const tenant = await plane.newTenant();
    const old = await create(tenant);
    const renewed = await tenant.run((scope) => rotateApiKey(scope, { apiKeyId: old.apiKey.id, overlapHours: 2 }));
    expect(renewed.apiKey).toMatchObject({ name: 'deployments', role: 'admin', expiresAt: null });
    const within = new Date(Date.now() + 60 * 60 * 1000);
    expect((await authenticate(old.plaintext, within)).apiKeyId).toBe(old.apiKey.id);
    expect((await authenticate(renewed.plaintext, within)).apiKeyId).toBe(renewed.apiKey.id);
    const after = new Date(Date.now() + 3 * 60 * 60 * 1000);
    expect(await refusalOf(authenticate(old.plaintext, after))).toBe('api_key_expired');
    expect((await authenticate(renewed.plaintext, after)).apiKeyId).toBe(renewed.apiKey.id);
    const [row] = (await plane.auditOf(tenant)).filter(({ action }) => action === 'api-key.rotate');
    expect(row).toMatchObject({ targetId: old.apiKey.id, after: { replacedById: renewed.apiKey.id } });
  });

  test('happens once per key and revives no expired key', async () => {
    const tenant = await plane.newTenant();
    const { apiKey } = await create(tenant, { lifetimeDays: 1 });
    const rotate = (now?: Date) =>
      tenant.run((scope) => rotateApiKey(scope, { apiKeyId: apiKey.id, overlapHours: 48 }), now);
    expect(await refusalOf(rotate(new Date(Date.now() + 2 * DAY_MS)))).toBe('api_key_ended');
    const renewed = await rotate();
    expect(renewed.apiKey.expiresAt).toEqual(apiKey.expiresAt);
    expect(await refusalOf(rotate())).toBe('api_key_rotated');
    const kept = (await tenant.run(listApiKeys)).find(({ id }) => id === apiKey.id);
    expect(kept?.expiresAt).toEqual(apiKey.expiresAt);
  });
});

test.each([undefined, '', 'Basic abc', 'Bearer', 'Bearer a b'])('the header %j contains no key', (authorization) => {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  expect(() => bearerToken(headers)).toThrow('has no API key');
});
