// Starts a sign-in at an organization's OpenID provider: where to send the browser, and what the callback must match.
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import { AppError, newId, type SecretBox } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import { MINUTE_MS } from '@penstock/units';
import * as openid from 'openid-client';
import { z } from 'zod';
import { openClientSecret } from './client-secret.ts';
import { openProvider, type ProviderSettings } from './open-provider.ts';
import { domainOf } from './sso-domains.ts';

export interface SsoTools {
  database: Database;
  secretBox: SecretBox;
  policy: WebhookPolicy;
  webUrl: string;
}

/** How long a user may take at the provider. */
export const LOGIN_LIFETIME_MS = 10 * MINUTE_MS;

/** What is stored between the redirect and the callback. Its key is the hash of the state. */
export const loginInHand = z.object({
  organizationId: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  browserHash: z.string(),
  next: z.string(),
});

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
export const loginKey = (state: string): string => `sso:${sha256(state)}`;
export const callbackUrl = (webUrl: string): string => `${webUrl}/api/auth/sso/callback`;

const fresh = (): string => randomBytes(32).toString('base64url');

/** @throws AppError `sso_not_configured`, and what `openProvider` throws */
export async function beginSso(
  tools: SsoTools,
  input: { email: string; next: string },
  now: Date,
): Promise<{ url: URL; browserToken: string }> {
  const { database, policy, webUrl } = tools;
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
  const provider = await openProvider(connection, policy);
  const [state, nonce, browserToken] = [fresh(), fresh(), fresh()];
  const codeVerifier = openid.randomPKCECodeVerifier();
  const login: z.infer<typeof loginInHand> = {
    organizationId: verified.organizationId,
    nonce,
    codeVerifier,
    browserHash: sha256(browserToken),
    next: input.next,
  };
  await database.verification.create({
    data: {
      id: newId(now.getTime()),
      identifier: loginKey(state),
      value: JSON.stringify(login),
      expiresAt: new Date(now.getTime() + LOGIN_LIFETIME_MS),
    },
  });
  const url = openid.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(webUrl),
    response_type: 'code',
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    login_hint: input.email,
  });
  return { url, browserToken };
}

/** The provider of an organization that is not deleted; null if it has none. */
export async function readConnection(
  { database, secretBox }: SsoTools,
  organizationId: string,
): Promise<ProviderSettings | null> {
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
