// The entry point for accounts and sessions. It adds origin checks, size limits, throttles and the audit log to the
// account library.
import type { Database } from '@penstock/database/client';
import type { Logger, RootSecrets, SecretBox } from '@penstock/platform';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';
import { isFromOurPages, refuseForeignOrigin, type WebhookPolicy } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { recordAccountEvent } from '../account/record-account-event.ts';
import { accountEventOf } from './account-events.ts';
import { bodyWithoutTokens, memberOf, readJsonBody, textOf } from './auth-body.ts';
import { confirmIdentity, type IdentityProof } from './confirm-identity.ts';
import { createFamiliarAddresses } from './familiar-addresses.ts';
import { ADDRESS_HEADER, createLibraryAuth } from './library-auth.ts';
import { resignCookies } from './resign-cookies.ts';
import { servedMethod } from './served-paths.ts';
import { createThrottle } from './throttle.ts';
import { generalLimit, throttleRules, throttleSubjects } from './throttle-rules.ts';

export interface AuthOptions {
  database: Database;
  /** The web app's origin, e.g. https://app.example.com. Requests from other origins are refused. */
  webUrl: string;
  /** The first one signs cookies and verification links. Cookies that another one signed are valid, too. */
  secrets: RootSecrets;
  /** Addresses or CIDR ranges of the reverse proxies; empty if browsers connect to us directly. */
  trustedProxies: readonly string[];
  logger: Logger;
  secretBox: SecretBox;
  /** Which addresses organizations' OpenID providers may have. */
  outbound: WebhookPolicy;
}

export interface SessionUser {
  id: string;
  email: string;
  name: string;
}

export interface AuthSession {
  sessionId: string;
  activeOrganizationId: string | null;
  /**
   * The organization whose OpenID provider authenticated the user; the session opens only that one. Null for other
   * sessions.
   */
  ssoOrganizationId: string | null;
  user: SessionUser;
}

export interface Auth {
  /** Handles the requests under /api/auth. */
  handle(request: Request): Promise<Response>;
  /** The session that these headers belong to; null if nobody is signed in. */
  getSession(headers: Headers): Promise<AuthSession | null>;
  /** Requires a recent sign-in or the password, for irreversible actions. */
  confirmIdentity(proof: IdentityProof, now: Date): Promise<void>;
}

function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message }, { status, headers });
}

function refuseAttempt(retryAfterS: number, path: string): Response {
  const minutes = Math.ceil(retryAfterS / 60);
  const wayThrough = path === '/sign-in/email' ? ' To sign in now, reset your password by email.' : '';
  return refuse(
    429,
    'TOO_MANY_ATTEMPTS',
    `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.${wayThrough}`,
    { 'retry-after': String(retryAfterS) },
  );
}

/** Bounds how long a user whom the provider no longer admits stays signed in. */
const SSO_SESSION_MS = DAY_MS;

/**
 * Endpoints that change sign-in methods. An SSO session must not use them: whoever runs the provider could impersonate
 * any user and leave a lasting way in.
 */
function isAccountSecurity(path: string): boolean {
  const isAboutWaysIn = path.startsWith('/passkey/') || path.startsWith('/two-factor/') || path === '/change-password';
  return (
    isAboutWaysIn &&
    !path.startsWith('/two-factor/verify-') &&
    !path.endsWith('authenticate-options') &&
    path !== '/passkey/verify-authentication'
  );
}

export function createAuth(options: AuthOptions): Auth {
  const { database, trustedProxies, secrets } = options;
  // A new root secret starts all counts of attempts anew, once.
  const throttle = createThrottle(database, secrets[0].secret);
  const familiar = createFamiliarAddresses(database, secrets);

  /** The way through for a person who is locked out: opening the link in a mail proves who they are. */
  async function letThrough(userId: string, address: string, now: Date): Promise<void> {
    const rule = throttleRules['/sign-in/email'];
    const user = await database.user.findUnique({ where: { id: userId }, select: { email: true } });
    if (rule === undefined || user === null) {
      return;
    }
    await familiar.add({ email: user.email, address }, now);
    for (const isFamiliar of [true, false]) {
      const { account } = throttleSubjects(rule, { account: user.email, address, isFamiliar });
      if (account !== null) {
        await throttle.clear(account);
      }
    }
  }

  const library = createLibraryAuth({
    ...options,
    onPasswordReset: async (userId, request) => {
      const address = request?.headers.get(ADDRESS_HEADER) ?? 'unknown';
      const now = new Date();
      await recordAccountEvent(database, { userId, action: 'account.reset-password', address }, now);
      await letThrough(userId, addressNetwork(address), now);
    },
  });

  /**
   * Ends SSO sessions after a day. The library would prolong them for a browser that lost the cookie which turns
   * prolonging off.
   */
  async function findSession(headers: Headers) {
    const found = await library.api.getSession({ headers: resignCookies(headers, secrets) });
    if (found?.session.ssoOrganizationId == null) {
      return found;
    }
    return Date.now() - found.session.createdAt.getTime() < SSO_SESSION_MS ? found : null;
  }

  async function signedIn(
    headers: Headers,
  ): Promise<{ userId: string; isTwoFactorOn: boolean; isSso: boolean } | null> {
    const found = await findSession(headers);
    if (found === null) {
      return null;
    }
    const { user, session } = found;
    return { userId: user.id, isTwoFactorOn: user.twoFactorEnabled === true, isSso: session.ssoOrganizationId != null };
  }

  async function findUserId(email: string): Promise<string | null> {
    const user = await database.user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true } });
    return user?.id ?? null;
  }

  return {
    async handle(request) {
      const url = new URL(request.url);
      const path = url.pathname.replace(/^\/api\/auth/, '');
      if (servedMethod(path) !== request.method) {
        return refuse(404, 'NOT_FOUND', 'Not found.');
      }
      // Links in mails open as a plain cross-site GET, which must be allowed.
      if (request.method !== 'GET' && !isFromOurPages(request, options.webUrl)) {
        return refuseForeignOrigin(options.webUrl);
      }
      const body = request.method === 'GET' ? {} : await readJsonBody(request);
      if (body === null) {
        return refuse(400, 'BODY_INVALID', 'Send a JSON object of at most 32 KiB.');
      }

      const now = new Date();
      const address = clientAddress(request.headers, trustedProxies);
      const before = await signedIn(request.headers);
      if (before?.isSso === true && isAccountSecurity(path)) {
        const message =
          'You signed in through single sign-on. Sign in with your password to change your sign-in methods.';
        return refuse(403, 'SSO_SESSION_LIMITED', message);
      }
      const email = textOf(body, 'email');
      const rule = throttleRules[path];
      const account = path === '/sign-in/email' ? email : (before?.userId ?? email);
      const network = addressNetwork(address);
      const isFamiliar =
        rule?.account != null &&
        account !== null &&
        account === email &&
        (await familiar.has({ email, address: network }, now));
      const subjects = throttleSubjects(rule ?? generalLimit, { account, address: network, isFamiliar });
      const verdict = await throttle.attempt(
        [subjects.address, ...(subjects.account === null ? [] : [subjects.account])],
        now,
      );
      if (!verdict.isAllowed) {
        return refuseAttempt(verdict.retryAfterS, path);
      }

      const headers = new Headers(resignCookies(request.headers, secrets));
      headers.set(ADDRESS_HEADER, address);
      headers.delete('content-length');
      const init = request.method === 'GET' ? {} : { body: JSON.stringify(body) };
      const response = await library.handler(new Request(request.url, { method: request.method, headers, ...init }));
      const answer = await bodyWithoutTokens(response);

      const isCodeDue = memberOf(answer.body, 'twoFactorRedirect') === true;
      const event = accountEventOf({
        path,
        status: response.status,
        before,
        answeredUserId: textOf(memberOf(answer.body, 'user'), 'id'),
        isCodeDue,
        namedUserId: response.status === 401 && email !== null ? await findUserId(email) : null,
      });
      // Runs before the response is sent: without its audit row, neither the outcome nor a session leaves the server.
      if (event !== null) {
        await recordAccountEvent(database, { ...event, address }, now);
        const signedIn = textOf(memberOf(answer.body, 'user'), 'email');
        if (event.action === 'account.sign-in' && signedIn !== null) {
          await familiar.add({ email: signedIn, address: network }, now);
        }
      }
      if (response.ok && rule?.isGuess === true) {
        await throttle.refund(subjects.address);
        // A right password proves nothing yet while its second factor is due.
        if (subjects.account !== null && !isCodeDue) {
          await throttle.clear(subjects.account);
        }
      }
      return answer.response;
    },

    confirmIdentity: (proof, now) => confirmIdentity(database, throttle, proof, now),

    async getSession(headers) {
      const found = await findSession(headers);
      if (found === null) {
        return null;
      }
      const { user, session } = found;
      return {
        sessionId: session.id,
        activeOrganizationId: session.activeOrganizationId ?? null,
        ssoOrganizationId: session.ssoOrganizationId ?? null,
        user: { id: user.id, email: user.email, name: user.name },
      };
    },
  };
}
