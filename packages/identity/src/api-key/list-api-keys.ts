// Lists an organization's keys with their names and display prefixes.
import type { Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/** Newest first, including revoked and expired keys. */
export async function listApiKeys(scope: Scope): Promise<ApiKey[]> {
  const rows = await scope.tx.apiKey.findMany({
    where: { organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    // Ended keys are kept for the record; the newest thousand are enough.
    take: 1000,
    select: apiKeyColumns,
  });
  return rows.map(toApiKey);
}
