// Closing months on a real PostgreSQL. Each test is one rule.
import { purgeCluster } from '@penstock/clusters';
import { PRICE_BOOKS, type PriceBook } from '@penstock/pricing';
import { inTransaction } from '@penstock/tenancy';
import { expect, test } from 'vitest';
import { creditBalance, listCreditEntries } from '../credit/list-credit-entries.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { getDraftInvoice } from './get-draft-invoice.ts';
import { getLineOrigin } from './get-line-origin.ts';
import { listInvoices } from './list-invoices.ts';
import { monthsToFinalize } from './months-to-finalize.ts';
import { addUsage, amountsOf, balancesOf, finalize, GIB, invoiceOf } from './testing/billing-fixture.ts';
import { settings } from './testing/billing-settings.ts';

const plane = setUpControlPlane();

async function tenantWithCluster(name = 'orders') {
  // Created before the closed months, whenever the test runs, because credits come with the organization.
  const tenant = await plane.newTenant(new Date('2026-11-01T00:00:00Z'));
  const { id } = await plane.newCluster(tenant, name);
  return { tenant, clusterId: id };
}

const add = (tenant: TestOrganization, clusterId: string, hour: string, usage: Parameters<typeof addUsage>[4]) =>
  addUsage(plane.database, tenant, clusterId, hour, usage);

function draft(tenant: TestOrganization, now: string, month?: string) {
  return tenant.run((scope) => getDraftInvoice(scope, { month }), new Date(now));
}

test('an hour belongs to its UTC month', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-30T23:00:00Z', { bytes: 1_000n * GIB });
  await add(tenant, clusterId, '2026-12-01T00:00:00Z', { bytes: 2_000n * GIB });
  const november = await invoiceOf(plane, tenant, '2026-11');
  const december = await invoiceOf(plane, tenant, '2026-12');
  expect([november.subtotalUsd, december.subtotalUsd]).toEqual(['8.00', '16.00']);
  expect(november).toMatchObject({ month: '2026-11', periodEnd: new Date('2026-12-01T00:00:00Z') });
  expect(november.lines[0]).toMatchObject({ quantity: 1_000n * GIB, firstHour: new Date('2026-11-30T23:00:00Z') });
});

test('29 February is billed in leap years only', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2027-02-28T23:00:00Z', { minutes: 60 });
  await add(tenant, clusterId, '2028-02-29T23:00:00Z', { minutes: 60 });
  await add(tenant, clusterId, '2028-03-01T00:00:00Z', { minutes: 30 });
  expect((await invoiceOf(plane, tenant, '2027-02')).periodEnd).toEqual(new Date('2027-03-01T00:00:00Z'));
  const leap = await invoiceOf(plane, tenant, '2028-02');
  expect(leap).toMatchObject({ periodEnd: new Date('2028-03-01T00:00:00Z'), subtotalUsd: '0.14' });
  expect(leap.lines[0]).toMatchObject({ quantity: 60n, lastHour: new Date('2028-02-29T23:00:00Z') });
});

test('a month is closed 24 hours after its end, not earlier', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-05T00:00:00Z', { bytes: 100n * GIB });
  const early = await finalize(plane.database, tenant, '2026-11', { now: new Date('2026-12-01T23:59:59.999Z') });
  expect(early).toEqual({ outcome: 'too early' });
  expect(await monthsToFinalize(plane.worker, new Date('2026-12-01T23:59:59.999Z'))).not.toContainEqual(
    expect.objectContaining({ organizationId: tenant.organizationId }),
  );
  const now = new Date('2026-12-02T00:00:00Z');
  expect(await monthsToFinalize(plane.worker, now)).toContainEqual({
    organizationId: tenant.organizationId,
    month: '2026-11',
  });
  expect(await finalize(plane.database, tenant, '2026-11', { now })).toMatchObject({ outcome: 'issued' });
});

// A purged one appears with its last name.
test('bills a deleted cluster until its end', async () => {
  const { tenant, clusterId } = await tenantWithCluster('short-lived');
  await add(tenant, clusterId, '2026-11-05T00:00:00Z', { bytes: 1_000n * GIB, minutes: 60 });
  await tenant.run((scope) =>
    scope.tx.virtualCluster.update({ where: { id: clusterId }, data: { deletedAt: new Date() } }),
  );
  expect(amountsOf(await draft(tenant, '2026-11-21T00:00:00Z'))).toContainEqual([
    'short-lived: writes, tier 1 (first 10 TiB)',
    '8.00',
  ]);
  const later = new Date(Date.now() + 31 * 24 * 3_600_000);
  expect(await purgeCluster(plane.worker, clusterId, later)).toBe('purged');
  const invoice = await invoiceOf(plane, tenant, '2026-11');
  expect(amountsOf(invoice)).toEqual([
    ['short-lived: writes, tier 1 (first 10 TiB)', '8.00'],
    ['short-lived: cluster minutes, standard', '0.14'],
    ['Credits ($400.00 before, $391.86 left)', '-8.14'],
  ]);
});

test('an organization without clusters uses no invoice number', async () => {
  const tenant = await plane.newTenant();
  expect(await finalize(plane.database, tenant, '2026-11')).toEqual({ outcome: 'nothing to bill' });
  expect(await tenant.run((scope) => listInvoices(scope, {}))).toEqual({ invoices: [], nextCursor: null });
  expect(await draft(tenant, '2026-11-21T00:00:00Z')).toMatchObject({ lines: [], totalUsd: '0.00' });
});

test('an organization created mid-month pays for its own hours', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  expect(await tenant.run(creditBalance)).toBe('400.00');
  await add(tenant, clusterId, '2026-11-21T13:00:00Z', { minutes: 47 });
  const invoice = await invoiceOf(plane, tenant, '2026-11');
  expect(amountsOf(invoice)[0]).toEqual(['orders: cluster minutes, standard', '0.11']);
  expect(invoice.periodStart).toEqual(new Date('2026-11-01T00:00:00Z'));
});

// The hours before and after are rated separately.
test('a price change at midnight keeps the tiers', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  const [book] = PRICE_BOOKS;
  if (book === undefined) {
    throw new Error('There is a price book.');
  }
  const dearer: PriceBook = {
    ...book,
    id: '2026-11-16',
    from: '2026-11-16',
    writes: book.writes.map((tier, index) => (index === 1 ? { ...tier, usdPerGib: '0.005' } : tier)),
  };
  await add(tenant, clusterId, '2026-11-15T23:00:00Z', { bytes: 10_340n * GIB });
  await add(tenant, clusterId, '2026-11-16T00:00:00Z', { bytes: 100n * GIB });
  const invoice = await invoiceOf(plane, tenant, '2026-11', { books: [book, dearer] });
  expect(invoice.lines.slice(0, 3).map((line) => [line.description, line.priceBookId, line.amountUsd])).toEqual([
    ['orders: writes, tier 1 (first 10 TiB), prices of 2026-11-01', '2026-11-01', '81.92'],
    ['orders: writes, tier 2 (10 TiB to 100 TiB), prices of 2026-11-01', '2026-11-01', '0.40'],
    ['orders: writes, tier 2 (10 TiB to 100 TiB), prices of 2026-11-16', '2026-11-16', '0.50'],
  ]);
});

test('10 TiB fill the first tier across all clusters exactly', async () => {
  const { tenant, clusterId } = await tenantWithCluster('a');
  const { id: other } = await plane.newCluster(tenant, 'b');
  await add(tenant, clusterId, '2026-11-02T00:00:00Z', { bytes: 10_240n * GIB });
  const at = '2026-11-21T00:00:00Z';
  expect((await draft(tenant, at)).lines.map(({ tier }) => tier)).toEqual([1, null]);
  await add(tenant, other, '2026-11-02T01:00:00Z', { bytes: 1n });
  expect(await draft(tenant, at)).toMatchObject({ linesBelowOneCent: 1, subtotalUsd: '81.92' });
  await add(tenant, other, '2026-11-02T02:00:00Z', { bytes: 100n * GIB - 1n });
  const lines = (await draft(tenant, at)).lines.map(({ clusterName, tier, quantity }) => [clusterName, tier, quantity]);
  expect(lines.slice(0, 2)).toEqual([
    ['a', 1, 10_240n * GIB],
    ['b', 2, 100n * GIB],
  ]);
});

test('credits that run out leave the rest due in 30 days', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 90_000n * GIB });
  const invoice = await invoiceOf(plane, tenant, '2026-11');
  expect(invoice).toMatchObject({
    subtotalUsd: '400.96',
    creditUsd: '-400.00',
    totalUsd: '0.96',
    amountDueUsd: '0.96',
    status: 'open',
    collection: 'transfer',
    transferDetails: settings.transferDetails,
    billedBy: settings.seller,
    dueAt: new Date('2027-01-01T01:00:00Z'),
  });
  expect(await balancesOf(plane.database, tenant.organizationId)).toEqual({
    credit: '0.00',
    credit_expense: '400.00',
    receivable: '0.96',
    revenue: '-400.96',
  });
});

test('an invoice fully covered by credits is paid at once', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1_000n * GIB });
  const invoice = await invoiceOf(plane, tenant, '2026-11');
  expect(invoice).toMatchObject({ totalUsd: '0.00', creditUsd: '-8.00', status: 'paid', amountDueUsd: '0.00' });
  expect(await tenant.run(creditBalance)).toBe('392.00');
  expect(
    (await tenant.run(listCreditEntries)).map(({ kind, amountUsd, balanceUsd }) => [kind, amountUsd, balanceUsd]),
  ).toEqual([
    ['invoice', '-8.00', '392.00'],
    ['credit_grant', '400.00', '400.00'],
  ]);
});

test('usage that costs nothing gets an invoice of zero', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1n, minutes: 60, devMinutes: 60 });
  const invoice = await invoiceOf(plane, tenant, '2026-11');
  expect(invoice).toMatchObject({ lines: [], subtotalUsd: '0.00', totalUsd: '0.00', status: 'paid' });
});

test('late usage is billed on the next invoice', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1_000n * GIB });
  const november = await invoiceOf(plane, tenant, '2026-11');
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 500n * GIB });
  const origin = await tenant.run((scope) => getLineOrigin(scope, { invoice: november.id, position: 1 }));
  expect(origin.lateQuantity).toBe(500n * GIB);
  // December had no usage: the correction alone causes an invoice.
  const december = await invoiceOf(plane, tenant, '2026-12');
  expect(amountsOf(december)[0]).toEqual([
    `orders: usage of November 2026 that was counted after invoice ${november.number}`,
    '4.00',
  ]);
  expect((await tenant.run((scope) => listInvoices(scope, {}))).invoices.at(-1)).toMatchObject({ subtotalUsd: '8.00' });
  await add(tenant, clusterId, '2027-01-03T00:00:00Z', { bytes: 100n * GIB });
  expect((await invoiceOf(plane, tenant, '2027-01')).subtotalUsd).toBe('0.80');
});

test('a month waits for journals that may still contain its usage', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-30T23:00:00Z', { bytes: 100n * GIB });
  const journal = (seq: bigint) =>
    plane.database.metadataJournal.create({
      data: { clusterId, seq, organizationId: tenant.organizationId, entry: new Uint8Array(1) },
    });
  await journal(1n);
  await journal(2n);
  expect(await finalize(plane.database, tenant, '2026-11')).toEqual({ outcome: 'waits for metering' });
  await plane.database.meteringCheckpoint.create({
    data: { clusterId, seq: 1n, entryAt: new Date('2026-11-30T23:59:59.999Z') },
  });
  expect(await finalize(plane.database, tenant, '2026-11')).toEqual({ outcome: 'waits for metering' });
  await plane.database.meteringCheckpoint.update({
    where: { clusterId },
    data: { entryAt: new Date('2026-12-01T00:00:00Z') },
  });
  expect(await finalize(plane.database, tenant, '2026-11')).toMatchObject({ outcome: 'issued' });
});

test('months close in order, each with the credits the last left', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 80_000n * GIB });
  await add(tenant, clusterId, '2026-12-01T00:00:00Z', { bytes: 80_000n * GIB });
  expect(await finalize(plane.database, tenant, '2026-12')).toEqual({ outcome: 'earlier month first' });
  const pending = await draft(tenant, '2026-12-01T12:00:00Z');
  expect(pending).toMatchObject({ month: '2026-12', subtotalUsd: '360.96', creditUsd: '-39.04' });
  await invoiceOf(plane, tenant, '2026-11');
  const december = await invoiceOf(plane, tenant, '2026-12');
  expect(december).toMatchObject({ subtotalUsd: '360.96', creditUsd: '-39.04', totalUsd: '321.92' });
});

test('only the payment of a final invoice can change', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1_000n * GIB });
  const { id } = await invoiceOf(plane, tenant, '2026-11');
  const { database } = plane;
  await expect(database.invoice.update({ where: { id }, data: { totalUsd: '1', subtotalUsd: '9' } })).rejects.toThrow();
  await expect(database.invoiceLine.deleteMany({ where: { invoiceId: id } })).rejects.toThrow(/append-only/);
  await expect(
    database.ledgerPosting.updateMany({ where: { organizationId: tenant.organizationId }, data: { amountUsd: '1' } }),
  ).rejects.toThrow(/append-only/);
  expect(await refusalOf(draft(tenant, '2026-12-21T00:00:00Z', '2026-11'))).toBe('month_is_final');
});

test('a line is the sum of its hours, each traced to the journal', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 10_000n * GIB, seqs: [7n, 90n] });
  await add(tenant, clusterId, '2026-11-03T01:00:00Z', { bytes: 1_000n * GIB, seqs: [91n, 120n] });
  const { id } = await invoiceOf(plane, tenant, '2026-11');
  const [first, second] = await Promise.all(
    [1, 2].map((position) => tenant.run((scope) => getLineOrigin(scope, { invoice: id, position }))),
  );
  const hour = (text: string) => new Date(`2026-11-03T${text}:00:00Z`);
  expect(first?.hours).toEqual([
    { hour: hour('00'), quantity: 10_000n * GIB, amountUsd: '80', firstSeq: 7n, lastSeq: 90n },
    { hour: hour('01'), quantity: 240n * GIB, amountUsd: '1.92', firstSeq: 91n, lastSeq: 120n },
  ]);
  expect(second?.hours).toEqual([
    { hour: hour('01'), quantity: 760n * GIB, amountUsd: '3.04', firstSeq: 91n, lastSeq: 120n },
  ]);
  expect([first?.lateQuantity, second?.lateQuantity]).toEqual([0n, 0n]);
  expect(await refusalOf(tenant.run((scope) => getLineOrigin(scope, { invoice: id, position: 3 })))).toBe(
    'line_without_hours',
  );
  const stranger = await plane.newTenant();
  expect(await refusalOf(stranger.run((scope) => getLineOrigin(scope, { invoice: id, position: 1 })))).toBe(
    'invoice_not_found',
  );
});

test('nothing is issued without a seller', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1_000n * GIB });
  const nobody = { settings: { ...settings, seller: undefined } };
  expect(await refusalOf(finalize(plane.database, tenant, '2026-11', nobody))).toBe('seller_unknown');
  expect(await plane.database.invoice.count({ where: { organizationId: tenant.organizationId } })).toBe(0);
});

test('mails the invoice to the billing address or the owners', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await add(tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 1_000n * GIB });
  const to = `${tenant.organizationId}@bills.example`;
  await inTransaction(plane.database, (tx) =>
    tx.billingAccount.update({ where: { organizationId: tenant.organizationId }, data: { billingEmail: to } }),
  );
  const { id, number } = await invoiceOf(plane, tenant, '2026-11');
  const [mail] = await plane.database.mail.findMany({ where: { toAddress: to } });
  expect(mail?.subject).toBe(`Your Penstock invoice ${number} for November 2026: $0.00`);
  expect(mail?.text).toContain('Your credits cover it');
  expect(mail?.link).toBe(`https://app.penstock.example/app/billing/invoices/${id}`);
});
