// Closing months on a real PostgreSQL, sentence by sentence.
import { expect, test } from 'vitest';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { addUsage, gib, invoiceOf } from './testing/billing-fixture.ts';

const plane = setUpControlPlane();

async function tenantWithCluster(name = 'orders') {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant, name);
  return { tenant, clusterId: id };
}

test('an hour belongs to the month in which it lies in UTC, up to the last minute before midnight', async () => {
  const { tenant, clusterId } = await tenantWithCluster();
  await addUsage(plane.database, tenant, clusterId, '2026-11-30T23:00:00Z', { bytes: 1_000n * gib });
  await addUsage(plane.database, tenant, clusterId, '2026-12-01T00:00:00Z', { bytes: 2_000n * gib });
  const november = await invoiceOf(plane, tenant, '2026-11');
  const december = await invoiceOf(plane, tenant, '2026-12');
  expect([november.subtotalUsd, december.subtotalUsd]).toEqual(['8.00', '16.00']);
  expect(november.lines[0]).toMatchObject({ quantity: 1_000n * gib, firstHour: new Date('2026-11-30T23:00:00Z') });
});
