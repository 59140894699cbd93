// The single sign-on endpoints, as a plugin of the account library, which creates the session and its cookie.
import { AppError, type Logger } from '@penstock/platform';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { requireAccess } from '../access/require-access.ts';
import { beginSso, type SsoTools } from '../sso/begin-sso.ts';
import { beginConfirmation } from '../sso/confirm-by-sso.ts';
import { finishSso } from '../sso/finish-sso.ts';
import { LOGIN_LIFETIME_MS } from '../sso/login-in-hand.ts';
import { beginSsoTest } from '../sso/run-sso-test.ts';

/** Binds the callback to the browser that started the sign-in. */
const BROWSER_COOKIE = 'penstock_sso';

/** Pages of the dashboard and invitations only, to prevent open redirects. */
const safeNext = /^\/(app|invitation)([/?#][\w\-./?#=&%:+~,;@!*()']*)?$/;

const startInput = z.object({ email: z.string().trim().max(320), next: z.string().max(2_000).default('/app') });

const testInput = z.object({ organizationId: z.string().max(100) });

const STATUS_OF_KIND = { 'not-found': 'NOT_FOUND', forbidden: 'FORBIDDEN', unauthenticated: 'UNAUTHORIZED' } as const;

function toApiError(error: unknown): unknown {
  if (!(error instanceof AppError)) {
    return error;
  }
  const { kind, code, message, remedy = '' } = error;
  const status = kind in STATUS_OF_KIND ? STATUS_OF_KIND[kind as keyof typeof STATUS_OF_KIND] : 'BAD_REQUEST';
  return new APIError(status, { code: code.toUpperCase(), message: `${message} ${remedy}` });
}

/** @param addressHeader carries the client address that the entry point determined */
export function ssoPlugin(tools: SsoTools, { addressHeader, logger }: { addressHeader: string; logger: Logger }) {
  const cookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    secure: tools.webUrl.startsWith('https://'),
    path: '/api/auth/sso',
  } as const;
  return {
    id: 'penstock-sso',
    endpoints: {
      beginSso: createAuthEndpoint('/sso/start', { method: 'POST', body: startInput }, async (ctx) => {
        const { email, next } = ctx.body;
        try {
          const begun = await beginSso(tools, { email, next: safeNext.test(next) ? next : '/app' }, new Date());
          ctx.setCookie(BROWSER_COOKIE, begun.browserToken, { ...cookieOptions, maxAge: LOGIN_LIFETIME_MS / 1_000 });
          return ctx.json({ url: begun.url.href });
        } catch (error) {
          throw toApiError(error);
        }
      }),
      /** Answers with the provider's address; null if the test failed before the browser would go there. */
      testSso: createAuthEndpoint('/sso/test', { method: 'POST', body: testInput }, async (ctx) => {
        const { organizationId } = ctx.body;
        const found = await getSessionFromCtx(ctx);
        if (found === null) {
          throw new APIError('UNAUTHORIZED', { code: 'SIGNED_OUT', message: 'You’re not signed in.' });
        }
        const now = new Date();
        const access = { sessionId: found.session.id, userId: found.user.id, organizationId };
        try {
          await requireAccess(tools.database, { ...access, permission: 'sso:write' }, now);
          const tester = { userId: found.user.id, email: found.user.email };
          const begun = await beginSsoTest(tools, { organizationId, tester }, now);
          if (begun !== null) {
            ctx.setCookie(BROWSER_COOKIE, begun.browserToken, { ...cookieOptions, maxAge: LOGIN_LIFETIME_MS / 1_000 });
          }
          return ctx.json({ url: begun?.url.href ?? null });
        } catch (error) {
          throw toApiError(error);
        }
      }),
      /** For sessions that a provider opened: their person may have no password, code or passkey. */
      confirmBySso: createAuthEndpoint('/sso/confirm', { method: 'POST', body: z.object({}) }, async (ctx) => {
        const found = await getSessionFromCtx(ctx);
        if (found === null) {
          throw new APIError('UNAUTHORIZED', { code: 'SIGNED_OUT', message: 'You’re not signed in.' });
        }
        try {
          const begun = await beginConfirmation(tools, { sessionId: found.session.id, user: found.user }, new Date());
          ctx.setCookie(BROWSER_COOKIE, begun.browserToken, { ...cookieOptions, maxAge: LOGIN_LIFETIME_MS / 1_000 });
          return ctx.json({ url: begun.url.href });
        } catch (error) {
          throw toApiError(error);
        }
      }),
      finishSso: createAuthEndpoint('/sso/callback', { method: 'GET' }, async (ctx) => {
        const parameters = new URL(ctx.request?.url ?? '', tools.webUrl).searchParams;
        const browserToken = ctx.getCookie(BROWSER_COOKIE) ?? null;
        const address = ctx.headers?.get(addressHeader) ?? 'unknown';
        ctx.setCookie(BROWSER_COOKIE, '', { ...cookieOptions, maxAge: 0 });
        let next: string;
        try {
          const done = await finishSso(tools, { parameters, browserToken, address }, new Date());
          if (done.userId !== null) {
            const user = await ctx.context.internalAdapter.findUserById(done.userId);
            if (user === null) {
              throw new Error('The person who has just signed in does not exist.');
            }
            const limits = { ssoOrganizationId: done.organizationId, activeOrganizationId: done.organizationId };
            // Valid for one day, which the entry point also enforces.
            const session = await ctx.context.internalAdapter.createSession(done.userId, true, limits);
            await setSessionCookie(ctx, { session, user }, true);
          }
          next = done.next;
        } catch (error) {
          if (!(error instanceof AppError)) {
            throw error;
          }
          logger.info({ part: 'auth', code: error.code, err: error.cause }, 'A single sign-on was refused');
          next = `/sign-in/sso?refused=${error.code}`;
        }
        throw ctx.redirect(`${tools.webUrl}${next}`);
      }),
    },
  } satisfies BetterAuthPlugin;
}
