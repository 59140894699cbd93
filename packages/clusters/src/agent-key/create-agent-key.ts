// Creates an agent key for one virtual cluster. Only this response contains the secret.
import { AppError, generateAgentKey, newId } from '@penstock/platform';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';
import { assertNotSuspended, recordAudit, type Scope } from '@penstock/tenancy';
import { lockCluster } from '../cluster/cluster.ts';
import { type AgentKey, agentKeyColumns, auditedLimits } from './agent-key.ts';
import { expiryOf } from './update-agent-key.ts';

/** Keeps the list of keys readable. */
const MAX_ACTIVE_KEYS = 100;

export interface NewAgentKey {
  clusterId: string;
  name: string;
  /** Null: valid until it is revoked. */
  lifetimeDays?: number | null | undefined;
  networks?: string[] | undefined;
  addresses?: string[] | undefined;
  scope?: AgentKeyScope | undefined;
}

export interface CreatedAgentKey {
  agentKey: AgentKey;
  /** The secret. It is shown once, and only its hash is stored. */
  plaintext: string;
}

/** @throws AppError `organization_suspended`, `cluster_not_found`, `agent_key_limit` */
export async function createAgentKey(scope: Scope, input: NewAgentKey): Promise<CreatedAgentKey> {
  await assertNotSuspended(scope);
  const cluster = await lockCluster(scope, input.clusterId);
  const active = await scope.tx.agentKey.count({ where: { clusterId: cluster.id, revokedAt: null } });
  if (active >= MAX_ACTIVE_KEYS) {
    throw new AppError({
      kind: 'refused',
      code: 'agent_key_limit',
      message: `This cluster has reached the limit of ${active} active keys.`,
      remedy: 'Revoke keys that are no longer in use.',
    });
  }
  const key = generateAgentKey();
  const id = newId(scope.now.getTime());
  const agentKey = await scope.tx.agentKey.create({
    data: {
      id,
      clusterId: cluster.id,
      organizationId: scope.organizationId,
      name: input.name,
      displayPrefix: key.display.prefix,
      displayLast4: key.display.last4,
      hash: key.hash,
      expiresAt: expiryOf(scope.now, input.lifetimeDays ?? null),
      networks: [...new Set(input.networks)],
      addresses: [...new Set(input.addresses)],
      scope: input.scope ?? 'agent',
      createdBy: scope.actor.id,
      createdAt: scope.now,
    },
    select: agentKeyColumns,
  });
  await recordAudit(scope, {
    action: 'agent-key.create',
    targetType: 'agent-key',
    targetId: id,
    after: {
      clusterId: cluster.id,
      name: input.name,
      displayPrefix: key.display.prefix,
      displayLast4: key.display.last4,
      ...auditedLimits(agentKey),
    },
  });
  return { agentKey, plaintext: key.plaintext };
}
