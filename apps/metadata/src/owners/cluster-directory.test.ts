import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeClusterDirectory } from '../contract/cluster-directory-contract.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { PostgresClusterDirectory } from './cluster-directory.ts';

let controlPlane: ControlPlaneFixture;
beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});
afterAll(() => controlPlane.drop());

describeClusterDirectory('PostgreSQL', {
  directory: () => new PostgresClusterDirectory(controlPlane.pool),
  createCluster: async () => (await controlPlane.createCluster()).clusterId,
  deleteCluster: async (clusterId) => {
    await controlPlane.pool.query('UPDATE virtual_cluster SET deleted_at = now() WHERE id = $1', [clusterId]);
  },
});

const memory = new MemoryDirectory();
describeClusterDirectory('memory', {
  directory: () => memory,
  createCluster: async () => {
    const clusterId = randomUUID();
    memory.add(clusterId);
    return clusterId;
  },
  deleteCluster: async (clusterId) => memory.change(clusterId, { isDeleted: true }),
});

async function refusalOf(clusterId: string): Promise<string | null | undefined> {
  const [record] = await new PostgresClusterDirectory(controlPlane.pool).lookUp([clusterId]);
  return record?.writesRefusedReason;
}

async function cap(monthOffset: number): Promise<void> {
  await controlPlane.pool.query(
    `INSERT INTO billing_account (organization_id, capped_month, writes_refused_reason, updated_at)
     VALUES ('org', date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => $1), 'capped', now())
     ON CONFLICT (organization_id) DO UPDATE SET capped_month = EXCLUDED.capped_month`,
    [monthOffset],
  );
}

test('a spending cap refuses its organization’s writes that month', async () => {
  const [first, second] = [await controlPlane.createCluster(), await controlPlane.createCluster()];
  expect(await refusalOf(first.clusterId)).toBeNull();
  await cap(0);
  expect(await refusalOf(first.clusterId)).toBe('capped');
  expect(await refusalOf(second.clusterId)).toBe('capped');
  await cap(-1);
  expect(await refusalOf(first.clusterId)).toBeNull();
});

test('a cluster has the mode that the control plane set', async () => {
  const { clusterId } = await controlPlane.createCluster();
  const directory = new PostgresClusterDirectory(controlPlane.pool);
  expect(await directory.lookUp([clusterId])).toMatchObject([{ mode: 'standard' }]);
  await controlPlane.pool.query(`UPDATE virtual_cluster SET mode = 'dev' WHERE id = $1`, [clusterId]);
  expect(await directory.lookUp([clusterId])).toMatchObject([{ mode: 'dev' }]);
});

test('a suspension takes precedence over a spending cap', async () => {
  const { clusterId } = await controlPlane.createCluster();
  const directory = new PostgresClusterDirectory(controlPlane.pool);
  await cap(0);
  expect(await directory.lookUp([clusterId])).toMatchObject([{ writesRefusedReason: 'capped', isSuspended: false }]);
  const suspend = (organizationId: string) =>
    controlPlane.pool.query(
      `INSERT INTO organization_suspension (organization_id, reason, reads_allowed, suspended_by, suspended_at)
       VALUES ($1, 'Abuse.', true, 'ada', now())`,
      [organizationId],
    );
  await suspend('another');
  expect(await directory.lookUp([clusterId])).toMatchObject([{ isSuspended: false }]);
  await suspend('org');
  expect(await directory.lookUp([clusterId])).toMatchObject([
    { writesRefusedReason: 'Writes are blocked because this organization is suspended: Abuse.', isSuspended: true },
  ]);
});
