// Ends the keys that a person made, when they leave the organization: a copied secret must not outlive their membership.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { apiKeyColumns, apiKeyFacts, toApiKey } from './api-key.ts';

/** Revokes the active keys that the person created, and those that were created with such a key. */
export async function revokeKeysOfMaker(scope: Scope, userId: string): Promise<void> {
  const { tx, organizationId, now } = scope;
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
  for (const row of rows) {
    await tx.apiKey.update({ where: { id: row.id, organizationId }, data: { revokedAt: now } });
    await recordAudit(scope, {
      action: 'api-key.revoke',
      targetType: 'api-key',
      targetId: row.id,
      before: apiKeyFacts(toApiKey(row)),
      after: { reason: 'The person who created it left the organization.' },
    });
  }
}
