import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentAddress, agentAddressColumns, toAgentAddress } from './agent-address.ts';

/** More than a page shows; larger fleets use patterns in their keys. */
const MAX_LISTED = 1_000;

/** The addresses of a cluster's agents, newest first. @throws AppError `cluster_not_found` */
export async function listAgentAddresses(scope: Scope, input: { clusterId: string }): Promise<AgentAddress[]> {
  const cluster = await findCluster(scope, input.clusterId);
  const rows = await scope.tx.agentAddress.findMany({
    where: { clusterId: cluster.id, organizationId: scope.organizationId },
    orderBy: [{ firstSeenAt: 'desc' }, { host: 'asc' }],
    take: MAX_LISTED,
    select: agentAddressColumns,
  });
  return rows.map(toAgentAddress);
}
