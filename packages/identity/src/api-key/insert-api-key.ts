// Inserts a new key with its secret. Creation and rotation share it.
import { AppError, generateApiKey, newId } from '@penstock/platform';
import type { ClusterRoles, Role, Scope } from '@penstock/tenancy';
import { apiKeyColumns, type CreatedApiKey, toApiKey } from './api-key.ts';

/** Keeps the list of keys readable. */
const MAX_ACTIVE_KEYS = 100;

export interface ApiKeyFacts {
  name: string;
  role: Role;
  clusterRoles: ClusterRoles;
  isReadOnly: boolean;
  expiresAt: Date | null;
}

/** @throws AppError `api_key_limit` */
export async function insertApiKey(scope: Scope, facts: ApiKeyFacts): Promise<CreatedApiKey> {
  const { tx, organizationId, now } = scope;
  // Serializes creations, so that concurrent ones cannot exceed the limit.
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const active = await tx.apiKey.count({
    where: { organizationId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  if (active >= MAX_ACTIVE_KEYS) {
    throw new AppError({
      kind: 'refused',
      code: 'api_key_limit',
      message: `This organization has reached the limit of ${active} active API keys.`,
      remedy: 'Revoke keys that are no longer in use.',
    });
  }
  const key = generateApiKey();
  const row = await tx.apiKey.create({
    data: {
      id: newId(now.getTime()),
      organizationId,
      ...facts,
      displayPrefix: key.display.prefix,
      displayLast4: key.display.last4,
      hash: key.hash,
      createdBy: scope.actor.id,
      createdAt: now,
    },
    select: apiKeyColumns,
  });
  return { apiKey: toApiKey(row), plaintext: key.plaintext };
}
