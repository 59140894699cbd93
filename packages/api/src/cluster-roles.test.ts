// What a member with roles for single clusters sees and changes, through the whole API.
import { newId } from '@penstock/platform';
import { beforeEach, expect, test } from 'vitest';
import { setUpInstallation } from './testing/installation.ts';

const installation = setUpInstallation();
let organizationId: string;
let own: string;
let hidden: string;

async function newCluster(organization: string): Promise<string> {
  const id = newId();
  const labels = { name: `cluster ${id}`, cloud: 'aws', region: 'x' };
  await installation.database.virtualCluster.create({ data: { id, organizationId: organization, ...labels } });
  await installation.database.clusterHealth.create({
    data: {
      clusterId: id,
      organizationId: organization,
      level: 'healthy',
      levelSince: new Date(),
      assessedAt: new Date(),
    },
  });
  return id;
}

beforeEach(async () => {
  organizationId = await installation.newOrganization();
  [own, hidden] = [await newCluster(organizationId), await newCluster(organizationId)];
});

const memberWith = async (clusterRoles: Record<string, 'admin' | 'operator' | 'viewer'>) =>
  installation.newPerson({ organizationId, role: 'none', clusterRoles });
const ownerCaller = async () => installation.caller(await installation.newPerson({ organizationId, role: 'owner' }));

test('lists contain only the clusters with a role', async () => {
  const api = installation.caller(await memberWith({ [own]: 'viewer' }));
  expect((await api.cluster.list()).map(({ id }) => id)).toEqual([own]);
  expect((await api.health.levels()).map(({ clusterId }) => clusterId)).toEqual([own]);
  const range = { fromMs: Date.now() - 60_000, toMs: Date.now() };
  const throughput = await api.telemetry.organizationThroughput(range);
  expect(throughput.clusters.map(({ clusterId }) => clusterId)).toEqual([own]);
  await installation.database.virtualCluster.updateMany({ data: { deletedAt: new Date() } });
  expect((await api.cluster.listDeleted()).map(({ id }) => id)).toEqual([own]);
  const all = await (await ownerCaller()).cluster.listDeleted();
  expect(all.map(({ id }) => id).sort()).toEqual([own, hidden].sort());
});

test('a clusterId beside the input opens nothing else', async () => {
  const api = installation.caller(await memberWith({ [own]: 'admin' }));
  const input = { name: 'another', cloud: 'aws' as const, region: 'eu-central-1', clusterId: own };
  await expect(api.cluster.create(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('hides the organization’s other clusters and their contents', async () => {
  const api = installation.caller(await memberWith({ [own]: 'admin' }));
  await expect(api.cluster.get({ clusterId: hidden })).rejects.toThrow(/no such cluster|not found/i);
  const { agentKey } = await (await ownerCaller()).agentKey.create({ clusterId: hidden, name: 'key' });
  await expect(api.agentKey.revoke({ agentKeyId: agentKey.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(api.agentKey.revoke({ agentKeyId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const ownKey = await api.agentKey.create({ clusterId: own, name: 'key' });
  expect((await api.agentKey.revoke({ agentKeyId: ownKey.agentKey.id })).revokedAt).toBeInstanceOf(Date);
});

test('roles apply from the next request and are audited', async () => {
  const session = await memberWith({});
  const api = installation.caller(session);
  const owner = await ownerCaller();
  expect(await api.cluster.list()).toEqual([]);
  const set = (clusterRoles: { clusterId: string; role: 'admin' | 'operator' | 'viewer' }[]) =>
    owner.member.changeRole({ userId: session.user.id, clusterRoles });
  expect(await set([{ clusterId: own.toUpperCase(), role: 'operator' }])).toMatchObject({
    role: 'none',
    clusterRoles: [{ clusterId: own, role: 'operator' }],
  });
  await api.topic.create({ clusterId: own, name: 'topic' });
  await set([{ clusterId: own, role: 'viewer' }]);
  await expect(api.topic.create({ clusterId: own, name: 'topic' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const rows = await installation.database.auditLog.findMany({
    where: { organizationId, action: 'member.change-cluster-roles' },
    orderBy: { id: 'asc' },
  });
  expect(rows.map(({ after }) => after)).toMatchObject([
    { clusterRoles: { [own]: 'operator' } },
    { clusterRoles: { [own]: 'viewer' } },
  ]);
});

test('nobody gets a role for another organization’s cluster', async () => {
  const foreign = await newCluster(await installation.newOrganization());
  const { user } = await memberWith({});
  const owner = await ownerCaller();
  const clusterRoles = [{ clusterId: foreign, role: 'viewer' as const }];
  const refused = { code: 'BAD_REQUEST' };
  await expect(owner.member.changeRole({ userId: user.id, clusterRoles })).rejects.toMatchObject(refused);
  await expect(owner.apiKey.create({ name: 'key', role: 'none', clusterRoles })).rejects.toMatchObject(refused);
});

test('an API key keeps its roles for clusters through a rotation', async () => {
  const owner = await ownerCaller();
  const clusterRoles = [{ clusterId: own, role: 'operator' as const }];
  const { apiKey } = await owner.apiKey.create({ name: 'key', role: 'none', clusterRoles });
  expect(apiKey).toMatchObject({ role: 'none', clusterRoles });
  const rotated = await owner.apiKey.rotate({ apiKeyId: apiKey.id });
  expect(rotated.apiKey).toMatchObject({ role: 'none', clusterRoles });
});
