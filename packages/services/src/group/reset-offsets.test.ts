import { expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { type ResetTarget, resetOffsets } from './reset-offsets.ts';

const plane = setUpControlPlane();

async function setUp(members: number) {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  metadata.topics.add('orders');
  const group = { members, set: [] };
  metadata.groups.set('readers', group);
  const reset = (to: ResetTarget, groupId = 'readers', topic = 'orders') =>
    tenant.run((scope) => resetOffsets(scope, metadata, { clusterId: cluster.id, groupId, topic, to }));
  return { tenant, group, reset, clusterId: cluster.id };
}

test.each([
  ['earliest', [3, 0]],
  ['latest', [11, 8]],
] as const)('to %s sets every partition, and the audit row tells what was before', async (to, expected) => {
  const { tenant, group, reset, clusterId } = await setUp(0);
  expect(await reset(to)).toEqual({ partitions: 2 });
  expect(group.set).toEqual(expected.map((offset, partition) => ({ topic: 'orders', partition, offset })));
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'group.reset-offsets',
    targetId: `${clusterId}/readers`,
    before: { offsets: [5, null] },
    after: { topic: 'orders', to, offsets: expected },
  });
});

test('a group with members is left alone, and nothing is in the audit log', async () => {
  const { tenant, group, reset } = await setUp(1);
  const rows = (await plane.auditOf(tenant)).length;
  expect(await refusalOf(reset('earliest'))).toBe('group_has_members');
  expect(await refusalOf(reset('earliest', 'nobody'))).toBe('group_not_found');
  expect(await refusalOf(reset('earliest', 'readers', 'payments'))).toBe('topic_not_found');
  expect(group.set).toEqual([]);
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});
