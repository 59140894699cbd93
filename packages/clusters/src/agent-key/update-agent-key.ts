// Changes the name, the limits and the scope of an agent key. The metadata service applies them within seconds.
import { AppError, isUuid, notFound } from '@penstock/platform';
import { type AgentKeyScope, isNarrower } from '@penstock/platform/agent-key-scope';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { type AgentKey, agentKeyColumns, auditedLimits } from './agent-key.ts';

export interface AgentKeyChange {
  agentKeyId: string;
  name?: string | undefined;
  /** From now on; null: valid until it is revoked. */
  lifetimeDays?: number | null | undefined;
  networks?: string[] | undefined;
  addresses?: string[] | undefined;
  /** The scope that the key has, or a narrower one. */
  scope?: AgentKeyScope | undefined;
}

/** Changes what is given and leaves the rest. @throws AppError `agent_key_not_found`, `agent_key_revoked`, `agent_key_scope_widened` */
export async function updateAgentKey(scope: Scope, change: AgentKeyChange): Promise<AgentKey> {
  const { tx, organizationId, now } = scope;
  if (!isUuid(change.agentKeyId)) {
    throw notFound('agent key');
  }
  await tx.$queryRaw`
    SELECT 1 FROM agent_key WHERE id = ${change.agentKeyId}::uuid AND organization_id = ${organizationId} FOR UPDATE`;
  const where = { id: change.agentKeyId, organizationId };
  const before = await tx.agentKey.findFirst({ where, select: { ...agentKeyColumns, clusterId: true } });
  if (before === null) {
    throw notFound('agent key', 'Choose a key from the cluster’s list of keys.');
  }
  if (before.revokedAt !== null) {
    throw new AppError({
      kind: 'conflict',
      code: 'agent_key_revoked',
      message: 'This key is revoked.',
      remedy: 'Create a new key.',
    });
  }
  const { lifetimeDays, scope: newScope = before.scope } = change;
  if (newScope !== before.scope && !isNarrower(newScope, before.scope)) {
    // A holder of the key would get more access than they were given.
    throw new AppError({
      kind: 'refused',
      code: 'agent_key_scope_widened',
      message: 'A key can’t get a wider scope.',
      remedy: 'Create a new key with the scope that you need, start your agents with it, and revoke this one.',
    });
  }
  const after = await tx.agentKey.update({
    where: { id: before.id, organizationId },
    data: {
      name: change.name ?? before.name,
      networks: [...new Set(change.networks ?? before.networks)],
      addresses: [...new Set(change.addresses ?? before.addresses)],
      scope: newScope,
      ...(lifetimeDays === undefined ? {} : { expiresAt: expiryOf(now, lifetimeDays), expiryWarnedAt: null }),
    },
    select: agentKeyColumns,
  });
  const { clusterId } = before;
  await recordAudit(scope, {
    action: 'agent-key.update',
    targetType: 'agent-key',
    targetId: before.id,
    before: { clusterId, name: before.name, ...auditedLimits(before) },
    after: { clusterId, name: after.name, ...auditedLimits(after) },
  });
  return after;
}

/** When a key with this lifetime expires; null: never. */
export function expiryOf(now: Date, lifetimeDays: number | null): Date | null {
  return lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * DAY_MS);
}
