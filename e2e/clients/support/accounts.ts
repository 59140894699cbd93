// Further virtual clusters and keys in the demo organization, created by the dashboard's use-cases.
import { assertMayCreateCluster } from '@penstock/billing';
import { createAgentKey, createCluster, revokeAgentKey } from '@penstock/clusters';
import { createPrismaClient } from '@penstock/database';
import { type Actor, inTransaction, type Scope } from '@penstock/tenancy';
import type { RunningSystem } from '../../../infra/local/system.ts';

const actor: Actor = { type: 'system', id: null, label: 'End-to-end tests', source: 'seed' };

/** Runs `work` in the demo organization, in its own transaction. */
export async function inDemoOrganization<T>(system: RunningSystem, work: (scope: Scope) => Promise<T>): Promise<T> {
  const organizationId = system.demo?.organizationId;
  if (organizationId === undefined) {
    throw new Error('This system has no demo organization');
  }
  const database = createPrismaClient(system.databaseUrl, 1);
  try {
    return await inTransaction(database, (tx) => work({ tx, actor, now: new Date(), organizationId }));
  } finally {
    await database.$disconnect();
  }
}

/** Another virtual cluster with its own agent key. */
export function createOtherCluster(system: RunningSystem): Promise<{ clusterId: string; agentKey: string }> {
  return inDemoOrganization(system, async (scope) => {
    const settings = {
      name: 'other',
      cloud: 'other',
      region: 'local',
      mode: 'standard' as const,
      autoCreateTopics: true,
      defaultPartitions: 1,
      deletionProtection: false,
    };
    const cluster = await createCluster(scope, settings, assertMayCreateCluster);
    const key = await createAgentKey(scope, { clusterId: cluster.id, name: 'Key of another cluster' });
    return { clusterId: cluster.id, agentKey: key.plaintext };
  });
}

/** A revoked key of the demo cluster. */
export function createRevokedKey(system: RunningSystem): Promise<string> {
  const clusterId = system.demo?.clusterId ?? '';
  return inDemoOrganization(system, async (scope) => {
    const key = await createAgentKey(scope, { clusterId, name: 'Revoked key' });
    await revokeAgentKey(scope, { agentKeyId: key.agentKey.id });
    return key.plaintext;
  });
}
