import { describe, expect, test } from 'vitest';
import { updateCluster } from '../cluster/update-cluster.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { announceAgentAccess } from './announce-agent-access.ts';
import { auditKeyDeeds } from './audit-key-deeds.ts';
import { confirmAgentAddress } from './confirm-agent-address.ts';
import { createAgentKey } from './create-agent-key.ts';
import { listAgentAddresses } from './list-agent-addresses.ts';
import { removeAgentAddress } from './remove-agent-address.ts';
import { revokeAgentKey } from './revoke-agent-key.ts';
import { updateAgentKey } from './update-agent-key.ts';

const plane = setUpControlPlane();
const metadata = createFakeMetadata();
const NOW = new Date('2026-11-23T12:00:00Z');

async function newKey(limits: { lifetimeDays?: number; networks?: string[]; addresses?: string[] } = {}) {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const { agentKey } = await tenant.run(
    (scope) => createAgentKey(scope, { clusterId: cluster.id, name: 'laptop', ...limits }),
    NOW,
  );
  return { tenant, clusterId: cluster.id, agentKey };
}

/** As the metadata service writes down an address that is new to the cluster. */
function seeAddress(tenant: TestOrganization, clusterId: string, host: string, keyId: string, state = 'pending') {
  const { organizationId } = tenant;
  return plane.database.agentAddress.create({ data: { clusterId, host, organizationId, state, keyId } });
}

describe('the limits of an agent key', () => {
  test('are set at creation, changed one by one, and audited', async () => {
    const { tenant, agentKey } = await newKey({ lifetimeDays: 30, networks: ['203.0.113.0/24', '203.0.113.0/24'] });
    expect(agentKey).toMatchObject({
      expiresAt: new Date('2026-12-23T12:00:00Z'),
      networks: ['203.0.113.0/24'],
      addresses: [],
    });
    const change = { agentKeyId: agentKey.id, addresses: ['*.internal'], lifetimeDays: null };
    const changed = await tenant.run((scope) => updateAgentKey(scope, change), NOW);
    expect(changed).toEqual({ ...agentKey, addresses: ['*.internal'], expiresAt: null });
    const row = (await plane.auditOf(tenant)).find(({ action }) => action === 'agent-key.update');
    expect(row).toMatchObject({
      before: { addresses: [], expiresAt: '2026-12-23T12:00:00.000Z' },
      after: { addresses: ['*.internal'], expiresAt: null },
    });
  });

  test('include its scope, which can only be narrowed', async () => {
    const { tenant, agentKey } = await newKey();
    expect(agentKey.scope).toBe('agent');
    const change = (scope: 'agent' | 'jobs' | 'read_only') =>
      tenant.run((within) => updateAgentKey(within, { agentKeyId: agentKey.id, scope }), NOW);
    expect((await change('jobs')).scope).toBe('jobs');
    expect(await refusalOf(change('agent'))).toBe('agent_key_scope_widened');
    expect(await refusalOf(change('read_only'))).toBe('agent_key_scope_widened');
    expect((await change('jobs')).scope).toBe('jobs');
    const row = (await plane.auditOf(tenant)).find(({ action }) => action === 'agent-key.update');
    expect(row).toMatchObject({ before: { scope: 'agent' }, after: { scope: 'jobs' } });
  });

  test('cannot be changed on revoked or foreign keys', async () => {
    const { tenant, agentKey } = await newKey();
    const change = { agentKeyId: agentKey.id, name: 'other' };
    const stranger = await plane.newTenant();
    expect(await refusalOf(stranger.run((scope) => updateAgentKey(scope, change)))).toBe('agent_key_not_found');
    await tenant.run((scope) => revokeAgentKey(scope, change));
    expect(await refusalOf(tenant.run((scope) => updateAgentKey(scope, change)))).toBe('agent_key_revoked');
  });
});

describe('the addresses of agents', () => {
  test('are confirmed once in one form, then removed', async () => {
    const { tenant, clusterId, agentKey } = await newKey();
    await seeAddress(tenant, clusterId, 'a.internal', agentKey.id);
    const confirm = (host: string) => tenant.run((scope) => confirmAgentAddress(scope, { clusterId, host }), NOW);
    expect(await confirm('A.internal.')).toMatchObject({
      host: 'a.internal',
      state: 'confirmed',
      agentKeyName: 'laptop',
    });
    expect((await confirm('a.internal')).confirmedAt).toEqual(NOW);
    expect(await confirm('b.internal')).toMatchObject({ state: 'confirmed', agentKeyId: null, lastSeenAt: null });
    const actions = (await plane.auditOf(tenant)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'agent-address.confirm')).toHaveLength(2);
    const remove = (host: string) => tenant.run((scope) => removeAgentAddress(scope, { clusterId, host }));
    expect(await remove('b.internal')).toMatchObject({ host: 'b.internal' });
    expect(await refusalOf(remove('b.internal'))).toBe('agent_address_not_found');
    const left = await tenant.run((scope) => listAgentAddresses(scope, { clusterId }));
    expect(left.map(({ host, state }) => [host, state])).toEqual([['a.internal', 'confirmed']]);
    const stranger = await plane.newTenant();
    const foreign = stranger.run((scope) => confirmAgentAddress(scope, { clusterId, host: 'evil.example' }));
    expect(await refusalOf(foreign)).toBe('cluster_not_found');
  });

  test('need confirmation a day after the first agent, or on request', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant);
    expect(cluster).toMatchObject({ confirmAgentAddresses: true, confirmAgentAddressesFrom: null });
    const change = (confirmAgentAddresses: boolean | undefined) =>
      tenant.run((scope) => updateCluster(scope, metadata, { clusterId: cluster.id, confirmAgentAddresses }), NOW);
    expect(await change(undefined)).toMatchObject({ confirmAgentAddressesFrom: null });
    expect(await change(true)).toMatchObject({ confirmAgentAddresses: true, confirmAgentAddressesFrom: NOW });
    expect(await change(false)).toMatchObject({ confirmAgentAddresses: false });
  });
});

describe('a mail to owners', () => {
  // New networks, refused uses, waiting addresses, expiring keys.
  test('reports each security event of a cluster once', async () => {
    const { tenant, clusterId, agentKey } = await newKey({ lifetimeDays: 7 });
    const { organizationId } = tenant;
    const network = { keyId: agentKey.id, organizationId, firstSeenAt: NOW };
    await plane.database.agentKeyNetwork.createMany({
      data: [
        { ...network, network: '198.51.100.0/24', address: '198.51.100.7', isRefused: false, announcedAt: NOW },
        { ...network, network: '203.0.113.0/24', address: '203.0.113.9', isRefused: false },
        { ...network, network: '192.0.2.0/24', address: '192.0.2.66', isRefused: true },
      ],
    });
    await seeAddress(tenant, clusterId, 'evil.example', agentKey.id);
    await seeAddress(tenant, clusterId, 'learned.internal', agentKey.id, 'learned');
    const mails = async () => (await plane.database.mail.findMany()).filter(({ text }) => text.includes(clusterId));
    expect(await announceAgentAccess(plane.worker, 'https://app.example.com', NOW)).toBeGreaterThanOrEqual(4);
    expect(await announceAgentAccess(plane.worker, 'https://app.example.com', NOW)).toBe(0);

    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('Agent key used from a new network and 3 more');
    for (const part of [
      'was used from 203.0.113.9',
      '192.0.2.66 is not in its networks',
      'advertises evil.example, which is new to this cluster',
      'expires on 30 Nov 2026, 12:00:00 UTC',
      `https://app.example.com/app/clusters/${clusterId}/keys`,
    ]) {
      expect(mail?.text).toContain(part);
    }
    expect(mail?.text).not.toMatch(/198\.51\.100|learned\.internal/);
    const events = await plane.database.clusterEvent.findMany({ where: { clusterId }, orderBy: { type: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual([
      'io.penstock.agent-address.pending',
      'io.penstock.agent-key.expiring',
      'io.penstock.agent-key.new-network',
      'io.penstock.agent-key.refused',
    ]);
    const seen = (await plane.auditOf(tenant)).filter(({ action }) => action === 'agent-key.new-network');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      targetId: agentKey.id,
      after: { address: '203.0.113.9' },
    });
  });
});

test('audits deletions and offset resets once per key and hour', async () => {
  const { tenant, clusterId, agentKey } = await newKey();
  const hour = new Date('2026-11-23T11:00:00Z');
  const deed = { keyId: agentKey.id, hour, clusterId, organizationId: tenant.organizationId };
  await plane.database.agentKeyDeed.createMany({
    data: [
      { ...deed, kind: 'delete-records', subject: 'orders', calls: 3 },
      { ...deed, kind: 'commit-offsets', subject: 'billing', calls: 1 },
      { ...deed, kind: 'commit-offsets', subject: 'billing', principal: 'User:alice', isVerified: true, calls: 4 },
      { ...deed, kind: 'delete-offsets', subject: 'billing', calls: 2, hour: NOW },
    ],
  });
  // The last hour may still be counted.
  expect(await auditKeyDeeds(plane.worker, NOW)).toBe(0);
  expect(await auditKeyDeeds(plane.worker, new Date(NOW.getTime() + 60_000))).toBe(3);
  expect(await auditKeyDeeds(plane.worker, new Date(NOW.getTime() + 60_000))).toBe(0);
  const rows = (await plane.auditOf(tenant)).filter(({ after }) => (after as { calls?: number } | null)?.calls);
  const about = { clusterId, withinHourFrom: hour.toISOString(), agentKeyId: agentKey.id };
  expect(rows).toHaveLength(3);
  expect(rows).toContainEqual({
    action: 'topic.delete-records',
    targetId: `${clusterId}/orders`,
    before: null,
    after: { ...about, name: 'orders', calls: 3 },
  });
  expect(rows).toContainEqual({
    action: 'group.commit-offsets',
    targetId: `${clusterId}/billing`,
    before: null,
    after: { ...about, groupId: 'billing', calls: 1 },
  });
  expect(rows).toContainEqual({
    action: 'group.commit-offsets',
    targetId: `${clusterId}/billing`,
    before: null,
    after: { ...about, groupId: 'billing', calls: 4, principalVerified: true },
  });
});
