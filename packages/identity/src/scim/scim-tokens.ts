// The tokens with which an organization's identity provider provisions members and groups.
import type { Database } from '@penstock/database/client';
import { AppError, generateScimToken, isUuid, newId, notFound, parseScimToken } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@penstock/units';

export interface ScimToken {
  id: string;
  /** The first characters, e.g. `psk_scim_a1B2`. */
  displayPrefix: string;
  displayLast4: string;
  createdAt: Date;
  expiresAt: Date;
  /** Precise to the minute. */
  lastUsedAt: Date | null;
  /** The last request that was refused. */
  lastErrorAt: Date | null;
  lastError: string | null;
}

export interface CreatedScimToken {
  token: ScimToken;
  /** The secret. It is shown once, and only its hash is stored. */
  plaintext: string;
}

/** A provider uses one. A second one exists while it is replaced. */
const MAX_ACTIVE_TOKENS = 2;

const columns = {
  id: true,
  displayPrefix: true,
  displayLast4: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  lastErrorAt: true,
  lastError: true,
} as const;

const factsOf = ({ displayPrefix, displayLast4, expiresAt }: ScimToken) => ({
  displayPrefix,
  displayLast4,
  expiresAt: expiresAt.toISOString(),
});

/** The active tokens, newest first. */
export function listScimTokens({ tx, organizationId, now }: Scope): Promise<ScimToken[]> {
  return tx.scimToken.findMany({
    where: { organizationId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: columns,
  });
}

/**
 * Creates a token. An active one expires after the overlap, or at its own expiry if that comes first.
 * @throws AppError `scim_token_limit`
 */
export async function createScimToken(
  scope: Scope,
  input: { lifetimeDays: number; overlapHours: number },
): Promise<CreatedScimToken> {
  const { tx, organizationId, now } = scope;
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const overlapEnd = new Date(now.getTime() + input.overlapHours * HOUR_MS);
  await tx.scimToken.updateMany({
    where: { organizationId, revokedAt: null, expiresAt: { gt: overlapEnd } },
    data: { expiresAt: overlapEnd },
  });
  if ((await listScimTokens(scope)).length >= MAX_ACTIVE_TOKENS) {
    throw new AppError({
      kind: 'refused',
      code: 'scim_token_limit',
      message: `An organization can have at most ${MAX_ACTIVE_TOKENS} active SCIM tokens.`,
      remedy: 'Revoke the one that your provider no longer uses.',
    });
  }
  const key = generateScimToken();
  const token = await tx.scimToken.create({
    data: {
      id: newId(now.getTime()),
      organizationId,
      displayPrefix: key.display.prefix,
      displayLast4: key.display.last4,
      hash: key.hash,
      createdBy: scope.actor.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + input.lifetimeDays * DAY_MS),
    },
    select: columns,
  });
  await recordAudit(scope, {
    action: 'scim-token.create',
    targetType: 'scim-token',
    targetId: token.id,
    after: { ...factsOf(token), oldTokensEndAt: overlapEnd.toISOString() },
  });
  return { token, plaintext: key.plaintext };
}

/** @throws AppError `scim_token_not_found` */
export async function revokeScimToken(scope: Scope, input: { tokenId: string }): Promise<void> {
  const { tx, organizationId, now } = scope;
  const token = isUuid(input.tokenId)
    ? await tx.scimToken.findFirst({ where: { id: input.tokenId, organizationId, revokedAt: null }, select: columns })
    : null;
  if (token === null) {
    throw notFound('scim token');
  }
  await tx.scimToken.update({ where: { id: token.id, organizationId }, data: { revokedAt: now } });
  await recordAudit(scope, {
    action: 'scim-token.revoke',
    targetType: 'scim-token',
    targetId: token.id,
    before: factsOf(token),
  });
}

export interface ScimPrincipal {
  tokenId: string;
  organizationId: string;
  /** For the audit log. */
  label: string;
}

/**
 * Finds the active token. Reads the database for each request, so a revoked token stops working at once.
 * @throws AppError `scim_token_refused`
 */
export async function authenticateScimToken(database: Database, plaintext: string, now: Date): Promise<ScimPrincipal> {
  const parsed = parseScimToken(plaintext);
  const row = parsed.ok
    ? await database.scimToken.findFirst({
        where: {
          hash: parsed.hash,
          revokedAt: null,
          expiresAt: { gt: now },
          organization: { deletedAt: null },
        },
        select: { ...columns, organizationId: true },
      })
    : null;
  if (row === null) {
    throw new AppError({
      kind: 'unauthenticated',
      code: 'scim_token_refused',
      message: 'This SCIM token is unknown, expired or revoked.',
      remedy: 'Create one on the Organization page.',
    });
  }
  const { id: tokenId, organizationId, displayPrefix, displayLast4 } = row;
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= MINUTE_MS) {
    await database.scimToken.updateMany({ where: { id: tokenId, organizationId }, data: { lastUsedAt: now } });
  }
  return { tokenId, organizationId, label: `SCIM token ${displayPrefix}…${displayLast4}` };
}

/** Maximum length of a stored error, because providers may send any length. */
const MAX_ERROR_LENGTH = 500;

/** Notes a refused request, for the organization's owners. */
export async function noteScimError(
  database: Database,
  { tokenId, organizationId }: ScimPrincipal,
  error: string,
  now: Date,
): Promise<void> {
  await database.scimToken.updateMany({
    where: { id: tokenId, organizationId },
    data: { lastErrorAt: now, lastError: error.slice(0, MAX_ERROR_LENGTH) },
  });
}
