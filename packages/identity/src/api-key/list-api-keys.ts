// Lists an organization's keys with their names and display prefixes.
import type { Scope, Slice } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/** When a key was created, and its id. */
export type ApiKeyOrder = readonly [Date, string];

/** Ended keys are kept for the record; a page of the dashboard shows the newest thousand. */
const MAX_SHOWN = 1_000;

/** Newest first, including revoked and expired keys. */
export async function listApiKeys(scope: Scope, slice?: Slice<ApiKeyOrder>): Promise<ApiKey[]> {
  const [createdAt, id] = slice?.after ?? [];
  const rows = await scope.tx.apiKey.findMany({
    where: {
      organizationId: scope.organizationId,
      ...(createdAt === undefined || id === undefined
        ? {}
        : { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: slice?.limit ?? MAX_SHOWN,
    select: apiKeyColumns,
  });
  return rows.map(toApiKey);
}
