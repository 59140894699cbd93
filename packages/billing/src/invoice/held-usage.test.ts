// Unusual usage from its discovery to the bill, on a real PostgreSQL. Invoices never change: released usage is a correction
// on the next one.
import type { Actor } from '@penstock/tenancy';
import { HOUR_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { holdUnusualUsage } from '../hold/hold-unusual-usage.ts';
import { type HoldReview, listHolds, reviewHolds } from '../hold/review-hold.ts';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { exportInvoice } from './export-invoice.ts';
import { getDraftInvoice } from './get-draft-invoice.ts';
import { getForecast } from './get-forecast.ts';
import { getLineOrigin } from './get-line-origin.ts';
import { getMonthByDay } from './get-month-by-day.ts';
import { amountsOf, balancesOf, GIB, invoiceOf } from './testing/billing-fixture.ts';

const plane = setUpControlPlane();
const operator: Actor = { type: 'system', id: null, label: 'Operator ada', source: 'worker' };
const november = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
const found = new Date('2026-11-20T11:00:00Z');
const ATTACKED = '2026-11-20T10:00:00Z';

interface Customer {
  tenant: TestOrganization;
  clusterId: string;
}

async function write({ tenant, clusterId }: Customer, hour: Date, gib: bigint, ratio: bigint): Promise<void> {
  const { organizationId } = tenant;
  const uncompressedBytes = gib * GIB;
  const storedBytes = uncompressedBytes / ratio;
  await plane.database.usageHour.create({
    data: { clusterId, hour, organizationId, uncompressedBytes, storedBytes, firstSeq: 1n, lastSeq: 1n },
  });
}

/** Ten hours of 100 GiB that compress well, then one of 1,000 GiB that nothing compresses so well. */
async function attacked(): Promise<Customer> {
  const tenant = await plane.newTenant(new Date('2026-11-01T00:00:00Z'));
  const customer = { tenant, clusterId: (await plane.newCluster(tenant, 'orders')).id };
  for (let hour = 1; hour <= 10; hour += 1) {
    await write(customer, new Date(Date.parse(ATTACKED) - hour * HOUR_MS), 100n, 5n);
  }
  await write(customer, new Date(ATTACKED), 1_000n, 5_000n);
  return customer;
}

async function search({ tenant: { organizationId } }: Customer, now = found) {
  return await holdUnusualUsage(plane.worker, { ...november, organizationId }, { now, webUrl: undefined });
}

async function review({ clusterId }: Customer, verdict: HoldReview['verdict'], at = '2026-11-21T09:00:00Z') {
  const input = { clusterId, verdict, reason: 'A load test, says the customer.' };
  return await reviewHolds(plane.database, input, { actor: operator, now: new Date(at) });
}

function draftOf({ tenant }: Customer) {
  return tenant.run((scope) => getDraftInvoice(scope, { month: '2026-11' }), new Date('2026-11-22T00:00:00Z'));
}

const USUAL: [string, string] = ['orders: writes, tier 1 (first 10 TiB)', '8.00'];
const HELD: [string, string] = ['orders: writes of one hour, held for review and not charged', '0.00'];
const CREDIT: [string, string] = ['Credits ($400.00 before, $392.00 left)', '-8.00'];

test('reports and audits an unusual hour once', async () => {
  const customer = await attacked();
  const { tenant, clusterId } = customer;
  expect(await search(customer)).toEqual([
    {
      organizationId: tenant.organizationId,
      clusterId,
      hour: new Date(ATTACKED),
      kind: 'ratio',
      finding: expect.stringContaining('5000 times what is stored'),
    },
  ]);
  expect(await search(customer)).toEqual([]);
  const { email } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
  const mails = await plane.database.mail.findMany({ where: { toAddress: email } });
  expect(mails).toMatchObject([
    { subject: 'Unusual usage of orders is held for review', text: expect.stringContaining('2026-11-20 10:00 UTC') },
  ]);
  expect(await plane.auditOf(tenant)).toContainEqual(
    expect.objectContaining({ action: 'billing.hold-usage', targetId: clusterId }),
  );
  expect((await listHolds(plane.database)).filter((hold) => hold.clusterId === clusterId)).toHaveLength(1);
});

test('shows a held hour on the draft without charging it', async () => {
  const customer = await attacked();
  await search(customer);
  const draft = await draftOf(customer);
  expect(amountsOf(draft)).toEqual([USUAL, HELD, CREDIT]);
  expect(draft.lines[1]).toMatchObject({ product: 'held', quantity: 1_000n * GIB, firstHour: new Date(ATTACKED) });
  const now = new Date('2026-11-22T00:00:00Z');
  const origin = await customer.tenant.run(
    (scope) => getLineOrigin(scope, { invoice: 'draft', month: '2026-11', position: 2 }),
    now,
  );
  expect(origin).toMatchObject({
    hours: [{ hour: new Date(ATTACKED), quantity: 1_000n * GIB, amountUsd: '0' }],
    lateQuantity: 0n,
  });
  const csv = await customer.tenant.run(
    (scope) => exportInvoice(scope, { invoice: 'draft', month: '2026-11', format: 'csv' }, { seller: undefined }),
    now,
  );
  expect(new TextDecoder().decode(csv.bytes)).toContain('held for review');
});

test('charts and forecasts leave out the cost of held writes', async () => {
  const customer = await attacked();
  const at = new Date('2026-11-22T00:00:00Z');
  const before = await customer.tenant.run((scope) => getMonthByDay(scope, {}), at);
  expect(before.totalUsd).toBe('16');
  await search(customer);
  const held = await customer.tenant.run((scope) => getMonthByDay(scope, {}), at);
  expect(held.totalUsd).toBe('8');
  // They were written all the same.
  expect(held.clusters.map(({ writtenBytes }) => writtenBytes)).toEqual(
    before.clusters.map(({ writtenBytes }) => writtenBytes),
  );
  // 1,000 GiB in the two days since its first usage, and nine days to go.
  expect(await customer.tenant.run(getForecast, at)).toMatchObject({ soFarUsd: '8.00', subtotalUsd: '44.00' });
});

test('released before the close, it is on the invoice of its month', async () => {
  const customer = await attacked();
  await search(customer);
  expect(await review(customer, 'released')).toEqual([new Date(ATTACKED)]);
  expect((await invoiceOf(plane, customer.tenant, '2026-11')).subtotalUsd).toBe('16.00');
});

test('released after the close, it is added to the next invoice', async () => {
  const customer = await attacked();
  await search(customer);
  const issued = await invoiceOf(plane, customer.tenant, '2026-11');
  expect(amountsOf(issued)).toEqual([USUAL, HELD, CREDIT]);
  await review(customer, 'released', '2026-12-10T09:00:00Z');
  const next = await invoiceOf(plane, customer.tenant, '2026-12');
  expect(amountsOf(next)[0]).toEqual([
    `orders: usage of November 2026 that was counted after invoice ${issued.number}`,
    '8.00',
  ]);
  expect(next.subtotalUsd).toBe('8.00');
  // Each cent is booked once.
  expect(await balancesOf(plane.database, customer.tenant.organizationId)).toEqual({
    revenue: '-16.00',
    credit: '-384.00',
    credit_expense: '400.00',
  });
});

test('waived, it is never billed', async () => {
  const customer = await attacked();
  await search(customer);
  await review(customer, 'waived');
  expect(amountsOf(await draftOf(customer))).toEqual([USUAL, CREDIT]);
  expect((await invoiceOf(plane, customer.tenant, '2026-11')).subtotalUsd).toBe('8.00');
  expect((await plane.auditOf(customer.tenant)).map(({ action }) => action)).toContain('billing.waive-usage');
  expect(await search(customer)).toEqual([]);
});

test('a billed hour is no longer held', async () => {
  const customer = await attacked();
  expect((await invoiceOf(plane, customer.tenant, '2026-11')).subtotalUsd).toBe('16.00');
  expect(await search(customer)).toEqual([]);
});

test('a lasting attack never becomes usual', async () => {
  const customer = await attacked();
  await search(customer);
  await write(customer, new Date(Date.parse(ATTACKED) + HOUR_MS), 1_000n, 5_000n);
  await write(customer, new Date(Date.parse(ATTACKED) + 2 * HOUR_MS), 1_000n, 5_000n);
  expect(await search(customer)).toHaveLength(2);
  expect(amountsOf(await draftOf(customer))[1]).toEqual([
    'orders: writes of 3 hours, held for review and not charged',
    '0.00',
  ]);
});

test('a review lists pending hours and needs a reason', async () => {
  const customer = await attacked();
  await expect(review(customer, 'released')).rejects.toThrow('No such hour');
  const input = { clusterId: customer.clusterId, verdict: 'waived', reason: ' ' } as const;
  await expect(reviewHolds(plane.database, input, { actor: operator, now: found })).rejects.toThrow('needs');
});
