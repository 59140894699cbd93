// Authenticates a request by its API key.
import type { Database, Reads } from '@penstock/database/client';
import { AppError, parseApiKey } from '@penstock/platform';
import type { Grant } from '@penstock/tenancy';
import { type ApiKeyRow, apiKeyByHash } from './api-key-lookup.ts';
import { noteNetwork, noteRefusal } from './note-api-key-use.ts';

export interface ApiKeyPrincipal extends Grant {
  apiKeyId: string;
  name: string;
  organizationId: string;
  organizationName: string;
  isReadOnly: boolean;
}

/** `lastUsedAt` is written at most once a minute, so that most reads cause no write. */
const LAST_USED_RESOLUTION_MS = 60_000;

function refused(code: string, message: string, remedy: string): AppError {
  return new AppError({ kind: 'unauthenticated', code, message, remedy });
}

/** The bearer token of a request. @throws AppError `api_key_missing` */
export function bearerToken(headers: Pick<Headers, 'get'>): string {
  const match = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '');
  if (match?.[1] === undefined) {
    throw refused(
      'api_key_missing',
      'The request has no API key.',
      'Send the header “Authorization: Bearer psk_api_…”. Create keys on your organization’s API keys page.',
    );
  }
  return match[1];
}

/**
 * Finds the key and checks that it is active. Reads the database for each request, so a revoked key stops working at
 * once.
 * @param call.address where the request comes from, for the audit log
 * @throws AppError `api_key_malformed`, `api_key_unknown`, `api_key_revoked`, `api_key_expired`
 */
export async function authenticateApiKey(
  { database, reads }: { database: Database; reads: Reads },
  plaintext: string,
  { now, address }: { now: Date; address: string },
): Promise<ApiKeyPrincipal> {
  const parsed = parseApiKey(plaintext);
  if (!parsed.ok) {
    throw refused('api_key_malformed', parsed.message, 'Copy the whole key again.');
  }
  const row = await reads.find(apiKeyByHash, Buffer.from(parsed.hash).toString('hex'));
  if (row === undefined) {
    throw refused('api_key_unknown', 'This API key doesn’t exist.', 'Create one on your organization’s API keys page.');
  }
  if (row.revokedAt !== null) {
    await noteRefusal(database, row, address, now);
    throw refused('api_key_revoked', 'This API key was revoked.', 'Create a new key.');
  }
  if (row.expiresAt !== null && row.expiresAt <= now) {
    await noteRefusal(database, row, address, now);
    throw refused('api_key_expired', 'This API key has expired.', 'Create a new key, or use the key that replaced it.');
  }
  await noteUse(database, row, now);
  await noteNetwork(database, row, address, now);
  const { id, name, organizationId, organizationName, role, clusterRoles, isReadOnly } = row;
  return { apiKeyId: id, name, organizationId, organizationName, role, clusterRoles, isReadOnly };
}

/** Keys whose last use this process is writing now. Of many concurrent requests, only one writes. */
const beingNoted = new Set<string>();

async function noteUse(database: Database, { id, lastUsedAt }: ApiKeyRow, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
  if ((lastUsedAt !== null && lastUsedAt > before) || beingNoted.has(id)) {
    return;
  }
  beingNoted.add(id);
  try {
    await database.apiKey.updateMany({
      where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
      data: { lastUsedAt: now },
    });
  } finally {
    beingNoted.delete(id);
  }
}
