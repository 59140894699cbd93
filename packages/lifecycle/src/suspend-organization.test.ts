import { checkBudgets } from '@penstock/billing';
import { refusalOf, setUpControlPlane } from '@penstock/billing/testing/control-plane';
import { createAgentKey, createCluster, deleteCluster, restoreCluster } from '@penstock/clusters';
import { createApiKey, getOrganization } from '@penstock/identity';
import { type Actor, inTransaction, type Scope } from '@penstock/tenancy';
import type { TestOrganization } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { liftSuspension, suspendOrganization } from './suspend-organization.ts';

const plane = setUpControlPlane();
const operator: Actor = { type: 'system', id: null, label: 'Operator ada', source: 'worker' };
const REASON = 'We received reports of abuse from your clusters.';
// Later than what the organization's creation, at the time of the clock, wrote to the audit log.
const now = new Date(Date.now() + 60_000);

function asOperator<T>({ organizationId }: { organizationId: string }, work: (scope: Scope) => Promise<T>): Promise<T> {
  return inTransaction(plane.database, (tx) => work({ tx, organizationId, actor: operator, now }));
}

function suspend(tenant: TestOrganization, reason = REASON, readsAllowed = true) {
  return asOperator(tenant, (scope) => suspendOrganization(scope, { reason, readsAllowed }));
}

async function suspensionOf(tenant: TestOrganization) {
  return (await tenant.run(getOrganization)).suspension;
}

async function mailsTo(tenant: TestOrganization) {
  const { email } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
  return await plane.database.mail.findMany({
    where: { toAddress: email },
    orderBy: { id: 'asc' },
    select: { subject: true, text: true },
  });
}

describe('a suspension', () => {
  test('is shown, mailed to the owners and audited', async () => {
    const tenant = await plane.newTenant();
    expect(await suspensionOf(tenant)).toBeNull();
    await suspend(tenant);
    expect(await suspensionOf(tenant)).toEqual({ reason: REASON, readsAllowed: true, suspendedAt: now });
    expect(await mailsTo(tenant)).toEqual([
      {
        subject: 'The organization Acme is suspended (Penstock)',
        text: expect.stringMatching(/reports of abuse[\s\S]*Consumers can still read/),
      },
    ]);
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'organization.suspend',
      targetId: tenant.organizationId,
      after: { reason: REASON, readsAllowed: true },
    });
  });

  test('is lifted by no job, and ends when an operator lifts it', async () => {
    const tenant = await plane.newTenant();
    await suspend(tenant, REASON, false);
    await plane.database.billingAccount.upsert({
      where: { organizationId: tenant.organizationId },
      create: { organizationId: tenant.organizationId, capUsd: '10' },
      update: { capUsd: '10' },
    });
    const { failures } = await checkBudgets(plane.worker, { now, webUrl: undefined });
    expect(failures).toEqual([]);
    expect(await suspensionOf(tenant)).toMatchObject({ readsAllowed: false });
    await asOperator(tenant, (scope) => liftSuspension(scope, { reason: 'Resolved by phone.' }));
    expect(await suspensionOf(tenant)).toBeNull();
    expect((await mailsTo(tenant)).at(-1)?.subject).toBe('The suspension of Acme is lifted (Penstock)');
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'organization.lift-suspension',
      before: { reason: REASON, readsAllowed: false },
      after: { reason: 'Resolved by phone.' },
    });
  });

  test('can be changed without starting again', async () => {
    const tenant = await plane.newTenant();
    await suspend(tenant);
    await suspend(tenant, 'The abuse continues.', false);
    expect(await suspensionOf(tenant)).toEqual({
      reason: 'The abuse continues.',
      readsAllowed: false,
      suspendedAt: now,
    });
  });

  test('refuses new clusters and keys until it is lifted', async () => {
    const tenant = await plane.newTenant();
    const deleted = await plane.newCluster(tenant, 'deleted');
    await tenant.run((scope) => deleteCluster(scope, { clusterId: deleted.id, confirmation: 'deleted' }));
    const cluster = await plane.newCluster(tenant, 'kept');
    const newCluster = {
      name: 'another',
      cloud: 'aws',
      region: 'eu-central-1',
      mode: 'standard',
      autoCreateTopics: true,
      defaultPartitions: 1,
      deletionProtection: false,
    } as const;
    const apiKey = { name: 'ci', role: 'viewer', isReadOnly: true, lifetimeDays: null } as const;
    const changes: ((scope: Scope) => Promise<unknown>)[] = [
      (scope) => createCluster(scope, newCluster, async () => undefined),
      (scope) => restoreCluster(scope, { clusterId: deleted.id }),
      (scope) => createAgentKey(scope, { clusterId: cluster.id, name: 'agents' }),
      (scope) => createApiKey(scope, apiKey),
    ];
    await suspend(tenant);
    for (const change of changes) {
      expect(await refusalOf(tenant.run(change))).toBe('organization_suspended');
    }
    await asOperator(tenant, (scope) => liftSuspension(scope, { reason: 'Resolved.' }));
    for (const change of changes) {
      await tenant.run(change);
    }
  });

  test('concerns one organization only, and tenants cannot change it', async () => {
    const [tenant, other] = [await plane.newTenant(), await plane.newTenant()];
    await suspend(tenant);
    expect(await suspensionOf(other)).toBeNull();
    const deletion = tenant.run(({ tx }) => tx.organizationSuspension.deleteMany());
    await expect(deletion).rejects.toThrow(/permission denied/);
  });
});

test('needs a reason of at most 500 characters', async () => {
  const tenant = await plane.newTenant();
  expect(await refusalOf(suspend(tenant, '  '))).toBe('suspension_invalid');
  expect(await refusalOf(suspend(tenant, 'x'.repeat(501)))).toBe('suspension_invalid');
});

test('refuses organizations that are missing or not suspended', async () => {
  const tenant = await plane.newTenant();
  expect(await refusalOf(asOperator(tenant, (scope) => liftSuspension(scope, { reason: 'x' })))).toBe('not_suspended');
  const nobody = { organizationId: 'nobody' };
  const suspending = asOperator(nobody, (scope) => suspendOrganization(scope, { reason: 'x', readsAllowed: true }));
  expect(await refusalOf(suspending)).toBe('organization_unknown');
});
