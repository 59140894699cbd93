// Finds a key of the organization and locks it until the transaction ends.
import { isUuid, notFound } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/** @throws AppError `api_key_not_found` for a missing key and for another organization's key */
export async function lockApiKey({ tx, organizationId }: Scope, apiKeyId: string): Promise<ApiKey> {
  if (!isUuid(apiKeyId)) {
    throw notFound('api key');
  }
  await tx.$queryRaw`
    SELECT 1 FROM api_key WHERE id = ${apiKeyId}::uuid AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.apiKey.findFirst({ where: { id: apiKeyId, organizationId }, select: apiKeyColumns });
  if (row === null) {
    throw notFound('api key', 'Choose a key from the organization’s list of API keys.');
  }
  return toApiKey(row);
}
