// Allows agents of a cluster to advertise a host, before or after one has tried.
import { AppError } from '@penstock/platform';
import { normalizedHost } from '@penstock/platform/agent-address';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { lockCluster } from '../cluster/cluster.ts';
import { type AgentAddress, agentAddressColumns, toAgentAddress } from './agent-address.ts';

/** Keeps the list readable; larger fleets use patterns in their keys. */
const MAX_ADDRESSES = 10_000;

/** Idempotent. @throws AppError `cluster_not_found`, `agent_address_limit` */
export async function confirmAgentAddress(
  scope: Scope,
  input: { clusterId: string; host: string },
): Promise<AgentAddress> {
  const { tx, organizationId, actor, now } = scope;
  const cluster = await lockCluster(scope, input.clusterId);
  const host = normalizedHost(input.host);
  const before = await tx.agentAddress.findFirst({ where: { clusterId: cluster.id, organizationId, host } });
  if (before === null && (await tx.agentAddress.count({ where: { clusterId: cluster.id } })) >= MAX_ADDRESSES) {
    throw new AppError({
      kind: 'refused',
      code: 'agent_address_limit',
      message: 'This cluster has reached the limit of 10,000 agent addresses.',
      remedy: 'Remove addresses that are no longer in use, or add patterns to the agent keys.',
    });
  }
  const confirmed = { state: 'confirmed', confirmedBy: actor.id, confirmedAt: now };
  const row = await tx.agentAddress.upsert({
    where: { clusterId_host: { clusterId: cluster.id, host } },
    create: { clusterId: cluster.id, host, organizationId, firstSeenAt: now, ...confirmed },
    update: before?.state === 'confirmed' ? {} : confirmed,
    select: agentAddressColumns,
  });
  if (before?.state !== 'confirmed') {
    await recordAudit(scope, {
      action: 'agent-address.confirm',
      targetType: 'agent-address',
      targetId: `${cluster.id}/${host}`,
      ...(before === null ? {} : { before: { clusterId: cluster.id, host, state: before.state } }),
      after: { clusterId: cluster.id, host, state: 'confirmed' },
    });
  }
  return toAgentAddress(row);
}
