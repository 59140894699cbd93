// Translates errors of the authentication endpoints into what happened and what to do.

export interface AuthFailure {
  status?: number | undefined;
  code?: string | undefined;
  message?: string | undefined;
}

const BY_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INVALID_EMAIL_OR_PASSWORD:
      'Incorrect email address or password. Try again, or choose “Forgot password?” to set a new one.',
    EMAIL_NOT_VERIFIED: 'This email address hasn’t been verified. Create the account again to get a new link.',
    ACCOUNT_EXISTS: 'There’s already an account with this email address. Sign in, or reset your password.',
    PASSWORD_TOO_SHORT: 'The password is too short. Use at least 10 characters.',
    PASSWORD_TOO_LONG: 'The password is too long. Use at most 128 characters.',
    INVALID_EMAIL: 'Enter a valid email address, such as name@example.com.',
    INVALID_PASSWORD: 'The current password is incorrect. Try again.',
    INVALID_CODE:
      'This code is incorrect, has expired or was used before. Wait for the next one, and check that your device’s clock is right.',
    INVALID_BACKUP_CODE: 'This recovery code is incorrect or has already been used.',
    INVALID_TWO_FACTOR_COOKIE: 'Your sign-in timed out. Start over.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many incorrect codes. Sign in again from the start.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Too many incorrect codes. Wait 15 minutes, then start over.',
    REAUTHENTICATION_REQUIRED: 'This change requires a recent proof of identity. Nothing was changed.',
    PASSKEY_OF_ANOTHER_ACCOUNT: 'This passkey belongs to another account. Use one of yours.',
    PASSKEY_NOT_FOUND: 'This passkey isn’t linked to an account. Sign in with your password.',
    AUTHENTICATION_FAILED: 'We couldn’t verify the passkey. Try again, or sign in with your password.',
    AUTH_CANCELLED: 'Your device canceled the request. Try again, or sign in with your password.',
    ERROR_CEREMONY_ABORTED: 'Your device canceled the request. Try again.',
    REGISTRATION_CANCELLED: 'Your device canceled the request. Try again.',
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
    PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
    INVALID_TOKEN: 'This link has expired or has already been used. Request a new one.',
  }),
);

/** A message for the user; never a bare status or code. */
export function authErrorMessage(failure: AuthFailure): string {
  const known = failure.code === undefined ? undefined : BY_CODE.get(failure.code);
  if (known !== undefined) {
    return known;
  }
  if (failure.status === 429) {
    // Our own rate-limit message says how long to wait.
    if (failure.code === 'TOO_MANY_ATTEMPTS' && failure.message !== undefined) {
      return failure.message;
    }
    return 'Too many attempts. Wait a minute, then try again.';
  }
  if (failure.status === undefined || failure.status === 0) {
    return 'We couldn’t reach the server. Check your connection and try again.';
  }
  if (failure.status >= 500) {
    return 'Something went wrong on our side. Nothing was changed. Try again in a moment.';
  }
  return failure.message ?? 'We couldn’t accept this request. Check what you entered and try again.';
}
