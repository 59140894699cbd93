import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentAddress, agentAddressColumns, toAgentAddress } from './agent-address.ts';

/** When an address was first seen, and the address. */
export type AgentAddressOrder = readonly [Date, string];

/** More than a page of the dashboard shows; larger fleets use patterns in their keys. */
const MAX_LISTED = 1_000;

/** The addresses of a cluster's agents, newest first. @throws AppError `cluster_not_found` */
export async function listAgentAddresses(
  scope: Scope,
  input: { clusterId: string },
  slice?: Slice<AgentAddressOrder>,
): Promise<AgentAddress[]> {
  const cluster = await findCluster(scope, input.clusterId);
  const [firstSeenAt, host] = slice?.after ?? [];
  const rows = await scope.tx.agentAddress.findMany({
    where: {
      clusterId: cluster.id,
      organizationId: scope.organizationId,
      ...(firstSeenAt === undefined || host === undefined
        ? {}
        : { firstSeenAt: { lte: firstSeenAt }, OR: [{ firstSeenAt: { lt: firstSeenAt } }, { host: { gt: host } }] }),
    },
    orderBy: [{ firstSeenAt: 'desc' }, { host: 'asc' }],
    take: slice?.limit ?? MAX_LISTED,
    select: agentAddressColumns,
  });
  return rows.map(toAgentAddress);
}
