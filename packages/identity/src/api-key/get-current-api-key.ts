// The key that the calling program uses: its name, role and expiry.
import { notFound } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyColumns, toApiKey } from './api-key.ts';

/**
 * Allowed for every role, since a key can only read itself. @throws AppError `api_key_not_found` for a person, who has
 * no key
 */
export async function getCurrentApiKey({ tx, organizationId, actor }: Scope): Promise<ApiKey> {
  const row =
    actor.type === 'api-key' && actor.id !== null
      ? await tx.apiKey.findFirst({ where: { id: actor.id, organizationId }, select: apiKeyColumns })
      : null;
  if (row === null) {
    throw notFound('api key', 'This endpoint requires an API key.');
  }
  return toApiKey(row);
}
