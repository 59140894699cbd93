// Lists a cluster's agent keys with their names and display prefixes.
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentKey, agentKeyColumns } from './agent-key.ts';

/** The keys of a cluster, newest first, including revoked ones. @throws AppError `cluster_not_found` */
export async function listAgentKeys(scope: Scope, input: { clusterId: string }): Promise<AgentKey[]> {
  const cluster = await findCluster(scope, input.clusterId);
  return scope.tx.agentKey.findMany({
    where: { clusterId: cluster.id, organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    // Revoked keys are kept for the record; the newest thousand are enough.
    take: 1000,
    select: agentKeyColumns,
  });
}
