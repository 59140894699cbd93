// Turns what the authentication endpoints refuse with into what happened and what to do.

export type AuthFailure = { status?: number | undefined; code?: string | undefined; message?: string | undefined };

const BY_CODE: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD:
    'The e-mail address or the password is wrong. Check both, or choose “Forgot password?” to set a new one.',
  EMAIL_NOT_VERIFIED:
    'This e-mail address is not verified yet. Open the link in the mail that we have just sent again.',
  USER_ALREADY_EXISTS: 'There is already an account with this e-mail address. Sign in, or reset its password.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    'There is already an account with this e-mail address. Sign in, or reset its password.',
  PASSWORD_TOO_SHORT: 'The password is too short. Use at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password is too long. Use at most 128 characters.',
  INVALID_EMAIL: 'This does not look like an e-mail address. It should read like name@example.com.',
  INVALID_PASSWORD: 'The current password is wrong. Check it and try again.',
  INVALID_CODE: 'This code is not the current one. Wait for the next, and check the clock of your device.',
  INVALID_BACKUP_CODE: 'This is not one of your recovery codes, or it was used before.',
  INVALID_TWO_FACTOR_COOKIE: 'Too much time has passed since the password. Start over.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'There were too many wrong codes. Start over with the password.',
  ACCOUNT_TEMPORARILY_LOCKED: 'There were too many wrong codes. Wait a quarter of an hour, then start over.',
  SESSION_NOT_FRESH:
    'You signed in too long ago for this. Sign out, sign in again, then do it within a quarter of an hour.',
  PASSKEY_NOT_FOUND: 'This passkey does not open an account here. Sign in with your password.',
  AUTHENTICATION_FAILED: 'The passkey was not accepted. Try again, or sign in with your password.',
  AUTH_CANCELLED: 'Your device did not finish. Try again, or sign in with your password.',
  ERROR_CEREMONY_ABORTED: 'Your device did not finish. Try again.',
  REGISTRATION_CANCELLED: 'Your device did not finish. Try again.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device has a passkey of your account already.',
  PREVIOUSLY_REGISTERED: 'This device has a passkey of your account already.',
  INVALID_TOKEN: 'This link has expired or was used before. Ask for a new one.',
};

/** One message for a person; never a bare status or code. */
export function authErrorMessage(failure: AuthFailure): string {
  const known = failure.code === undefined ? undefined : BY_CODE[failure.code];
  if (known !== undefined) {
    return known;
  }
  if (failure.status === 429) {
    // Ours says for how long.
    if (failure.code === 'TOO_MANY_ATTEMPTS' && failure.message !== undefined) {
      return failure.message;
    }
    return 'There were too many attempts. Wait a minute, then try again.';
  }
  if (failure.status === undefined || failure.status === 0) {
    return 'The server could not be reached. Check your connection, then try again.';
  }
  if (failure.status >= 500) {
    return 'Something failed on our side and nothing was changed. Try again in a moment.';
  }
  return failure.message ?? 'The request was refused. Check what you entered and try again.';
}
