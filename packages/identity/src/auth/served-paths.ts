// The allowlist of the account library's endpoints, so that a new version cannot expose another one unnoticed.
export type ServedMethod = 'GET' | 'POST';

const served: Readonly<Record<string, ServedMethod>> = {
  '/sign-up/challenge': 'POST',
  '/sign-up/request': 'POST',
  '/sign-up/open': 'POST',
  '/sign-up/finish': 'POST',
  '/sign-in/email': 'POST',
  '/sign-out': 'POST',
  '/request-password-reset': 'POST',
  '/reset-password': 'POST',
  '/change-password': 'POST',
  '/two-factor/enable': 'POST',
  '/two-factor/disable': 'POST',
  '/two-factor/verify-totp': 'POST',
  '/two-factor/verify-backup-code': 'POST',
  '/two-factor/generate-backup-codes': 'POST',
  '/passkey/generate-register-options': 'GET',
  '/passkey/verify-registration': 'POST',
  '/passkey/generate-authenticate-options': 'GET',
  '/passkey/verify-authentication': 'POST',
  '/passkey/delete-passkey': 'POST',
  '/confirm/password': 'POST',
  '/confirm/code': 'POST',
  '/confirm/passkey': 'POST',
  '/sso/start': 'POST',
  '/sso/test': 'POST',
  '/sso/confirm': 'POST',
  // Opened by the provider's redirect.
  '/sso/callback': 'GET',
  '/error': 'GET',
  '/ok': 'GET',
};

/** The method that an endpoint is served under; undefined if it is not served. */
export function servedMethod(path: string): ServedMethod | undefined {
  return Object.hasOwn(served, path) ? served[path] : undefined;
}
