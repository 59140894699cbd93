// The keys that a person answers for.
import type { Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/** The active keys that the person created, and those that were created with such a key. */
export async function activeKeysOfMaker({ tx, organizationId, now }: Scope, userId: string): Promise<ApiKey[]> {
  const made = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE made AS (
      SELECT id FROM api_key WHERE organization_id = ${organizationId} AND created_by = ${userId}
      UNION
      SELECT k.id FROM api_key k JOIN made ON k.created_by = made.id::text
      WHERE k.organization_id = ${organizationId})
    SELECT id::text AS id FROM made`;
  const rows = await tx.apiKey.findMany({
    where: {
      organizationId,
      id: { in: made.map(({ id }) => id) },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    orderBy: { id: 'asc' },
    select: apiKeyColumns,
  });
  return rows.map(toApiKey);
}
