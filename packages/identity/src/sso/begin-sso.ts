// Starts a sign-in at an organization's OpenID provider: where to send the browser, and what the callback must match.
import type { Database } from '@penstock/database/client';
import { AppError, type SecretBox } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import * as openid from 'openid-client';
import { openClientSecret } from './client-secret.ts';
import { parseGroupRoles } from './group-roles.ts';
import { callbackUrl, fresh, keepLogin, type LoginInHand, sha256 } from './login-in-hand.ts';
import { openProvider, type ProviderSettings } from './open-provider.ts';
import { domainOf } from './sso-domains.ts';

export interface SsoTools {
  database: Database;
  secretBox: SecretBox;
  policy: WebhookPolicy;
  webUrl: string;
}

/** @throws AppError `sso_not_configured`, and what `openProvider` throws */
export async function beginSso(tools: SsoTools, input: { email: string; next: string }, now: Date): Promise<Redirect> {
  const { database } = tools;
  const domain = domainOf(input.email);
  const verified =
    domain === null ? null : await database.ssoDomain.findFirst({ where: { domain, verifiedAt: { not: null } } });
  const connection = verified === null ? null : await readConnection(tools, verified.organizationId);
  if (verified === null || connection === null) {
    throw new AppError({
      kind: 'not-found',
      code: 'sso_not_configured',
      field: 'email',
      message: 'No organization uses single sign-on with this email domain.',
      remedy: 'Check your email address, or sign in with your password.',
    });
  }
  const provider = await openProvider(connection, tools.policy);
  const login = { organizationId: verified.organizationId, next: input.next, tester: null };
  return redirectToProvider(tools, provider, { connection, login, loginHint: input.email }, now);
}

export interface Redirect {
  url: URL;
  /** For a cookie, which binds the callback to the browser that started the sign-in. */
  browserToken: string;
}

export interface Departure {
  connection: Connection;
  login: Pick<LoginInHand, 'organizationId' | 'next' | 'tester'>;
  /** The address that the provider suggests. */
  loginHint: string;
}

/** Stores a login and returns where to send the browser. */
export async function redirectToProvider(
  { database, webUrl }: SsoTools,
  provider: openid.Configuration,
  { connection, login, loginHint }: Departure,
  now: Date,
): Promise<Redirect> {
  const [state, nonce, browserToken] = [fresh(), fresh(), fresh()];
  const codeVerifier = openid.randomPKCECodeVerifier();
  await keepLogin(database, state, { ...login, nonce, codeVerifier, browserHash: sha256(browserToken) }, now);
  const url = openid.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(webUrl),
    response_type: 'code',
    scope: scopesFor(provider, connection),
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    login_hint: loginHint,
  });
  return { url, browserToken };
}

/** Okta reports groups only for the scope `groups`. Entra ID and Google refuse scopes that they don’t know. */
function scopesFor(provider: openid.Configuration, { areGroupsNeeded }: Connection): string {
  const isGroupScopeKnown = provider.serverMetadata().scopes_supported?.includes('groups') === true;
  return `openid email profile${areGroupsNeeded && isGroupScopeKnown ? ' groups' : ''}`;
}

export interface Connection extends ProviderSettings {
  groupsClaim: string;
  /** Whether groups decide about roles. */
  areGroupsNeeded: boolean;
  updatedAt: Date;
}

/** The provider of an organization that is not deleted; null if it has none. */
export async function readConnection(
  { database, secretBox }: SsoTools,
  organizationId: string,
): Promise<Connection | null> {
  const organization = await database.organization.findFirst({
    where: { id: organizationId, deletedAt: null },
    select: { id: true },
  });
  const row = organization === null ? null : await database.ssoConnection.findUnique({ where: { organizationId } });
  if (row === null) {
    return null;
  }
  return {
    issuer: row.issuer,
    clientId: row.clientId,
    clientSecret: openSecret(secretBox, organizationId, row.clientSecret),
    groupsClaim: row.groupsClaim,
    areGroupsNeeded: parseGroupRoles(row.groupRoles).length > 0,
    updatedAt: row.updatedAt,
  };
}

function openSecret(secretBox: SecretBox, organizationId: string, sealed: Uint8Array): string {
  try {
    return openClientSecret(secretBox, organizationId, sealed);
  } catch (error) {
    throw new AppError({
      kind: 'refused',
      code: 'sso_secret_unreadable',
      message: 'The stored client secret for your organization’s identity provider can’t be read.',
      remedy: 'Ask an owner to enter it again in the organization’s settings.',
      cause: error,
    });
  }
}
