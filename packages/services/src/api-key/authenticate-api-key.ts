// Who a request with an API key comes from.
import type { Database } from '@penstock/database/client';
import { AppError, parseApiKey } from '@penstock/platform';
import { parseRole, type Role } from '../access/permissions.ts';

export interface ApiKeyPrincipal {
  apiKeyId: string;
  name: string;
  organizationId: string;
  organizationName: string;
  role: Role;
  isReadOnly: boolean;
}

/** `lastUsedAt` is written once a minute at most: reads stay reads. */
const lastUsedResolution_ms = 60_000;

function refused(code: string, message: string, remedy: string): AppError {
  return new AppError({ kind: 'unauthenticated', code, message, remedy });
}

/** The bearer token of a request. @throws AppError `api_key_missing` */
export function bearerToken(headers: Pick<Headers, 'get'>): string {
  const match = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '');
  if (match?.[1] === undefined) {
    throw refused(
      'api_key_missing',
      'The request carries no API key.',
      'Send the header “Authorization: Bearer psk_api_…”. Keys are made on the page API keys of your organization.',
    );
  }
  return match[1];
}

/**
 * Finds out which key it is and whether it opens. Read from the database each time: a revoked key is dead at once.
 * @throws AppError `api_key_malformed`, `api_key_unknown`, `api_key_revoked`, `api_key_expired`
 */
export async function authenticateApiKey(database: Database, plaintext: string, now: Date): Promise<ApiKeyPrincipal> {
  const parsed = parseApiKey(plaintext);
  if (!parsed.ok) throw refused('api_key_malformed', parsed.message, 'Copy the key again in full.');
  // One statement, past the client's models: this stands before every request of the public API.
  const [row] = await database.$queryRaw<
    {
      id: string;
      name: string;
      organization_id: string;
      organization_name: string;
      role: string;
      is_read_only: boolean;
      expires_at: Date | null;
      last_used_at: Date | null;
      revoked_at: Date | null;
    }[]
  >`
    SELECT k.id, k.name, k.organization_id, o.name AS organization_name, k.role, k.is_read_only, k.expires_at,
      k.last_used_at, k.revoked_at
    FROM api_key k JOIN organization o ON o.id = k.organization_id
    WHERE k.hash = ${parsed.hash} AND o.deleted_at IS NULL`;
  if (row === undefined) {
    throw refused(
      'api_key_unknown',
      'There is no such API key.',
      'Create one on the page API keys of your organization.',
    );
  }
  if (row.revoked_at !== null) {
    throw refused('api_key_revoked', 'This API key was revoked.', 'Create a new key.');
  }
  if (row.expires_at !== null && row.expires_at <= now) {
    throw refused(
      'api_key_expired',
      'The time of this API key is over.',
      'Create a new key, or use the one that replaced it.',
    );
  }
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= lastUsedResolution_ms) {
    const before = new Date(now.getTime() - lastUsedResolution_ms);
    await database.apiKey.updateMany({
      where: { id: row.id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before } }] },
      data: { lastUsedAt: now },
    });
  }
  return {
    apiKeyId: row.id,
    name: row.name,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    role: parseRole(row.role),
    isReadOnly: row.is_read_only,
  };
}
