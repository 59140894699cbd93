// Accounts and sessions, by better-auth. E-mail and password alone; sessions live in the database.
import type { Database } from '@penstock/database/client';
import { AppError, type Logger, newId } from '@penstock/platform';
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { isFromOurPages, refuseForeignOrigin } from '../access/request-origin.ts';
import { inTransaction } from '../access/scope.ts';
import type { MailMessage } from '../mail/mail.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { existingAccountMail, passwordResetMail, verificationMail } from './auth-mails.ts';

export interface AuthOptions {
  database: Database;
  /** The address that people type, e.g. https://app.example.com. Requests from other origins are refused. */
  webUrl: string;
  /** Signs cookies and verification links. At least 32 characters. */
  secret: string;
  /** Addresses or CIDR ranges of the proxies in front; empty when browsers connect to us directly. */
  trustedProxies: readonly string[];
  logger: Logger;
}

const hour_s = 60 * 60;
const day_s = 24 * hour_s;

/** The only endpoints of the library that are served; a new version cannot open another one unnoticed. */
const servedPaths: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/verify-email',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/list-sessions',
  '/revoke-session',
  '/revoke-other-sessions',
  '/error',
  '/ok',
]);

/** The page of the web app on which a verification link ends when nobody asked for another one. */
const verifiedPage = '/verify-email?status=verified';

function withLandingPage(link: string): string {
  const url = new URL(link);
  // What the library puts there by itself, e.g. for a mail that a sign-in attempt set off.
  if (url.searchParams.get('callbackURL') === '/') url.searchParams.set('callbackURL', verifiedPage);
  return url.toString();
}

function createLibraryAuth({ database, webUrl, secret, trustedProxies, logger }: AuthOptions) {
  async function send(message: MailMessage): Promise<void> {
    await inTransaction(database, (tx) => queueMail(tx, message, new Date()));
  }

  return betterAuth({
    appName: 'Penstock',
    baseURL: webUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [webUrl],
    database: prismaAdapter(database, { provider: 'postgresql', transaction: true }),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: hour_s,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        send(passwordResetMail(user.email, `${webUrl}/reset-password?token=${encodeURIComponent(token)}`)),
      onExistingUserSignUp: ({ user }) => send(existingAccountMail(user.email, `${webUrl}/sign-in`)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: hour_s,
      sendVerificationEmail: ({ user, url }) => send(verificationMail(user.email, withLandingPage(url))),
    },
    session: {
      expiresIn: 14 * day_s,
      updateAge: day_s,
      // Every request asks the database: a revoked session ends at once.
      cookieCache: { enabled: false },
      additionalFields: { activeOrganizationId: { type: 'string', required: false, input: false } },
    },
    verification: { storeIdentifier: 'hashed' },
    user: { changeEmail: { enabled: false }, deleteUser: { enabled: false } },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/email': { window: 60, max: 20 },
        '/sign-up/email': { window: 60, max: 20 },
        '/request-password-reset': { window: 60, max: 10 },
        '/send-verification-email': { window: 60, max: 10 },
        '/reset-password': { window: 60, max: 20 },
        '/change-password': { window: 60, max: 10 },
      },
    },
    advanced: {
      cookiePrefix: 'penstock',
      useSecureCookies: webUrl.startsWith('https://'),
      database: { generateId: () => newId() },
      // Rate limits count by address: behind a proxy that is the address which the proxy saw.
      ipAddress: trustedProxies.length === 0 ? {} : { trustedProxies: [...trustedProxies] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    logger: {
      level: 'warn',
      log: (level, message) => logger[level]({ part: 'auth' }, message),
    },
  });
}

export interface SessionUser {
  id: string;
  email: string;
  name: string;
}

export interface AuthSession {
  sessionId: string;
  activeOrganizationId: string | null;
  user: SessionUser;
}

export interface Auth {
  /** Answers the requests under /api/auth. */
  handle(request: Request): Promise<Response>;
  /** Who sends these headers; null when nobody is signed in. */
  getSession(headers: Headers): Promise<AuthSession | null>;
}

/** The library repeats the session's token in its answers; in the cookie, out of the reach of scripts, is enough. */
async function withoutToken(response: Response): Promise<Response> {
  if (!response.ok || response.headers.get('content-type')?.includes('application/json') !== true) return response;
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'token' in body) body.token = null;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

/** @throws AppError `auth_secret_too_short` */
export function createAuth(options: AuthOptions): Auth {
  if (options.secret.length < 32) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'auth_secret_too_short',
      message: 'PENSTOCK_AUTH_SECRET has fewer than 32 characters.',
      remedy: 'Make one with: openssl rand -base64 48',
    });
  }
  const auth = createLibraryAuth(options);
  return {
    async handle(request) {
      const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
      if (!servedPaths.has(path)) return Response.json({ message: 'Not found.' }, { status: 404 });
      // Links in mails are opened from anywhere: following one is a plain GET.
      if (request.method !== 'GET' && !isFromOurPages(request, options.webUrl))
        return refuseForeignOrigin(options.webUrl);
      return withoutToken(await auth.handler(request));
    },
    async getSession(headers) {
      const found = await auth.api.getSession({ headers });
      if (found === null) return null;
      const { user, session } = found;
      return {
        sessionId: session.id,
        activeOrganizationId: session.activeOrganizationId ?? null,
        user: { id: user.id, email: user.email, name: user.name },
      };
    },
  };
}
