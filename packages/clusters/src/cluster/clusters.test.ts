import { newId } from '@penstock/platform';
import { describe, expect, test } from 'vitest';
import { createAgentKey } from '../agent-key/create-agent-key.ts';
import { listPurgeableClusters, purgeCluster } from '../purge/purge-cluster.ts';
import { newClusterInput, refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { topicConfigTable } from '../topic/topic-config-table.ts';
import { RESTORE_WINDOW_MS } from './cluster.ts';
import { maxUncompressedBatchBytes } from './cluster-input.ts';
import { createCluster } from './create-cluster.ts';
import { deleteCluster } from './delete-cluster.ts';
import { getCluster } from './get-cluster.ts';
import { listClusters, listDeletedClusters } from './list-clusters.ts';
import { previewClusterModes } from './preview-cluster-modes.ts';
import { restoreCluster } from './restore-cluster.ts';
import { updateCluster } from './update-cluster.ts';

const plane = setUpControlPlane();
const metadata = createFakeMetadata();

describe('creating a cluster', () => {
  test('the new cluster is listed, with an audit row of its settings', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant, 'orders');
    expect(await tenant.read(listClusters)).toEqual([cluster]);
    expect(await plane.auditOf(tenant)).toMatchObject([
      { action: 'organization.create' },
      { action: 'cluster.create', targetId: cluster.id, after: { name: 'orders', region: 'eu-central-1' } },
    ]);
  });

  test('refuses a taken name in any spelling without an audit row', async () => {
    const tenant = await plane.newTenant();
    await plane.newCluster(tenant, 'orders');
    expect(await refusalOf(plane.newCluster(tenant, 'Orders'))).toBe('cluster_name_taken');
    expect(await plane.auditOf(tenant)).toHaveLength(2);
  });

  test('two organizations may use the same name', async () => {
    await plane.newCluster(await plane.newTenant(), 'shared');
    await expect(plane.newCluster(await plane.newTenant(), 'shared')).resolves.toMatchObject({ name: 'shared' });
  });

  test('two concurrent creations with one name make one cluster', async () => {
    const tenant = await plane.newTenant();
    const create = () => tenant.run((scope) => createCluster(scope, newClusterInput('twin'), async () => {}));
    const outcomes = await Promise.allSettled([create(), create()]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await tenant.read(listClusters)).toHaveLength(1);
  });
});

describe('changing a cluster', () => {
  test('renaming keeps the id and audits both names', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant, 'before');
    const renamed = await tenant.run((scope) =>
      updateCluster(scope, metadata, { clusterId: cluster.id, name: 'after' }),
    );
    expect(renamed).toMatchObject({ id: cluster.id, name: 'after' });
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'cluster.rename',
      before: { name: 'before' },
      after: { name: 'after' },
    });
  });

  test('renaming to a taken name is refused and changes nothing', async () => {
    const tenant = await plane.newTenant();
    await plane.newCluster(tenant, 'taken');
    const cluster = await plane.newCluster(tenant, 'mine');
    const rename = tenant.run((scope) => updateCluster(scope, metadata, { clusterId: cluster.id, name: 'taken' }));
    expect(await refusalOf(rename)).toBe('cluster_name_taken');
    expect(await tenant.read((scope) => getCluster(scope, { clusterId: cluster.id }))).toEqual(cluster);
  });

  test('a change of name and settings has both in the audit log', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant, 'before');
    const before = (await plane.auditOf(tenant)).length;
    const change = { clusterId, name: 'after', defaultPartitions: 3 };
    await tenant.run((scope) => updateCluster(scope, metadata, change));
    await tenant.run((scope) => updateCluster(scope, metadata, { clusterId, name: 'after' }));
    expect((await plane.auditOf(tenant)).slice(before)).toMatchObject([
      { action: 'cluster.rename', after: { name: 'after' } },
      { action: 'cluster.update-settings', after: { defaultPartitions: 3 } },
    ]);
  });

  test('omitted settings stay as they are', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant);
    const changed = await tenant.run((scope) =>
      updateCluster(scope, metadata, { clusterId: cluster.id, autoCreateTopics: false }),
    );
    expect(changed).toEqual({ ...cluster, autoCreateTopics: false, warning: null });
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'cluster.update-settings',
      before: { autoCreateTopics: true, defaultPartitions: 12 },
      after: { autoCreateTopics: false, defaultPartitions: 12 },
    });
  });
});

test('batches are 64 MiB at most unless the default is changed', async () => {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  expect(cluster.maxUncompressedBatchBytes).toBe(64 * 1024 ** 2);
  const change = { clusterId: cluster.id, maxUncompressedBatchBytes: 5_000 };
  await tenant.run((scope) => updateCluster(scope, metadata, change));
  const changed = await tenant.read((scope) => getCluster(scope, { clusterId: cluster.id }));
  expect(changed.maxUncompressedBatchBytes).toBe(5_000);
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    before: { maxUncompressedBatchBytes: 64 * 1024 ** 2 },
    after: { maxUncompressedBatchBytes: 5_000 },
  });
  const rule = topicConfigTable.find(({ name }) => name === 'max.uncompressed.batch.bytes');
  const { minValue, maxValue } = maxUncompressedBatchBytes;
  expect([minValue, maxValue].map(String)).toEqual([rule?.least, rule?.greatest]);
});

test('ignores agents’ access changes until someone allows them', async () => {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  expect(cluster.allowAgentAdministration).toBe(false);
  const change = { clusterId: cluster.id, allowAgentAdministration: true };
  const changed = await tenant.run((scope) => updateCluster(scope, metadata, change));
  expect(changed.allowAgentAdministration).toBe(true);
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    before: { allowAgentAdministration: false },
    after: { allowAgentAdministration: true },
  });
});

describe('the mode of a cluster', () => {
  /** Every topic of the fake has two partitions. */
  function withTopics(count: number): ReturnType<typeof createFakeMetadata> {
    const fake = createFakeMetadata();
    for (let topic = 0; topic < count; topic += 1) {
      fake.topics.add(`topic-${topic}`);
    }
    return fake;
  }

  test('is chosen at creation and changed later, with an audit row', async () => {
    const tenant = await plane.newTenant();
    const { id, mode } = await tenant.run((scope) =>
      createCluster(scope, { ...newClusterInput('trial'), mode: 'dev' }, async () => {}),
    );
    expect(mode).toBe('dev');
    const changed = await tenant.run((scope) => updateCluster(scope, metadata, { clusterId: id, mode: 'standard' }));
    expect(changed.mode).toBe('standard');
    const { warning, ...cluster } = changed;
    expect(await tenant.read((scope) => getCluster(scope, { clusterId: id }))).toEqual(cluster);
    expect(warning).toBeNull();
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'cluster.update-settings',
      before: { mode: 'dev' },
      after: { mode: 'standard' },
    });
  });

  test('is low latency from its creation on, or later', async () => {
    const tenant = await plane.newTenant();
    const creation = { ...newClusterInput('fast'), mode: 'low-latency' as const };
    expect(await tenant.run((scope) => createCluster(scope, creation, async () => {}))).toMatchObject({
      mode: 'low-latency',
    });
    const { id: clusterId } = await plane.newCluster(tenant);
    const change = { clusterId, mode: 'low-latency' as const };
    await tenant.run((scope) => updateCluster(scope, metadata, change));
    expect(await tenant.read((scope) => getCluster(scope, { clusterId }))).toMatchObject({ mode: 'low-latency' });
  });

  test('becomes dev up to 1,000 partitions, and not beyond', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant);
    const change = (fake: typeof metadata) =>
      tenant.run((scope) => updateCluster(scope, fake, { clusterId, mode: 'dev' }));
    await expect(change(withTopics(501))).rejects.toMatchObject({
      code: 'cluster_mode_does_not_fit',
      message: 'A Dev cluster has at most 1,000 partitions. This cluster has 1,002.',
    });
    expect(await tenant.read((scope) => getCluster(scope, { clusterId }))).toMatchObject({ mode: 'standard' });
    expect(await change(withTopics(500))).toMatchObject({ mode: 'dev' });
  });

  // Other settings change.
  test('stays as it is if partitions cannot be counted for Dev', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant);
    const away = createFakeMetadata();
    away.isDown = true;
    const change = tenant.run((scope) => updateCluster(scope, away, { clusterId, mode: 'dev' }));
    expect(await refusalOf(change)).toBe('metadata_unavailable');
    const kept = { clusterId, mode: 'standard', defaultPartitions: 3 } as const;
    await tenant.run((scope) => updateCluster(scope, away, kept));
  });

  test('is answered with its effects on clients, as in the preview', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant);
    const fake = createFakeMetadata();
    const change = (mode: 'standard' | 'low-latency') =>
      tenant.run((scope) => updateCluster(scope, fake, { clusterId, mode }));
    const modes = await tenant.run((scope) => previewClusterModes(scope, fake, { clusterId }));
    const preview = modes.find(({ mode }) => mode === 'low-latency')?.warning;
    expect(preview).toContain('No running agent has reported landing buckets.');
    // Also when the cluster is in that mode already.
    for (const mode of ['low-latency', 'low-latency'] as const) {
      expect(await change(mode)).toMatchObject({ mode, warning: preview });
    }
    expect(await change('standard')).toMatchObject({ mode: 'standard', warning: null });
  });

  test('becomes low latency without a warning if agents are unknown', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant);
    const away = createFakeMetadata();
    away.isDown = true;
    const change = { clusterId, mode: 'low-latency' } as const;
    const changed = await tenant.run((scope) => updateCluster(scope, away, change));
    expect(changed).toMatchObject({ mode: 'low-latency', warning: null });
  });

  test('is previewed with its price, limits and obstacles', async () => {
    const tenant = await plane.newTenant();
    const { id: clusterId } = await plane.newCluster(tenant);
    const modes = await tenant.run((scope) => previewClusterModes(scope, withTopics(501), { clusterId }));
    expect(modes).toMatchObject([
      {
        mode: 'dev',
        isCurrent: false,
        usdPerMonth: '$0.00',
        maxWrittenMibPerSecond: 10,
        maxPartitions: 1_000,
        refusal:
          'A Dev cluster has at most 1,000 partitions. This cluster has 1,002. Delete topics first, or choose Standard.',
      },
      { mode: 'standard', isCurrent: true, usdPerMonth: '$100.74', maxPartitions: null, refusal: null },
      { mode: 'low-latency', usdPerMonth: '$302.22', maxPartitions: null, refusal: null },
    ]);
  });
});

describe('deleting and restoring a cluster', () => {
  test('deletion requires the exact name to be typed', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant, 'precious');
    for (const confirmation of ['', 'Precious', 'precious ']) {
      const deletion = tenant.run((scope) => deleteCluster(scope, { clusterId: cluster.id, confirmation }));
      expect(await refusalOf(deletion)).toBe('confirmation_mismatch');
    }
    expect(await tenant.read(listClusters)).toHaveLength(1);
  });

  test('a protected cluster is not deleted, even with its exact name', async () => {
    const tenant = await plane.newTenant();
    const { id, name } = await plane.newCluster(tenant);
    await tenant.run((scope) => updateCluster(scope, metadata, { clusterId: id, deletionProtection: true }));
    const deletion = tenant.run((scope) => deleteCluster(scope, { clusterId: id, confirmation: name }));
    expect(await refusalOf(deletion)).toBe('cluster_deletion_protected');
  });

  test('a deleted cluster is hidden and can be restored unchanged', async () => {
    const tenant = await plane.newTenant();
    const cluster = await plane.newCluster(tenant);
    await tenant.run((scope) => deleteCluster(scope, { clusterId: cluster.id, confirmation: cluster.name }));
    expect(await tenant.read(listClusters)).toEqual([]);
    expect(await refusalOf(tenant.read((scope) => getCluster(scope, { clusterId: cluster.id })))).toBe(
      'cluster_not_found',
    );
    expect(await tenant.run(listDeletedClusters)).toMatchObject([{ id: cluster.id }]);

    const restored = await tenant.run((scope) => restoreCluster(scope, { clusterId: cluster.id }));
    expect(restored).toEqual(cluster);
    expect((await plane.auditOf(tenant)).map((row) => row.action).slice(-2)).toEqual([
      'cluster.delete',
      'cluster.restore',
    ]);
  });

  test('a restore is refused if another cluster has taken the name', async () => {
    const tenant = await plane.newTenant();
    const old = await plane.newCluster(tenant, 'reused');
    await tenant.run((scope) => deleteCluster(scope, { clusterId: old.id, confirmation: 'reused' }));
    await plane.newCluster(tenant, 'reused');
    const restore = tenant.run((scope) => restoreCluster(scope, { clusterId: old.id }));
    expect(await refusalOf(restore)).toBe('cluster_name_taken');
  });

  test('purges a cluster after 30 days, except for billing data', async () => {
    const tenant = await plane.newTenant();
    const { id, name } = await plane.newCluster(tenant);
    await tenant.run((scope) => createAgentKey(scope, { clusterId: id, name: 'key' }));
    const deletedAt = new Date('2026-01-01T00:00:00Z');
    await tenant.run((scope) => deleteCluster(scope, { clusterId: id, confirmation: name }), deletedAt);
    await plane.database.usageHour.create({
      data: { clusterId: id, hour: deletedAt, organizationId: tenant.organizationId, firstSeq: 1n, lastSeq: 1n },
    });
    const lastMoment = new Date(deletedAt.getTime() + RESTORE_WINDOW_MS - 1);
    const tooLate = new Date(deletedAt.getTime() + RESTORE_WINDOW_MS);

    expect(await listPurgeableClusters(plane.worker, lastMoment)).not.toContain(id);
    expect(await purgeCluster(plane.worker, id, lastMoment)).toBe('not deleted');
    const restore = tenant.run((scope) => restoreCluster(scope, { clusterId: id }), tooLate);
    expect(await refusalOf(restore)).toBe('cluster_restore_expired');
    expect(await tenant.run(listDeletedClusters, tooLate)).toEqual([]);

    expect(await listPurgeableClusters(plane.worker, tooLate)).toContain(id);
    expect(await purgeCluster(plane.worker, id, tooLate)).toBe('purged');
    expect(await plane.database.virtualCluster.count({ where: { id } })).toBe(0);
    expect(await plane.database.agentKey.count({ where: { clusterId: id } })).toBe(0);
    expect(await plane.database.usageHour.count({ where: { clusterId: id } })).toBe(1);
    expect((await plane.auditOf(tenant)).some((row) => row.action === 'cluster.purge')).toBe(true);
  });

  test('a cluster with unmetered entries is not purged', async () => {
    const tenant = await plane.newTenant();
    const { id, name } = await plane.newCluster(tenant);
    await plane.database.metadataJournal.create({
      data: { clusterId: id, seq: 1n, organizationId: tenant.organizationId, entry: new Uint8Array(1) },
    });
    const deletedAt = new Date('2026-01-01T00:00:00Z');
    await tenant.run((scope) => deleteCluster(scope, { clusterId: id, confirmation: name }), deletedAt);
    expect(await purgeCluster(plane.worker, id, new Date())).toBe('waits for metering');
    expect(await plane.database.metadataJournal.count({ where: { clusterId: id } })).toBe(1);
  });
});

describe('tenants', () => {
  const attacks: [string, (by: TestOrganization, clusterId: string) => Promise<unknown>][] = [
    ['get', (by, clusterId) => by.read((scope) => getCluster(scope, { clusterId }))],
    ['rename', (by, clusterId) => by.run((scope) => updateCluster(scope, metadata, { clusterId, name: 'stolen' }))],
    [
      'update settings',
      (by, clusterId) => by.run((scope) => updateCluster(scope, metadata, { clusterId, deletionProtection: true })),
    ],
    ['delete', (by, clusterId) => by.run((scope) => deleteCluster(scope, { clusterId, confirmation: 'target' }))],
    ['create a key', (by, clusterId) => by.run((scope) => createAgentKey(scope, { clusterId, name: 'stolen' }))],
  ];

  test.each(attacks)('foreign and missing clusters get the same error: %s', async (_name, attack) => {
    const owner = await plane.newTenant();
    const stranger = await plane.newTenant();
    const cluster = await plane.newCluster(owner, 'target');
    expect(await refusalOf(attack(stranger, cluster.id))).toBe('cluster_not_found');
    expect(await refusalOf(attack(stranger, newId()))).toBe('cluster_not_found');
    expect(await refusalOf(attack(stranger, "' or 1=1 --"))).toBe('cluster_not_found');
    expect(await owner.read((scope) => getCluster(scope, { clusterId: cluster.id }))).toEqual(cluster);
  });

  test('another organization’s deleted cluster cannot be restored', async () => {
    const owner = await plane.newTenant();
    const stranger = await plane.newTenant();
    const { id, name } = await plane.newCluster(owner);
    await owner.run((scope) => deleteCluster(scope, { clusterId: id, confirmation: name }));
    expect(await refusalOf(stranger.run((scope) => restoreCluster(scope, { clusterId: id })))).toBe(
      'cluster_not_found',
    );
    expect(await stranger.run(listDeletedClusters)).toEqual([]);
  });
});
