// Use-cases for clusters whose journal is in another database.
import { create } from '@bufbuild/protobuf';
import { HealthWatch, purgeCluster } from '@penstock/clusters';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Cells, initCell } from '@penstock/metadata-journal';
import { ClusterViewSchema } from '@penstock/metadata-protocol';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finalize } from '../invoice/testing/billing-fixture.ts';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { countedUntil } from './counted-until.ts';

const plane = setUpControlPlane();
let database: TestDatabase;
let cells: Cells;
let cell: Pool;

beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
  const urls = new Map([
    ['main', plane.databaseUrl],
    ['eu-1', database.url],
  ]);
  cells = new Cells(urls, (connectionString) => {
    const pool = new Pool({ connectionString, max: 2 });
    // Dropping the database breaks connections that are still closing.
    pool.on('error', () => undefined);
    return pool;
  });
  cell = cells.pool('eu-1');
  await initCell(cell);
});

afterAll(async () => {
  await cells.close();
  await database.drop();
});

/** A cluster in the other cell, with one unfolded entry. */
async function clusterElsewhere(): Promise<{ tenant: TestOrganization; clusterId: string }> {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant);
  await plane.database.virtualCluster.update({ where: { id }, data: { cell: 'eu-1' } });
  await cell.query('INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) VALUES ($1, 1, $2, $3)', [
    id,
    tenant.organizationId,
    Buffer.alloc(1),
  ]);
  return { tenant, clusterId: id };
}

async function rowsOf(clusterId: string): Promise<number> {
  return (await cell.query('SELECT 1 FROM metadata_journal WHERE cluster_id = $1', [clusterId])).rowCount ?? 0;
}

test('a month waits for journals in other and unreachable cells', async () => {
  const { tenant, clusterId } = await clusterElsewhere();
  expect(await finalize(plane.database, tenant, '2026-11', { cells })).toEqual({ outcome: 'waits for metering' });
  await expect(finalize(plane.database, tenant, '2026-11')).rejects.toThrow('eu-1');
  await plane.database.meteringCheckpoint.create({ data: { clusterId, seq: 1n, entryAt: new Date(0) } });
  expect(await finalize(plane.database, tenant, '2026-11', { cells })).toEqual({ outcome: 'nothing to bill' });
});

test('a cluster is purged from its cell once it is fully metered', async () => {
  const { clusterId } = await clusterElsewhere();
  await plane.database.virtualCluster.update({
    where: { id: clusterId },
    data: { deletedAt: new Date('2026-01-01T00:00:00Z') },
  });
  const now = new Date('2026-06-01T00:00:00Z');
  await expect(purgeCluster(plane.worker, clusterId, now)).rejects.toThrow('eu-1');
  expect(await purgeCluster(plane.worker, clusterId, now, cells)).toBe('waits for metering');
  expect(await rowsOf(clusterId)).toBe(1);
  await plane.database.meteringCheckpoint.create({ data: { clusterId, seq: 1n, entryAt: new Date(0) } });
  expect(await purgeCluster(plane.worker, clusterId, now, cells)).toBe('purged');
  expect(await rowsOf(clusterId)).toBe(0);
});

test('figures show up to when a cluster’s journal was metered', async () => {
  const { tenant, clusterId } = await clusterElsewhere();
  const { createdAt } = await plane.database.virtualCluster.findUniqueOrThrow({ where: { id: clusterId } });
  const told = () => tenant.run((scope) => countedUntil(scope, clusterId));
  expect(await told()).toEqual(createdAt);
  const lookedAt = new Date('2026-11-21T10:29:00Z');
  await plane.database.meteringCheckpoint.create({
    data: { clusterId, seq: 1n, entryAt: new Date(0), countedUntil: lookedAt },
  });
  expect(await told()).toEqual(lookedAt);
});

test('checks health in other cells and names unavailable ones', async () => {
  const { clusterId } = await clusterElsewhere();
  await cell.query(
    `INSERT INTO metadata_lease (cluster_id, owner_id, owner_url, epoch, expires_at)
     VALUES ($1, 'm', 'http://m', 1, now() + interval '1 hour')`,
    [clusterId],
  );
  const asked: string[] = [];
  const metadata = {
    getClusterView: async (id: string) => {
      asked.push(id);
      return create(ClusterViewSchema, { clusterId: id });
    },
  };
  const watch = (of: Pick<Cells, 'ask'>) =>
    new HealthWatch({ database: plane.database, metadata, webUrl: undefined, cells: of }).check(new Date());
  expect((await watch(cells)).unseenCells).toEqual([]);
  expect(asked).toContain(clusterId);
  const down = new Cells(new Map([['eu-2', 'postgresql://nobody@127.0.0.1:1/none']]), (connectionString) => {
    return new Pool({ connectionString });
  });
  expect((await watch(down)).unseenCells.map((unseen) => unseen.cell)).toEqual(['eu-2']);
  await down.close();
});

test('creates new clusters in the cell that the default names', async () => {
  const tenant = await plane.newTenant();
  const cellOf = async (id: string) =>
    (await plane.database.virtualCluster.findUniqueOrThrow({ where: { id }, select: { cell: true } })).cell;
  expect(await cellOf((await plane.newCluster(tenant)).id)).toBe('main');
  await plane.database.$executeRaw`ALTER TABLE virtual_cluster ALTER COLUMN cell SET DEFAULT 'eu-1'`;
  expect(await cellOf((await plane.newCluster(tenant)).id)).toBe('eu-1');
});
