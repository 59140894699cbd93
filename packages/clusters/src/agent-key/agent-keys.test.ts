import { newId, parseAgentKey } from '@penstock/platform';
import { listAudit } from '@penstock/tenancy';
import { describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createAgentKey } from './create-agent-key.ts';
import { listAgentKeys } from './list-agent-keys.ts';
import { revokeAgentKey } from './revoke-agent-key.ts';

const plane = setUpControlPlane();

async function newKey() {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const created = await tenant.run((scope) => createAgentKey(scope, { clusterId: cluster.id, name: 'laptop' }));
  return { tenant, cluster, ...created };
}

describe('agent keys', () => {
  test('return the secret once and store it nowhere', async () => {
    const { tenant, cluster, plaintext } = await newKey();
    const secretPart = plaintext.slice(14, 38);
    const keys = await tenant.run((scope) => listAgentKeys(scope, { clusterId: cluster.id }));
    const audit = await tenant.run((scope) => listAudit(scope, { limit: 100 }));
    const rows = await plane.database.agentKey.findMany({ where: { clusterId: cluster.id } });
    expect(keys).toHaveLength(1);
    const everything = JSON.stringify([keys, audit, rows.map((row) => Buffer.from(row.hash).toString('latin1'))]);
    expect(everything).not.toContain(secretPart);
  });

  test('the stored hash is the hash of the secret', async () => {
    const { agentKey, plaintext } = await newKey();
    const parsed = parseAgentKey(plaintext);
    const row = await plane.database.agentKey.findUniqueOrThrow({ where: { id: agentKey.id } });
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && Buffer.from(parsed.hash).equals(row.hash)).toBe(true);
  });

  test('a revoked key stays listed with its first revocation', async () => {
    const { tenant, cluster, agentKey } = await newKey();
    const first = await tenant.run((scope) => revokeAgentKey(scope, { agentKeyId: agentKey.id }), new Date(1_000));
    const second = await tenant.run((scope) => revokeAgentKey(scope, { agentKeyId: agentKey.id }), new Date(2_000));
    expect(first.revokedAt).toEqual(new Date(1_000));
    expect(second).toEqual(first);
    expect(await tenant.run((scope) => listAgentKeys(scope, { clusterId: cluster.id }))).toEqual([first]);
    const revocations = (await plane.auditOf(tenant)).filter((row) => row.action === 'agent-key.revoke');
    expect(revocations).toHaveLength(1);
  });

  test('two concurrent revocations write one audit row', async () => {
    const { tenant, agentKey } = await newKey();
    const revoke = () => tenant.run((scope) => revokeAgentKey(scope, { agentKeyId: agentKey.id }));
    await Promise.all([revoke(), revoke()]);
    expect((await plane.auditOf(tenant)).filter((row) => row.action === 'agent-key.revoke')).toHaveLength(1);
  });

  test('keys of others look missing and stay active', async () => {
    const { agentKey } = await newKey();
    const stranger = await plane.newTenant();
    for (const agentKeyId of [agentKey.id, newId(), 'nonsense']) {
      expect(await refusalOf(stranger.run((scope) => revokeAgentKey(scope, { agentKeyId })))).toBe(
        'agent_key_not_found',
      );
    }
    const row = await plane.database.agentKey.findUniqueOrThrow({ where: { id: agentKey.id } });
    expect(row.revokedAt).toBeNull();
  });
});
