// Creates an API key for one organization. Only this response contains the secret.
import { assertNotSuspended, type ClusterRoleEntry, type Role, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { apiKeyFacts, type CreatedApiKey, requireReachOfKey } from './api-key.ts';
import { insertApiKey } from './insert-api-key.ts';
import { requireOwnClusters } from './own-clusters.ts';

/** @throws AppError `organization_suspended`, `role_out_of_reach`, `cluster_unknown`, `api_key_limit` */
export async function createApiKey(
  scope: Scope,
  input: {
    name: string;
    role: Role;
    clusterRoles?: readonly ClusterRoleEntry[];
    isReadOnly: boolean;
    lifetimeDays: number | null;
  },
): Promise<CreatedApiKey> {
  await assertNotSuspended(scope);
  await requireReachOfKey(scope, input.role);
  const created = await insertApiKey(scope, {
    name: input.name,
    role: input.role,
    clusterRoles: await requireOwnClusters(scope, input.clusterRoles ?? []),
    isReadOnly: input.isReadOnly,
    expiresAt: input.lifetimeDays === null ? null : new Date(scope.now.getTime() + input.lifetimeDays * DAY_MS),
  });
  await recordAudit(scope, {
    action: 'api-key.create',
    targetType: 'api-key',
    targetId: created.apiKey.id,
    after: apiKeyFacts(created.apiKey),
  });
  return created;
}
