// The deletion of an organization on a real PostgreSQL: deleting, restoring, purging and exporting.
import { bookPayment } from '@penstock/billing';
import { refusalOf, setUpControlPlane, type TestOrganization } from '@penstock/billing/testing/control-plane';
import { addUsage, GIB, invoiceOf } from '@penstock/billing/testing/invoices';
import { createAgentKey, deleteCluster, listClusters, listDeletedClusters, purgeCluster } from '@penstock/clusters';
import { createFakeMetadata } from '@penstock/clusters/testing/fake-metadata';
import { authenticateApiKey, createApiKey, listMemberships, requireAccess } from '@penstock/identity';
import { inTransaction, type Scope, verifyAudit } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { deleteOrganization } from './delete-organization.ts';
import { exportOrganization } from './export-organization.ts';
import { listDeletedOrganizations } from './list-deleted-organizations.ts';
import { listPurgeableOrganizations, purgeOrganization } from './purge-organization.ts';
import { inDeletedOrganization, restoreOrganization } from './restore-organization.ts';

const plane = setUpControlPlane();
const settings = { webUrl: 'https://penstock.example' };
const later = (days: number) => new Date(Date.now() + days * DAY_MS);

const remove = (tenant: TestOrganization, confirmation = 'Acme', now = new Date()) =>
  tenant.run((scope) => deleteOrganization(scope, { confirmation }, settings), now);

const inDeleted = <T>(tenant: TestOrganization, work: (scope: Scope) => Promise<T>, now = new Date()) =>
  inDeletedOrganization(
    plane.database,
    {
      actor: { type: 'user', id: tenant.userId, label: 'owner@example.com', source: 'web' },
      organizationId: tenant.organizationId,
      now,
    },
    work,
  );
const restore = (tenant: TestOrganization, now?: Date) =>
  inDeleted(tenant, (scope) => restoreOrganization(scope, settings), now);

/** With two clusters, one of them already deleted, and a key of each kind. */
async function newOrganization() {
  const tenant = await plane.newTenant();
  const kept = await plane.newCluster(tenant, 'kept');
  const { id: clusterId, name } = await plane.newCluster(tenant, 'deleted before');
  await tenant.run((scope) => deleteCluster(scope, { clusterId, confirmation: name }), new Date(Date.now() - 1_000));
  const agentKey = await tenant.run((scope) => createAgentKey(scope, { clusterId: kept.id, name: 'agent' }));
  const apiKey = await tenant.run((scope) =>
    createApiKey(scope, { name: 'program', role: 'owner', isReadOnly: false, lifetimeDays: null }),
  );
  return { tenant, kept, agentKey, apiKey };
}

const membershipsOf = (userId: string) => inTransaction(plane.database, (tx) => listMemberships(tx, userId));
const deletedOf = (userId: string, now = new Date()) =>
  inTransaction(plane.database, (tx) => listDeletedOrganizations(tx, userId, now));
const mailsTo = async (toAddress: string) =>
  (await plane.database.mail.findMany({ where: { toAddress }, orderBy: { id: 'asc' } })).map(({ subject }) => subject);

describe('a deletion', () => {
  // Clusters, keys and access; owners are notified.
  test('removes everything at once and keeps the audit chain valid', async () => {
    const { tenant, kept, agentKey, apiKey } = await newOrganization();
    const other = await plane.newMember(tenant, 'owner');
    const session = { id: `s-${tenant.userId}`, token: `t-${tenant.userId}`, userId: tenant.userId };
    await plane.database.session.create({
      data: { ...session, expiresAt: later(1), activeOrganizationId: tenant.organizationId },
    });
    const deleted = await remove(tenant);
    expect(deleted.restorableUntil.getTime() - deleted.deletedAt.getTime()).toBe(30 * DAY_MS);

    expect(await membershipsOf(tenant.userId)).toEqual([]);
    expect(
      await refusalOf(authenticateApiKey(plane, apiKey.plaintext, { now: new Date(), address: '192.0.2.7' })),
    ).toBe('api_key_unknown');
    const access = { sessionId: session.id, userId: tenant.userId, organizationId: tenant.organizationId };
    expect(await refusalOf(requireAccess(plane.database, { ...access, permission: 'cluster:read' }, new Date()))).toBe(
      'membership_ended',
    );
    const row = await plane.database.agentKey.findUniqueOrThrow({ where: { id: agentKey.agentKey.id } });
    expect(row.revokedAt).toEqual(deleted.deletedAt);
    expect((await plane.database.session.findUniqueOrThrow({ where: { id: session.id } })).activeOrganizationId).toBe(
      null,
    );
    expect((await tenant.run(listDeletedClusters)).map(({ name }) => name).sort()).toEqual(['deleted before', 'kept']);
    const audited = (await plane.auditOf(tenant)).map(({ action, targetId }) => `${action} ${targetId}`);
    expect(audited).toEqual(
      expect.arrayContaining([
        `cluster.delete ${kept.id}`,
        `agent-key.revoke ${agentKey.agentKey.id}`,
        `api-key.revoke ${apiKey.apiKey.id}`,
        `organization.delete ${tenant.organizationId}`,
      ]),
    );
    expect((await verifyAudit(plane.database, tenant.organizationId)).faults).toEqual([]);
    expect(await mailsTo(other.email)).toEqual(['The organization Acme was deleted (Penstock)']);
  });

  test('needs its exact name, an owner and an active organization', async () => {
    const tenant = await plane.newTenant();
    const admin = await plane.newMember(tenant, 'admin');
    expect(await refusalOf(remove(tenant, 'acme'))).toBe('confirmation_mismatch');
    expect(await refusalOf(remove(admin))).toBe('role_insufficient');
    await remove(tenant);
    expect(await refusalOf(remove(tenant))).toBe('organization_not_found');
  });

  test('requires open invoices to be paid first', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant, 'orders');
    await addUsage(plane.database, tenant, clusterId, '2026-10-05T00:00:00Z', { bytes: 100_000n * GIB });
    const invoice = await invoiceOf(plane, tenant, '2026-10');
    expect(invoice.status).toBe('open');
    expect(await refusalOf(remove(tenant))).toBe('invoice_open');
    expect(await membershipsOf(tenant.userId)).toHaveLength(1);
    const payment = { invoiceId: invoice.id, amountUsd: invoice.totalUsd, reference: 'transfer:1' };
    await inTransaction(plane.database, (tx) =>
      bookPayment(tx, { organizationId: tenant.organizationId, ...payment, now: new Date() }),
    );
    await remove(tenant);
  });

  test('prevents a concurrent request from creating anything', async () => {
    const tenant = await plane.newTenant();
    await remove(tenant);
    await expect(plane.newCluster(tenant)).rejects.toThrow('is deleted');
  });
});

describe('a restore', () => {
  test('restores members and clusters but no keys', async () => {
    const { tenant, apiKey } = await newOrganization();
    const viewer = await plane.newMember(tenant, 'viewer');
    await remove(tenant);
    expect(await deletedOf(tenant.userId)).toMatchObject([{ organizationId: tenant.organizationId, name: 'Acme' }]);
    expect(await deletedOf(viewer.userId)).toEqual([]);
    expect(await restore(tenant)).toEqual({ name: 'Acme' });
    expect(await membershipsOf(viewer.userId)).toMatchObject([{ role: 'viewer' }]);
    expect((await tenant.read(listClusters)).map(({ name }) => name)).toEqual(['kept']);
    expect((await tenant.run(listDeletedClusters)).map(({ name }) => name)).toEqual(['deleted before']);
    expect(
      await refusalOf(authenticateApiKey(plane, apiKey.plaintext, { now: new Date(), address: '192.0.2.7' })),
    ).toBe('api_key_revoked');
    expect(await deletedOf(tenant.userId)).toEqual([]);
    expect(await refusalOf(restore(tenant))).toBe('organization_not_found');
  });

  test('is possible only for its owners, and for 30 days', async () => {
    const tenant = await plane.newTenant();
    const admin = await plane.newMember(tenant, 'admin');
    const stranger = await plane.newTenant();
    await remove(tenant);
    expect(await refusalOf(restore(admin))).toBe('organization_not_found');
    const foreign = { ...stranger, organizationId: tenant.organizationId };
    expect(await refusalOf(restore(foreign))).toBe('organization_not_found');
    expect(await refusalOf(restore(tenant, later(30)))).toBe('organization_restore_expired');
    expect(await deletedOf(tenant.userId, later(30))).toEqual([]);
    await restore(tenant, later(29));
  });
});

describe('a purge', () => {
  const purge = (tenant: TestOrganization, now: Date) => purgeOrganization(plane.worker, tenant.organizationId, now);

  test('leaves only invoices, usage and the audit chain', async () => {
    const { tenant, kept } = await newOrganization();
    const { email } = await plane.newMember(tenant, 'owner');
    await addUsage(plane.database, tenant, kept.id, '2026-10-05T00:00:00Z', { minutes: 60 });
    const invoice = await invoiceOf(plane, tenant, '2026-10');
    await remove(tenant);
    expect(await purge(tenant, later(29))).toBe('not deleted');
    const now = later(31);
    expect(await listPurgeableOrganizations(plane.worker, now)).toContain(tenant.organizationId);
    expect(await purge(tenant, now)).toBe('waits for its clusters');
    for (const { id } of await plane.database.virtualCluster.findMany({
      where: { organizationId: tenant.organizationId },
    })) {
      await purgeCluster(plane.worker, id, now);
    }
    expect(await purge(tenant, now)).toBe('purged');

    const where = { organizationId: tenant.organizationId };
    const left = await Promise.all([
      plane.database.member.count({ where }),
      plane.database.apiKey.count({ where }),
      plane.database.agentKey.count({ where }),
      plane.database.invitation.count({ where }),
    ]);
    expect(left).toEqual([0, 0, 0, 0]);
    const tombstone = await plane.database.organization.findUniqueOrThrow({ where: { id: tenant.organizationId } });
    expect(tombstone).toMatchObject({ name: 'Deleted organization', slug: tenant.organizationId, purgedAt: now });
    expect(await plane.database.invoice.count({ where: { id: invoice.id } })).toBe(1);
    expect(await plane.database.usageHour.count({ where })).toBe(1);
    expect((await verifyAudit(plane.database, tenant.organizationId)).faults).toEqual([]);
    expect((await plane.auditOf(tenant)).at(-1)?.action).toBe('organization.purge');
    expect((await mailsTo(email)).at(-1)).toBe('The organization Acme was permanently deleted (Penstock)');
    expect(await purge(tenant, now)).toBe('not deleted');
  });

  test('waits until the usage of the last month is invoiced and paid', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant, 'orders');
    await addUsage(plane.database, tenant, clusterId, '2026-10-05T00:00:00Z', { bytes: 100_000n * GIB });
    await remove(tenant);
    const now = later(31);
    await purgeCluster(plane.worker, clusterId, now);
    expect(await purge(tenant, now)).toBe('waits for an invoice');
    await invoiceOf(plane, tenant, '2026-10');
    expect(await purge(tenant, now)).toBe('waits for a payment');
  });
});

describe('an export', () => {
  const exported = async (tenant: TestOrganization, run: TestOrganization['run'] = tenant.run) => {
    let text = '';
    const metadata = createFakeMetadata();
    metadata.topics.add('greetings');
    for await (const piece of exportOrganization((work) => run(work), metadata)) {
      text += piece;
    }
    const lines = text.trimEnd().split('\n');
    return { text, lines: lines.map((line) => JSON.parse(line) as { type: string; data: Record<string, unknown> }) };
  };

  test('contains every type of object, no secret, and an end mark', async () => {
    const { tenant, kept, apiKey, agentKey } = await newOrganization();
    await addUsage(plane.database, tenant, kept.id, '2026-10-05T00:00:00Z', { minutes: 60 });
    await invoiceOf(plane, tenant, '2026-10');
    const { text, lines } = await exported(tenant);
    const counted = Object.groupBy(lines, ({ type }) => type);
    const counts = Object.fromEntries(Object.entries(counted).map(([type, found]) => [type, found?.length]));
    expect(counts).toMatchObject({
      export: 1,
      organization: 1,
      member: 1,
      cluster: 2,
      'agent-key': 1,
      'api-key': 1,
      'billing-account': 1,
      invoice: 1,
      'usage-hour': 1,
      topic: 1,
      end: 1,
    });
    expect(counted['audit']?.at(-1)?.data['action']).toBe('organization.export');
    expect(lines.at(-1)?.data).toEqual({ lines: lines.length, missing: [] });
    for (const secret of [apiKey.plaintext, agentKey.plaintext, '"hash":{']) {
      expect(text).not.toContain(secret);
    }
  });

  test('works for the owners of a deleted organization', async () => {
    const { tenant } = await newOrganization();
    await remove(tenant);
    const { lines } = await exported(tenant, (work) => inDeleted(tenant, work));
    expect(lines.at(-1)?.type).toBe('end');
    const admin = await plane.newTenant();
    const foreign = { ...admin, organizationId: tenant.organizationId };
    expect(await refusalOf(exported(foreign, (work) => inDeleted(foreign, work)))).toBe('organization_not_found');
  });
});
