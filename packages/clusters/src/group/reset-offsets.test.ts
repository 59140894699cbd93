import { expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { previewResetOffsets, type ResetOffsetsInput, type ResetTarget, resetOffsets } from './reset-offsets.ts';

const plane = setUpControlPlane();

async function setUp(members: number) {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  metadata.topics.add('orders');
  const group = { members, set: [] };
  metadata.groups.set('readers', group);
  const reset = (to: ResetTarget, groupId = 'readers', topic = 'orders', more: Partial<ResetOffsetsInput> = {}) =>
    tenant.run((scope) => resetOffsets(scope, metadata, { clusterId: cluster.id, groupId, topic, to, ...more }));
  const preview = (to: ResetTarget, more: Partial<ResetOffsetsInput> = {}) =>
    tenant.run((scope) =>
      previewResetOffsets(scope, metadata, {
        clusterId: cluster.id,
        groupId: 'readers',
        topic: 'orders',
        to,
        ...more,
      }),
    );
  return { tenant, group, reset, preview, clusterId: cluster.id };
}

test.each([
  ['earliest', [3, 0]],
  ['latest', [11, 8]],
] as const)('to %s sets every partition and audits the old offsets', async (to, expected) => {
  const { tenant, group, reset, clusterId } = await setUp(0);
  expect(await reset(to)).toMatchObject({ partitions: 2 });
  expect(group.set).toEqual(expected.map((offset, partition) => ({ topic: 'orders', partition, offset })));
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'group.reset-offsets',
    targetId: `${clusterId}/readers`,
    before: { offsets: [5, null] },
    after: { topic: 'orders', to, offsets: expected },
  });
});

test('refuses a group with members without an audit row', async () => {
  const { tenant, group, reset } = await setUp(1);
  const rows = (await plane.auditOf(tenant)).length;
  expect(await refusalOf(reset('earliest'))).toBe('group_has_members');
  expect(await refusalOf(reset('earliest', 'nobody'))).toBe('group_not_found');
  expect(await refusalOf(reset('earliest', 'readers', 'payments'))).toBe('topic_not_found');
  expect(group.set).toEqual([]);
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});

test('to a time sets each partition to its run or else its end', async () => {
  const { tenant, group, reset } = await setUp(0);
  expect(await reset('time', 'readers', 'orders', { timeMs: 1_000 })).toMatchObject({ partitions: 2 });
  expect(group.set.map(({ offset }) => offset)).toEqual([6, 8]);
  expect((await plane.auditOf(tenant)).at(-1)?.after).toMatchObject({ to: 'time', time: '1970-01-01T00:00:01.000Z' });
});

test('to an offset sets one partition, within its range', async () => {
  const { group, reset } = await setUp(0);
  const to = (offset: number, partition = 0) => reset('offset', 'readers', 'orders', { offset, partition });
  expect(await to(4)).toMatchObject({ partitions: 1 });
  expect(await to(11)).toMatchObject({ partitions: 1 });
  expect(group.set).toEqual([4, 11].map((offset) => ({ topic: 'orders', partition: 0, offset })));
  for (const outside of [2, 12]) {
    expect(await refusalOf(to(outside))).toBe('offset_out_of_range');
  }
  expect(await refusalOf(to(0, 7))).toBe('partition_not_found');
  expect(await reset('earliest', 'readers', 'orders', { partition: 1 })).toMatchObject({ partitions: 1 });
  expect(group.set.at(-1)).toEqual({ topic: 'orders', partition: 1, offset: 0 });
});

test('a shift moves committed offsets within their partitions', async () => {
  const { tenant, group, reset } = await setUp(0);
  const shift = (shiftBy: number, partition?: number) => reset('shift', 'readers', 'orders', { shiftBy, partition });
  expect(await shift(-1)).toMatchObject({ partitions: 1 });
  await shift(100);
  await shift(-100);
  expect(group.set.map(({ partition, offset }) => [partition, offset])).toEqual([
    [0, 4],
    [0, 11],
    [0, 3],
  ]);
  expect(await refusalOf(shift(1, 1))).toBe('offset_not_committed');
  expect((await plane.auditOf(tenant)).at(-1)?.after).toMatchObject({ to: 'shift', shiftBy: -100, partitions: [0] });
});

test('a preview changes nothing and works while members are active', async () => {
  const { tenant, group, preview } = await setUp(1);
  const rows = (await plane.auditOf(tenant)).length;
  expect(await preview('earliest')).toEqual({
    topic: 'orders',
    members: 1,
    changes: [
      { partition: 0, before: 5, after: 3, lagRecords: 8 },
      { partition: 1, before: null, after: 0, lagRecords: 8 },
    ],
  });
  expect(group.set).toEqual([]);
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});
