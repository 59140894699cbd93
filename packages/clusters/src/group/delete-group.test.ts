import { expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { deleteGroup } from './delete-group.ts';

const plane = setUpControlPlane();

async function setUp(members: number) {
  const tenant = await plane.newTenant();
  const { id: clusterId } = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  metadata.groups.set('readers', { members, set: [] });
  const remove = (groupId = 'readers', confirmation = groupId) =>
    tenant.run((scope) => deleteGroup(scope, metadata, { clusterId, groupId, confirmation }));
  return { tenant, metadata, remove, clusterId };
}

test('deleting an empty group is recorded in the audit log', async () => {
  const { tenant, metadata, remove, clusterId } = await setUp(0);
  await remove();
  expect(metadata.groups.size).toBe(0);
  expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
    action: 'group.delete',
    targetId: `${clusterId}/readers`,
    before: { clusterId, groupId: 'readers' },
  });
  expect(await refusalOf(remove())).toBe('group_not_found');
});

test('keeps groups with members or an untyped id, without audit', async () => {
  const { tenant, metadata, remove } = await setUp(1);
  const rows = (await plane.auditOf(tenant)).length;
  expect(await refusalOf(remove())).toBe('group_has_members');
  expect(await refusalOf(remove('readers', 'reader'))).toBe('confirmation_mismatch');
  expect(await refusalOf(remove('nobody'))).toBe('group_not_found');
  expect([...metadata.groups.keys()]).toEqual(['readers']);
  expect(await plane.auditOf(tenant)).toHaveLength(rows);
});
