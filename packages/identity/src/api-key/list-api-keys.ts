// The keys of an organization, for people: names and the ends of the secrets.
import type { Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/** Newest first, revoked and expired ones included. */
export async function listApiKeys(scope: Scope): Promise<ApiKey[]> {
  const rows = await scope.tx.apiKey.findMany({
    where: { organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    // Ended keys stay for the record; the newest thousand are plenty.
    take: 1000,
    select: apiKeyColumns,
  });
  return rows.map(toApiKey);
}
