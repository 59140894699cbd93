import { expect, test } from 'vitest';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { getMonthToDate } from './get-month-to-date.ts';

const plane = setUpControlPlane();
const now = new Date('2026-11-21T10:30:00Z');

async function addHour(
  tenant: TestOrganization,
  clusterId: string,
  hour: string,
  uncompressedBytes: bigint,
): Promise<void> {
  await plane.database.usageHour.create({
    data: {
      clusterId,
      hour: new Date(hour),
      organizationId: tenant.organizationId,
      uncompressedBytes,
      storedBytes: uncompressedBytes / 4n,
      records: 10n,
      files: 2n,
      clusterMinutes: 60,
      firstSeq: 1n,
      lastSeq: 9n,
    },
  });
}

function monthToDate(tenant: TestOrganization, clusterId?: string) {
  return tenant.run((scope) => getMonthToDate(scope, { clusterId }), now);
}

test('sums exactly the hours of this calendar month in UTC', async () => {
  const tenant = await plane.newTenant();
  const [first, second] = [await plane.newCluster(tenant), await plane.newCluster(tenant)];
  await addHour(tenant, first.id, '2026-10-31T23:00:00Z', 1n);
  await addHour(tenant, first.id, '2026-11-01T00:00:00Z', 10n);
  await addHour(tenant, first.id, '2026-11-30T23:00:00Z', 100n);
  await addHour(tenant, first.id, '2026-12-01T00:00:00Z', 1_000n);
  await addHour(tenant, second.id, '2026-11-05T00:00:00Z', 10_000n);
  expect(await monthToDate(tenant, first.id)).toMatchObject({
    uncompressedBytes: 110n,
    records: 20n,
    clusterMinutes: 120,
  });
  expect(await monthToDate(tenant)).toMatchObject({
    uncompressedBytes: 10_110n,
    monthStart: new Date('2026-11-01T00:00:00Z'),
    monthEnd: new Date('2026-12-01T00:00:00Z'),
  });
});

test('sums beyond floating-point precision are exact', async () => {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant);
  await addHour(tenant, id, '2026-11-01T00:00:00Z', 2n ** 60n);
  await addHour(tenant, id, '2026-11-01T01:00:00Z', 1n);
  expect((await monthToDate(tenant, id)).uncompressedBytes).toBe(2n ** 60n + 1n);
});

test('the figures show up to when they are complete', async () => {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant);
  expect((await monthToDate(tenant, id)).countedUntil).toEqual(now);
  const appendedAt = new Date('2026-11-21T10:29:00Z');
  for (const seq of [1n, 2n]) {
    await plane.database.metadataJournal.create({
      data: { clusterId: id, seq, organizationId: tenant.organizationId, entry: new Uint8Array(1), appendedAt },
    });
  }
  expect((await monthToDate(tenant, id)).countedUntil).toEqual(appendedAt);
  await plane.database.meteringCheckpoint.create({ data: { clusterId: id, seq: 2n, entryAt: appendedAt } });
  expect((await monthToDate(tenant, id)).countedUntil).toEqual(now);
});

test('another organization’s usage is not revealed', async () => {
  const owner = await plane.newTenant();
  const { id } = await plane.newCluster(owner);
  await addHour(owner, id, '2026-11-01T00:00:00Z', 5n);
  const stranger = await plane.newTenant();
  expect(await refusalOf(monthToDate(stranger, id))).toBe('cluster_not_found');
  expect((await monthToDate(stranger)).uncompressedBytes).toBe(0n);
});
