// Revokes a key permanently. Agents that use it are refused from then on.
import { isUuid, notFound } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type AgentKey, agentKeyColumns } from './agent-key.ts';

/** Idempotent: revoking a revoked key returns the same response. @throws AppError `agent_key_not_found` */
export async function revokeAgentKey(scope: Scope, input: { agentKeyId: string }): Promise<AgentKey> {
  const { tx, organizationId, now } = scope;
  if (!isUuid(input.agentKeyId)) {
    throw notFound('agent key');
  }
  const where = { id: input.agentKeyId, organizationId };
  const before = await tx.agentKey.findFirst({ where, select: { ...agentKeyColumns, clusterId: true } });
  if (before === null) {
    throw notFound('agent key', 'Choose a key from the cluster’s list of keys.');
  }
  const { clusterId, ...agentKey } = before;
  // Of two concurrent revocations, only one matches this condition.
  const { count } = await tx.agentKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: now } });
  if (count === 0) {
    return tx.agentKey.findFirstOrThrow({ where, select: agentKeyColumns });
  }
  await recordAudit(scope, {
    action: 'agent-key.revoke',
    targetType: 'agent-key',
    targetId: agentKey.id,
    before: {
      clusterId,
      name: agentKey.name,
      displayPrefix: agentKey.displayPrefix,
      displayLast4: agentKey.displayLast4,
    },
  });
  return { ...agentKey, revokedAt: now };
}
