// The keys of a cluster, for people: names and the ends of the secrets.
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentKey, agentKeyColumns } from './agent-key.ts';

/** The keys of a cluster, newest first, revoked ones included. @throws AppError `cluster_not_found` */
export async function listAgentKeys(scope: Scope, input: { clusterId: string }): Promise<AgentKey[]> {
  const cluster = await findCluster(scope, input.clusterId);
  return scope.tx.agentKey.findMany({
    where: { clusterId: cluster.id, organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    // Revoked keys stay for the record; the newest thousand are plenty.
    take: 1000,
    select: agentKeyColumns,
  });
}
