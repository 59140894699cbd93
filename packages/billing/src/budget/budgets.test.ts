// Budgets and caps with the usage ledger. $0.008 per GiB is the first tier of the price book of November 2026.
import { updateWebhook } from '@penstock/tenancy';
import { testSecretBox } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { accountsToCheck } from './accounts-to-check.ts';
import { checkBudgets } from './check-budgets.ts';
import { type Budget, getBudget } from './get-budget.ts';
import { type BudgetChange, updateBudget } from './update-budget.ts';

const plane = setUpControlPlane();
const WEB_URL = 'https://app.example.com';
const november = new Date('2026-11-21T10:30:00Z');
const GIB_PER_DOLLAR = 125n;

interface Spender extends TestOrganization {
  clusterId: string;
}

async function newSpender(): Promise<Spender> {
  const tenant = await plane.newTenant();
  return { ...tenant, clusterId: (await plane.newCluster(tenant)).id };
}

/** Adds writes worth this many dollars to the ledger, in a new hour. */
let hours = 0;
async function spend(tenant: Spender, dollars: bigint, month = '2026-11'): Promise<void> {
  hours += 1;
  const hour = new Date(Date.parse(`${month}-01T00:00:00Z`) + (hours % 480) * 3_600_000);
  await plane.database.usageHour.create({
    data: {
      clusterId: tenant.clusterId,
      hour,
      organizationId: tenant.organizationId,
      uncompressedBytes: dollars * GIB_PER_DOLLAR * 2n ** 30n,
      firstSeq: 1n,
      lastSeq: 1n,
    },
  });
}

function set(tenant: TestOrganization, change: BudgetChange, now = november): Promise<Budget> {
  return tenant.run((scope) => updateBudget(scope, change, WEB_URL), now);
}

function budgetOf(tenant: TestOrganization, now = november): Promise<Budget> {
  return tenant.run(getBudget, now);
}

/** The result of the check for this tenant. */
async function check(tenant: TestOrganization, now = november) {
  const { changes, failures } = await checkBudgets(plane.worker, { now, webUrl: WEB_URL });
  expect(failures).toEqual([]);
  return changes.find(({ organizationId }) => organizationId === tenant.organizationId) ?? null;
}

async function mailsTo(tenant: TestOrganization): Promise<{ subject: string; text: string; link: string | null }[]> {
  const { email } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
  return plane.database.mail.findMany({
    where: { toAddress: email },
    orderBy: { subject: 'asc' },
    select: { subject: true, text: true, link: true },
  });
}

test('mails owners about each threshold once a month', async () => {
  const tenant = await newSpender();
  await set(tenant, { budgetUsd: '50' });
  await spend(tenant, 24n);
  expect(await check(tenant)).toBeNull();
  await spend(tenant, 1n);
  expect(await check(tenant)).toMatchObject({ announced: [50] });
  expect(await check(tenant)).toBeNull();
  await spend(tenant, 28n);
  expect(await check(tenant)).toMatchObject({ announced: [80, 100] });
  expect(await check(tenant)).toBeNull();
  const mails = await mailsTo(tenant);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Acme has reached 100% of its budget for November 2026',
    'Acme has reached 50% of its budget for November 2026',
    'Acme has reached 80% of its budget for November 2026',
  ]);
  expect(mails[0]).toMatchObject({ link: `${WEB_URL}/app/billing`, text: expect.stringContaining('$53.00') });
});

test('the next month starts from zero and is announced again', async () => {
  const tenant = await newSpender();
  await set(tenant, { budgetUsd: '10' });
  await spend(tenant, 12n);
  expect(await check(tenant)).toMatchObject({ announced: [50, 80, 100] });
  const december = new Date('2026-12-01T00:00:00Z');
  expect(await check(tenant, december)).toBeNull();
  await spend(tenant, 5n, '2026-12');
  expect(await check(tenant, new Date('2026-12-02T00:00:00Z'))).toMatchObject({ announced: [50] });
});

test('leaves out settled budgets, and finds those that are not', async () => {
  const tenant = await newSpender();
  const isChecked = async (now = november): Promise<boolean> =>
    (await accountsToCheck(plane.worker, now)).includes(tenant.organizationId);
  await set(tenant, { budgetUsd: '50', capUsd: '50' });
  expect(await isChecked()).toBe(false);
  await spend(tenant, 24n);
  expect(await isChecked()).toBe(false);
  await spend(tenant, 1n);
  expect(await isChecked()).toBe(true);
  await check(tenant);
  expect(await isChecked()).toBe(false);
  await spend(tenant, 25n);
  expect(await isChecked()).toBe(true);
  expect(await check(tenant)).toMatchObject({ announced: [80, 100], cap: 'capped' });
  // The cost is the cap, to the cent: running totals cannot tell whether it is reached.
  expect(await isChecked()).toBe(true);
  await spend(tenant, 1n);
  expect(await isChecked()).toBe(false);
  expect(await isChecked(new Date('2026-12-01T00:00:00Z'))).toBe(true);
});

test('two concurrent workers announce a threshold once', async () => {
  const tenant = await newSpender();
  await set(tenant, { budgetUsd: '10', capUsd: '11' });
  await spend(tenant, 12n);
  const both = await Promise.all([check(tenant), check(tenant)]);
  expect(both.filter((one) => one !== null)).toEqual([
    { organizationId: tenant.organizationId, announced: [50, 80, 100], cap: 'capped' },
  ]);
  expect(await mailsTo(tenant)).toHaveLength(4);
});

// Those still passed are not repeated.
test('after a raise announces only thresholds of the new budget', async () => {
  const tenant = await newSpender();
  await spend(tenant, 10n);
  await set(tenant, { budgetUsd: '10' });
  expect((await budgetOf(tenant)).alerts.map(({ percent }) => percent)).toEqual([50, 80, 100]);
  await set(tenant, { budgetUsd: '20' });
  expect((await budgetOf(tenant)).alerts.map(({ percent }) => percent)).toEqual([50]);
  await spend(tenant, 10n);
  expect(await check(tenant)).toMatchObject({ announced: [80, 100] });
});

test('mails the billing address instead and sends the webhook', async () => {
  const tenant = await newSpender();
  await plane.database.billingAccount.upsert({
    where: { organizationId: tenant.organizationId },
    create: { organizationId: tenant.organizationId, billingEmail: 'money@example.com' },
    update: { billingEmail: 'money@example.com' },
  });
  await tenant.run((scope) =>
    updateWebhook(
      scope,
      { url: 'https://hooks.example.com/x' },
      { policy: { isLoopbackAllowed: false, allowedPorts: [443] }, secretBox: testSecretBox },
    ),
  );
  await spend(tenant, 8n);
  await set(tenant, { budgetUsd: '10.00' });
  expect(await mailsTo(tenant)).toEqual([]);
  expect(await plane.database.mail.count({ where: { toAddress: 'money@example.com' } })).toBe(2);
  const deliveries = await plane.database.webhookDelivery.findMany({
    where: { organizationId: tenant.organizationId },
  });
  const bodies = deliveries.map(({ body }) => JSON.parse(body));
  expect(bodies.toSorted((left, right) => left.data.percent - right.data.percent)).toMatchObject([
    { type: 'budget.reached', data: { percent: 50, budgetUsd: '10.00', costUsd: '8.00', month: '2026-11' } },
    { type: 'budget.reached', data: { percent: 80, budgetUsd: '10.00', costUsd: '8.00', month: '2026-11' } },
  ]);
});

test('without a cap writes are never refused', async () => {
  const tenant = await newSpender();
  await set(tenant, { budgetUsd: '1' });
  await spend(tenant, 1_000n);
  await check(tenant);
  expect((await budgetOf(tenant)).writesRefusedReason).toBeNull();
});

test('a reached cap refuses writes and names itself and a remedy', async () => {
  const tenant = await newSpender();
  await set(tenant, { capUsd: '50' });
  await spend(tenant, 49n);
  expect(await check(tenant)).toBeNull();
  await spend(tenant, 1n);
  expect(await check(tenant)).toMatchObject({ cap: 'capped' });
  expect(await check(tenant)).toBeNull();
  const reason = (await budgetOf(tenant)).writesRefusedReason;
  expect(reason).toContain('spending cap of $50.00 for November 2026');
  expect(reason).toContain('raise or remove the cap under Billing > Settings');
  expect(reason).toContain('1 December 2026, 00:00 UTC');

  expect((await set(tenant, { capUsd: '60' })).writesRefusedReason).toBeNull();
  expect((await mailsTo(tenant)).map(({ subject }) => subject)).toEqual([
    'Acme can write again',
    'Acme has reached its spending cap: writes are blocked',
  ]);
  const actions = (await plane.auditOf(tenant)).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['billing.update-budget', 'billing.cap-reach', 'billing.cap-lift']));
});

test('an insufficient raise only updates the reason for producers', async () => {
  const tenant = await newSpender();
  await spend(tenant, 79n);
  expect((await set(tenant, { capUsd: '50' })).writesRefusedReason).toContain('$50.00');
  expect((await set(tenant, { capUsd: '75' })).writesRefusedReason).toContain('$75.00');
  expect(await mailsTo(tenant)).toHaveLength(1);
});

test('removing a cap allows writes at once', async () => {
  const tenant = await newSpender();
  await spend(tenant, 79n);
  await set(tenant, { capUsd: '50' });
  expect((await set(tenant, { capUsd: null })).writesRefusedReason).toBeNull();
});

test('a new month lifts a cap: at once on pages, then for good', async () => {
  const tenant = await newSpender();
  await spend(tenant, 79n);
  await set(tenant, { capUsd: '50' });
  const december = new Date('2026-12-01T00:00:00Z');
  expect((await budgetOf(tenant, december)).writesRefusedReason).toBeNull();
  expect(await check(tenant, december)).toMatchObject({ cap: 'lifted' });
  await spend(tenant, 50n, '2026-12');
  const later = new Date('2026-12-21T00:00:00Z');
  expect(await check(tenant, later)).toMatchObject({ cap: 'capped' });
  expect((await budgetOf(tenant, later)).writesRefusedReason).toContain('December 2026');
});

test('a cap counts usage before credits', async () => {
  // Every organization gets $400 at sign-up. The cap is compared with usage, not with the amount left to pay.
  const tenant = await newSpender();
  await spend(tenant, 5n);
  expect((await set(tenant, { capUsd: '5' })).writesRefusedReason).not.toBeNull();
});
