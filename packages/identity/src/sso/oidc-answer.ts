// What an OpenID provider's callback says about a person: exchanges the code, verifies the ID token, and asks the
// userinfo endpoint for what the token lacks.
import { AppError, isStorable } from '@penstock/platform';
import { SECOND_MS } from '@penstock/units';
import * as openid from 'openid-client';
import { callbackUrl, type LoginInHand } from './login-in-hand.ts';
import { isThin, mergeClaims, type ProviderAnswer } from './provider-claims.ts';

export interface OidcCallback {
  connection: { groupsClaim: string; areGroupsNeeded: boolean };
  login: LoginInHand;
  webUrl: string;
  /** The query parameters of the callback. */
  parameters: URLSearchParams;
}

/** @throws AppError `sso_answer_refused` with what went wrong */
export async function readOidcAnswer(
  provider: openid.Configuration,
  { connection, login, webUrl, parameters }: OidcCallback,
): Promise<ProviderAnswer> {
  const url = new URL(callbackUrl(webUrl));
  url.search = parameters.toString();
  const tokens = await openid
    .authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: login.codeVerifier,
      expectedState: parameters.get('state') ?? '',
      expectedNonce: login.nonce,
      idTokenExpected: true,
    })
    .catch((error: unknown) => {
      throw explain(error);
    });
  const idToken = tokens.claims();
  if (idToken === undefined) {
    throw refuse('It contains no ID token.', 'Add the scope openid to the application at your provider.');
  }
  if (!isStorable(idToken.sub)) {
    throw refuse(
      'Its claim sub contains a character that we can’t store.',
      'Let your provider send another identifier.',
    );
  }
  const authenticatedAtMs = typeof idToken.auth_time === 'number' ? idToken.auth_time * SECOND_MS : null;
  const answer = { issuer: idToken.iss, subject: idToken.sub, authenticatedAtMs };
  const hasUserInfo = provider.serverMetadata().userinfo_endpoint !== undefined;
  if (!hasUserInfo || !isThin(idToken, connection.groupsClaim, connection.areGroupsNeeded)) {
    return { ...answer, claims: idToken };
  }
  const userInfo = await openid.fetchUserInfo(provider, tokens.access_token, idToken.sub).catch((error: unknown) => {
    throw refuse('Its userinfo endpoint rejected our request.', 'Allow the scopes openid, email and profile.', error);
  });
  return { ...answer, claims: mergeClaims(idToken, userInfo) };
}

function refuse(why: string, remedy: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'sso_answer_refused',
    message: `We couldn’t verify the identity provider’s response. ${why}`,
    remedy,
    cause,
  });
}

/** Turns the library's error into what to change at the provider. Quotes error codes only, never free text. */
function explain(error: unknown): AppError {
  if (error instanceof openid.AuthorizationResponseError) {
    return refuse(
      `It returned the error ${codeIn(error.error)}.`,
      error.error === 'access_denied'
        ? 'Assign the person to the application at your provider.'
        : 'Check the redirect URI and the scopes of the application at your provider.',
      error,
    );
  }
  if (error instanceof openid.ResponseBodyError) {
    return refuse(
      `Its token endpoint returned the error ${codeIn(error.error)}.`,
      error.error === 'invalid_client'
        ? 'Check the client ID, and enter a new client secret: it may be wrong or expired.'
        : 'Check the redirect URI and the allowed grant types of the application at your provider.',
      error,
    );
  }
  if (error instanceof Error && error.cause instanceof AppError) {
    return refuse(error.cause.message, error.cause.remedy ?? '', error);
  }
  const reason = error instanceof openid.ClientError ? REASONS[error.code ?? ''] : undefined;
  return reason === undefined
    ? refuse(
        'The response isn’t valid OpenID Connect.',
        'Check that the application uses the authorization code flow.',
        error,
      )
    : refuse(reason.why, reason.remedy, error);
}

const REASONS: Readonly<Record<string, { why: string; remedy: string }>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: {
    why: 'The ID token has expired or isn’t valid yet.',
    remedy: 'Check the clock of your provider.',
  },
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: {
    why: 'The ID token is for another issuer, client or sign-in.',
    remedy: 'Check the issuer URL and the client ID.',
  },
  OAUTH_KEY_SELECTION_FAILED: {
    why: 'The ID token was signed with a key that the provider doesn’t publish.',
    remedy: 'Use the provider’s own signing keys, and check the issuer URL.',
  },
  OAUTH_INVALID_RESPONSE: {
    why: 'The ID token isn’t valid, for example its signature.',
    remedy: 'Check the issuer URL, and sign tokens with RS256 or ES256.',
  },
};

/** An OAuth error code: never a text that the provider could choose freely. */
function codeIn(code: string): string {
  return /^[\w.-]{1,64}$/.test(code) ? code : 'unknown';
}
