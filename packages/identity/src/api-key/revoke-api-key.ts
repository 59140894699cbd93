// Revokes a key permanently. Programs that use it are refused from their next request.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyFacts, requireReachOfKey } from './api-key.ts';
import { lockApiKey } from './lock-api-key.ts';

/**
 * Idempotent: revoking a revoked key returns the same response. @throws AppError `api_key_not_found`,
 * `role_out_of_reach`
 */
export async function revokeApiKey(scope: Scope, input: { apiKeyId: string }): Promise<ApiKey> {
  const before = await lockApiKey(scope, input.apiKeyId);
  await requireReachOfKey(scope, before.role);
  if (before.revokedAt !== null) {
    return before;
  }
  await scope.tx.apiKey.update({ where: { id: before.id }, data: { revokedAt: scope.now } });
  await recordAudit(scope, {
    action: 'api-key.revoke',
    targetType: 'api-key',
    targetId: before.id,
    before: apiKeyFacts(before),
  });
  return { ...before, revokedAt: scope.now };
}
