// Replaces a key's secret without downtime: both secrets work until the overlap ends.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { HOUR_MS } from '@penstock/units';
import { apiKeyFacts, type CreatedApiKey, clusterRolesOf, requireReachOfKey } from './api-key.ts';
import { insertApiKey } from './insert-api-key.ts';
import { lockApiKey } from './lock-api-key.ts';

/**
 * The new key has the old one's roles and expiry. The old key expires after the overlap, or at its own expiry if that
 * comes first.
 * @throws AppError `api_key_not_found`, `role_out_of_reach`, `api_key_ended`, `api_key_rotated`, `api_key_limit`
 */
export async function rotateApiKey(
  scope: Scope,
  input: { apiKeyId: string; overlapHours: number },
): Promise<CreatedApiKey> {
  const before = await lockApiKey(scope, input.apiKeyId);
  await requireReachOfKey(scope, before.role);
  if (before.revokedAt !== null || (before.expiresAt !== null && before.expiresAt <= scope.now)) {
    throw new AppError({
      kind: 'refused',
      code: 'api_key_ended',
      message: `“${before.name}” is no longer active.`,
      remedy: 'Create a new key.',
    });
  }
  if (before.replacedById !== null) {
    throw new AppError({
      kind: 'refused',
      code: 'api_key_rotated',
      message: `“${before.name}” has already been rotated.`,
      remedy: 'Rotate the key that replaced it.',
    });
  }
  const created = await insertApiKey(scope, {
    name: before.name,
    role: before.role,
    clusterRoles: clusterRolesOf(before),
    isReadOnly: before.isReadOnly,
    expiresAt: before.expiresAt,
  });
  const overlapEnd = new Date(scope.now.getTime() + input.overlapHours * HOUR_MS);
  const expiresAt = before.expiresAt !== null && before.expiresAt < overlapEnd ? before.expiresAt : overlapEnd;
  await scope.tx.apiKey.update({
    where: { id: before.id },
    data: { expiresAt, replacedById: created.apiKey.id },
  });
  await recordAudit(scope, {
    action: 'api-key.rotate',
    targetType: 'api-key',
    targetId: before.id,
    before: apiKeyFacts(before),
    after: {
      ...apiKeyFacts(created.apiKey),
      replacedById: created.apiKey.id,
      oldKeyEndsAt: expiresAt.toISOString(),
    },
  });
  return created;
}
