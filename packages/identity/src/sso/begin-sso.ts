// Starts a sign-in at an organization's provider: where to send the browser, and what the callback must match.
import type { Database } from '@penstock/database/client';
import { AppError, type SecretBox } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import * as openid from 'openid-client';
import { openClientSecret } from './client-secret.ts';
import { parseGroupRoles } from './group-roles.ts';
import { callbackUrl, fresh, keepLogin, type LoginInHand, sha256 } from './login-in-hand.ts';
import { openProvider, type ProviderSettings } from './open-provider.ts';
import { newRequestId, samlRequestUrl } from './saml-answer.ts';
import type { SamlProvider } from './saml-metadata.ts';
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
  const login = { organizationId: verified.organizationId, next: input.next, tester: null, confirming: null };
  return redirectToProvider(tools, { connection, login, loginHint: input.email }, now);
}

export interface Redirect {
  url: URL;
  /** For a cookie, which binds the callback to the browser that started the sign-in. */
  browserToken: string;
}

export interface Departure {
  connection: Connection;
  login: Pick<LoginInHand, 'organizationId' | 'next' | 'tester' | 'confirming'>;
  /** The address that the provider suggests. */
  loginHint: string;
}

/** Stores a login and returns where to send the browser. @throws what `openProvider` throws */
export function redirectToProvider(tools: SsoTools, departure: Departure, now: Date): Promise<Redirect> {
  const { connection } = departure;
  return connection.protocol === 'saml'
    ? redirectToSaml(tools, departure, connection, now)
    : redirectToOidc(tools, departure, connection, now);
}

async function redirectToSaml(
  { database, webUrl }: SsoTools,
  { login }: Departure,
  { provider }: SamlConnection,
  now: Date,
): Promise<Redirect> {
  const [state, browserToken, samlRequestId] = [fresh(), fresh(), newRequestId()];
  const secrets = { nonce: '', codeVerifier: '', browserHash: sha256(browserToken), samlRequestId, samlOutcome: null };
  await keepLogin(database, state, { ...login, ...secrets, startedAtMs: now.getTime() }, now);
  const place = { provider, organizationId: login.organizationId, webUrl };
  const request = { requestId: samlRequestId, relayState: state, isForced: login.confirming !== null };
  return { url: await samlRequestUrl(place, request), browserToken };
}

async function redirectToOidc(
  { database, policy, webUrl }: SsoTools,
  { login, loginHint }: Departure,
  connection: OidcConnection,
  now: Date,
): Promise<Redirect> {
  const provider = await openProvider(connection, policy);
  const [state, nonce, browserToken] = [fresh(), fresh(), fresh()];
  const codeVerifier = openid.randomPKCECodeVerifier();
  const secrets = { nonce, codeVerifier, browserHash: sha256(browserToken), samlRequestId: null, samlOutcome: null };
  await keepLogin(database, state, { ...login, ...secrets, startedAtMs: now.getTime() }, now);
  const url = openid.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(webUrl),
    response_type: 'code',
    scope: scopesFor(provider, connection),
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    login_hint: loginHint,
    // Asks the person again, and makes the provider say when it did.
    ...(login.confirming === null ? {} : { prompt: 'login', max_age: '0' }),
  });
  return { url, browserToken };
}

/** Okta reports groups only for the scope `groups`. Entra ID and Google refuse scopes that they don’t know. */
function scopesFor(provider: openid.Configuration, { areGroupsNeeded }: Connection): string {
  const isGroupScopeKnown = provider.serverMetadata().scopes_supported?.includes('groups') === true;
  return `openid email profile${areGroupsNeeded && isGroupScopeKnown ? ' groups' : ''}`;
}

interface ConnectionFacts {
  groupsClaim: string;
  /** Whether groups decide about roles. */
  areGroupsNeeded: boolean;
  updatedAt: Date;
}

export interface OidcConnection extends ConnectionFacts, ProviderSettings {
  protocol: 'oidc';
}

export interface SamlConnection extends ConnectionFacts {
  protocol: 'saml';
  provider: SamlProvider;
}

export type Connection = OidcConnection | SamlConnection;

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
  const { issuer, groupsClaim, updatedAt } = row;
  const facts = { groupsClaim, areGroupsNeeded: parseGroupRoles(row.groupRoles).length > 0, updatedAt };
  if (row.protocol === 'saml') {
    const provider = { entityId: issuer, signOnUrl: row.samlSignOnUrl, certificates: row.samlCertificates };
    return { ...facts, protocol: 'saml', provider };
  }
  const clientSecret = openSecret(secretBox, organizationId, row.clientSecret);
  return { ...facts, protocol: 'oidc', issuer, clientId: row.clientId, clientSecret };
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
