// Discovers an organization's OpenID provider by its issuer. openid-client makes all its requests through the guarded
// fetch.
import { AppError } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import * as openid from 'openid-client';
import { isForEveryTenant, OWN_TENANT_REMEDY } from './entra-tenants.ts';
import { guardedFetch, isSafeUrl } from './guarded-fetch.ts';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** @throws AppError `sso_provider_unreachable`, `sso_provider_invalid` */
export async function openProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  policy: WebhookPolicy,
): Promise<openid.Configuration> {
  const fetch: openid.CustomFetch = (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : String(body);
    return guardedFetch(new URL(url), { method, headers, body: text }, policy);
  };
  const insecure = policy.isLoopbackAllowed ? [openid.allowInsecureRequests] : [];
  try {
    const found = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [openid.customFetch]: fetch,
      execute: insecure,
    });
    const server = found.serverMetadata();
    if (isForEveryTenant(server.issuer)) {
      throw invalid('it signs in people of every tenant', undefined, OWN_TENANT_REMEDY);
    }
    // The specification's default for a provider that names no methods.
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic')
      ? openid.ClientSecretBasic(clientSecret)
      : openid.ClientSecretPost(clientSecret);
    const { supportsPKCE: _supportsPkce, ...metadata } = server;
    const configuration = new openid.Configuration(metadata, clientId, clientSecret, authentication);
    configuration[openid.customFetch] = fetch;
    for (const allow of insecure) {
      allow(configuration);
    }
    // Verifies the ID token's signature even though it comes over TLS from the provider itself.
    openid.enableNonRepudiationChecks(configuration);
    const authorization = URL.parse(server.authorization_endpoint ?? '');
    if (authorization === null || !isSafeUrl(authorization, policy)) {
      throw invalid('its metadata has no valid authorization endpoint');
    }
    return configuration;
  } catch (error) {
    if (error instanceof AppError) {
      throw error;
    }
    if (error instanceof Error && error.cause instanceof AppError) {
      throw error.cause;
    }
    const actual = issuerInstead(error);
    if (actual !== null) {
      throw invalid(`its metadata names the issuer ${actual}`, error, `Enter ${actual} as the issuer.`);
    }
    throw invalid('its metadata doesn’t match an OpenID provider with this issuer', error);
  }
}

/** The issuer that the metadata names if it isn’t the one that was entered, such as one with a slash at its end. */
function issuerInstead(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  // The library wraps some of its own errors.
  const details = cause instanceof Error ? cause.cause : cause;
  const body = typeof details === 'object' && details !== null && 'body' in details ? details.body : undefined;
  const issuer = typeof body === 'object' && body !== null && 'issuer' in body ? body.issuer : undefined;
  return typeof issuer === 'string' && /^https?:\/\/[^\s?#]{1,500}$/.test(issuer) ? issuer : null;
}

const ISSUER_REMEDY = 'Enter the issuer URL exactly as the provider shows it, without /.well-known/….';

function invalid(why: string, cause?: unknown, remedy = ISSUER_REMEDY): AppError {
  return new AppError({
    kind: 'refused',
    code: 'sso_provider_invalid',
    message: `We can’t use this provider: ${why}.`,
    remedy,
    cause,
  });
}
