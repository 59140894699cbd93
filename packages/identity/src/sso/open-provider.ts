// Discovers an organization's OpenID provider by its issuer. openid-client makes all its requests through the guarded
// fetch.
import { AppError } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import * as openid from 'openid-client';
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
    throw invalid('its metadata doesn’t match an OpenID provider with this issuer', error);
  }
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'refused',
    code: 'sso_provider_invalid',
    message: `We can’t use this provider: ${why}.`,
    remedy: 'Enter the issuer URL exactly as the provider shows it, without /.well-known/….',
    cause,
  });
}
