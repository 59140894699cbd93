// Forgets a host of a cluster's agents. If the cluster confirms new addresses, agents there are handed to clients no more.
import { notFound } from '@penstock/platform';
import { normalizedHost } from '@penstock/platform/agent-address';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { lockCluster } from '../cluster/cluster.ts';
import { type AgentAddress, agentAddressColumns, toAgentAddress } from './agent-address.ts';

/** @throws AppError `cluster_not_found`, `agent_address_not_found` */
export async function removeAgentAddress(
  scope: Scope,
  input: { clusterId: string; host: string },
): Promise<AgentAddress> {
  const { tx, organizationId } = scope;
  const cluster = await lockCluster(scope, input.clusterId);
  const where = { clusterId: cluster.id, organizationId, host: normalizedHost(input.host) };
  const row = await tx.agentAddress.findFirst({ where, select: agentAddressColumns });
  if (row === null) {
    throw notFound('agent address', 'Choose an address from the cluster’s list.');
  }
  await tx.agentAddress.deleteMany({ where });
  await recordAudit(scope, {
    action: 'agent-address.remove',
    targetType: 'agent-address',
    targetId: `${cluster.id}/${row.host}`,
    before: { clusterId: cluster.id, host: row.host, state: row.state },
  });
  return toAgentAddress(row);
}
