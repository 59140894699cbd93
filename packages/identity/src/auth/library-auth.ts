// The account library (better-auth) and its settings. Only this folder uses it.
import { passkey } from '@better-auth/passkey';
import type { Database } from '@penstock/database/client';
import { type Logger, newId, type RootSecrets, type SecretBox } from '@penstock/platform';
import { inTransaction, type MailMessage, queueMail, type WebhookPolicy } from '@penstock/tenancy';
import { DAY_S, HOUR_S } from '@penstock/units';
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import { passwordResetMail } from './auth-mails.ts';
import { oneTimeCodes } from './one-time-codes.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';
import { ssoPlugin } from './sso-plugin.ts';
import { librarySecrets } from './two-factor-secrets.ts';

/** Carries the client address that the entry point determined. Overwrites any value from the client. */
export const ADDRESS_HEADER = 'x-penstock-client-address';

export interface LibraryAuthOptions {
  database: Database;
  webUrl: string;
  secrets: RootSecrets;
  logger: Logger;
  onPasswordReset(userId: string, request: Request | undefined): Promise<void>;
  secretBox: SecretBox;
  /** Which addresses organizations' OpenID providers may have. */
  outbound: WebhookPolicy;
}

/** A passkey counts as two factors: the device, and a fingerprint, face or PIN that the device verified. */
function requireUserVerification(isVerified: boolean): void {
  if (isVerified) {
    return;
  }
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_VERIFICATION_REQUIRED',
    message:
      'Your device didn’t verify your identity. Set up a PIN, fingerprint or face recognition on it, or sign in with your password.',
  });
}

export type LibraryAuth = ReturnType<typeof createLibraryAuth>;

export function createLibraryAuth(options: LibraryAuthOptions) {
  const { database, webUrl, secrets, logger, onPasswordReset, secretBox, outbound } = options;
  async function send(message: MailMessage): Promise<void> {
    await inTransaction(database, (tx) => queueMail(tx, message, new Date()));
  }

  return betterAuth({
    appName: 'Penstock',
    baseURL: webUrl,
    basePath: '/api/auth',
    ...librarySecrets(secrets),
    trustedOrigins: [webUrl],
    database: prismaAdapter(database, { provider: 'postgresql', transaction: true }),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      // Accounts begin with a proven address (sign-up.ts). The library would store a password first.
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: HOUR_S,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        send(passwordResetMail(user.email, `${webUrl}/reset-password?token=${encodeURIComponent(token)}`)),
      onPasswordReset: ({ user }, request) => onPasswordReset(user.id, request),
    },
    session: {
      expiresIn: 14 * DAY_S,
      updateAge: DAY_S,
      // Off: the entry point asks for a confirmation itself, and accepts one that is younger than the session.
      freshAge: 0,
      // Every request reads the database, so a revoked session ends at once.
      cookieCache: { enabled: false },
      additionalFields: {
        activeOrganizationId: { type: 'string', required: false, input: false },
        ssoOrganizationId: { type: 'string', required: false, input: false },
        confirmedAt: { type: 'date', required: false, input: false },
      },
    },
    verification: { storeIdentifier: 'hashed' },
    user: { changeEmail: { enabled: false }, deleteUser: { enabled: false } },
    plugins: [
      twoFactor({ issuer: 'Penstock' }),
      oneTimeCodes(database),
      ssoPlugin({ database, secretBox, policy: outbound, webUrl }, { addressHeader: ADDRESS_HEADER, logger }),
      passkey({
        rpName: 'Penstock',
        rpID: new URL(webUrl).hostname,
        origin: webUrl,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) =>
            requireUserVerification(verification.registrationInfo?.userVerified === true),
        },
        authentication: {
          afterVerification: ({ verification }) =>
            requireUserVerification(verification.authenticationInfo.userVerified),
        },
      }),
    ],
    // The entry point counts attempts itself. The library reads, compares and writes in separate steps, so concurrent
    // attempts would slip through.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'penstock',
      useSecureCookies: webUrl.startsWith('https://'),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    logger: {
      level: 'warn',
      log: (level, message) => logger[level]({ part: 'auth' }, message),
    },
  });
}
