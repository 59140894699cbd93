// What a draft and a forecast read, whatever the past.
import type { Transaction } from '@penstock/database/client';
import { expect, test } from 'vitest';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { getDraftInvoice } from './get-draft-invoice.ts';
import { getForecast } from './get-forecast.ts';
import { addUsage, GIB, invoiceOf } from './testing/billing-fixture.ts';

const plane = setUpControlPlane();
const NOW = new Date('2026-11-20T00:00:00Z');

/** An organization with usage this month, after this many closed months. */
async function withPast(months: number) {
  const tenant = await plane.newTenant();
  const { id: clusterId } = await plane.newCluster(tenant);
  const past = Array.from({ length: months }, (_, index) => new Date(Date.UTC(2026, 10 - months + index, 1)));
  for (const start of past) {
    await addUsage(plane.database, tenant, clusterId, start.toISOString(), { bytes: 100n * GIB });
    await invoiceOf(plane, tenant, start.toISOString().slice(0, 7));
  }
  await addUsage(plane.database, tenant, clusterId, '2026-11-03T00:00:00Z', { bytes: 100n * GIB });
  return { tenant, clusterId };
}

/** Counts the statements of a use-case, and the rows that they return. */
async function costOf(tenant: TestOrganization, work: (scope: Parameters<typeof getForecast>[0]) => Promise<unknown>) {
  const cost = { statements: 0, rows: 0 };
  const counted = (target: object): object =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value === 'function') {
          return async (...args: unknown[]) => {
            const answer: unknown = await Reflect.apply(value, of, args);
            cost.statements += 1;
            cost.rows += Array.isArray(answer) ? answer.length : 1;
            return answer;
          };
        }
        return typeof value === 'object' && value !== null ? counted(value) : value;
      },
    });
  await tenant.run((scope) => work({ ...scope, tx: counted(scope.tx) as Transaction }), NOW);
  return cost;
}

test.each([
  ['a draft', (scope: Parameters<typeof getForecast>[0]) => getDraftInvoice(scope, {})],
  ['a forecast', getForecast],
])('%s reads as much after ten closed months as after none', async (_what, work) => {
  const [young, old] = [await withPast(0), await withPast(10)];
  expect(await costOf(old.tenant, work)).toEqual(await costOf(young.tenant, work));
});

test('rates a changed closed month again until it is invoiced', async () => {
  const { tenant, clusterId } = await withPast(3);
  const changed = () => plane.database.lateUsage.count({ where: { organizationId: tenant.organizationId } });
  expect(await changed()).toBe(0);
  await addUsage(plane.database, tenant, clusterId, '2026-09-03T00:00:00Z', { bytes: 500n * GIB });
  expect(await changed()).toBe(1);
  const draft = await tenant.run((scope) => getDraftInvoice(scope, {}), NOW);
  expect(draft.subtotalUsd).toBe('4.80');
  expect((await invoiceOf(plane, tenant, '2026-11')).subtotalUsd).toBe('4.80');
  expect(await changed()).toBe(0);
});

test('closing a month waits for usage that is being written', async () => {
  const { tenant, clusterId } = await withPast(0);
  await addUsage(plane.database, tenant, clusterId, '2026-10-03T00:00:00Z', { bytes: 100n * GIB });
  const written = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const writing = plane.database.$transaction(async (tx) => {
    await addUsage(tx, tenant, clusterId, '2026-10-03T01:00:00Z', { bytes: 100n * GIB });
    written.resolve();
    await commit.promise;
  });
  await written.promise;
  const closing = invoiceOf(plane, tenant, '2026-10');
  // Closing stops at the billing account's lock, which PostgreSQL shows.
  await expect
    .poll(async () => {
      const [row] = await plane.database.$queryRaw<{ waiting: bigint }[]>`
        SELECT count(*) AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%billing_account%FOR UPDATE%'`;
      return row?.waiting;
    })
    .toBe(1n);
  commit.resolve();
  await writing;
  expect((await closing).subtotalUsd).toBe('1.60');
});
