// Further organizations, virtual clusters and keys, created by the dashboard's use-cases.
import { assertMayCreateCluster } from '@penstock/billing';
import { type ClusterMode, createAgentKey, createCluster, revokeAgentKey } from '@penstock/clusters';
import { createPrismaClient } from '@penstock/database';
import type { Transaction } from '@penstock/database/client';
import { createOrganization } from '@penstock/lifecycle';
import { newId } from '@penstock/platform';
import { type Actor, inTransaction, type Scope } from '@penstock/tenancy';
import type { RunningSystem } from '../../../infra/local/system.ts';

const actor: Actor = { type: 'system', id: null, label: 'End-to-end tests', source: 'seed' };

export interface ClusterAccess {
  clusterId: string;
  agentKey: string;
}

async function inDatabase<T>(system: RunningSystem, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const database = createPrismaClient(system.databaseUrl, 1);
  try {
    return await inTransaction(database, work);
  } finally {
    await database.$disconnect();
  }
}

/** Runs `work` in an organization, in its own transaction. */
export function inOrganization<T>(
  system: RunningSystem,
  organizationId: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return inDatabase(system, (tx) => work({ tx, actor, now: new Date(), organizationId }));
}

/** Runs `work` in the demo organization, in its own transaction. */
export async function inDemoOrganization<T>(system: RunningSystem, work: (scope: Scope) => Promise<T>): Promise<T> {
  const organizationId = system.demo?.organizationId;
  if (organizationId === undefined) {
    throw new Error('This system has no demo organization');
  }
  return inOrganization(system, organizationId, work);
}

/** An organization with its own owner. Returns its id. */
export function createOtherOrganization(system: RunningSystem, name: string): Promise<string> {
  return inDatabase(system, async (tx) => {
    const now = new Date();
    const email = `${name.toLowerCase()}@tests.example`;
    const user = await tx.user.create({
      data: { id: newId(), name, email, emailVerified: true, createdAt: now, updatedAt: now },
    });
    return (await createOrganization({ tx, actor, now }, { name, ownerId: user.id })).id;
  });
}

/** Another virtual cluster with its own agent key, in the demo organization unless another one is named. */
export function createOtherCluster(
  system: RunningSystem,
  { name = 'other', mode = 'standard' as ClusterMode, organizationId = system.demo?.organizationId ?? '' } = {},
): Promise<ClusterAccess> {
  return inOrganization(system, organizationId, async (scope) => {
    const settings = {
      ...{ name, mode, cloud: 'other', region: 'local' },
      ...{ autoCreateTopics: true, defaultPartitions: 1, deletionProtection: false },
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
