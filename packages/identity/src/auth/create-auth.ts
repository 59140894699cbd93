// The entry point for accounts and sessions. It adds origin checks, size limits, throttles and the audit log to the
// account library.
import type { Database } from '@penstock/database/client';
import type { Logger, RootSecrets, SecretBox } from '@penstock/platform';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';
import { inTransaction, isFromOurPages, refuseForeignOrigin, type WebhookPolicy } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { recordAccountEvent } from '../account/record-account-event.ts';
import { createThrottle } from '../account/throttle.ts';
import { sessionDaysOf } from '../organization/session-lifetime.ts';
import { accountEventOf } from './account-events.ts';
import { bodyFault, bodyWithoutTokens, memberOf, readJsonBody, textOf } from './auth-body.ts';
import { confirmIdentity, isConfirmationPath, isConfirmed } from './confirm-identity.ts';
import { CONFIRMATION_HEADER } from './confirmation-header.ts';
import { createFamiliarAddresses } from './familiar-addresses.ts';
import { ADDRESS_HEADER, createLibraryAuth } from './library-auth.ts';
import { challengedUserId } from './one-time-codes.ts';
import { newPasswordFault } from './password-guard.ts';
import { resignCookies } from './resign-cookies.ts';
import { answerSaml } from './saml-endpoints.ts';
import { servedMethod } from './served-paths.ts';
import { createSignUpChallenges } from './sign-up-challenge.ts';
import { answerSignUp, isSignUpPath } from './sign-up-endpoints.ts';
import { generalLimit, throttleRules, throttleSubjects } from './throttle-rules.ts';
import { asksForTrust, withoutTrust } from './trusted-devices.ts';

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
  /** The work of a sign-up: PBKDF2 iterations per key, of which a browser tries a hundred on average. */
  signUpIterations: number;
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
  /** When the user last proved their identity: at sign-in, or by confirming it since. */
  confirmedAt: Date;
  user: SessionUser;
}

export interface Auth {
  /** Handles the requests under /api/auth. */
  handle(request: Request): Promise<Response>;
  /** The session that these headers belong to; null if nobody is signed in. */
  getSession(headers: Headers): Promise<AuthSession | null>;
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

/** The shortest lifetime of a session. It also bounds how long a user whom the provider no longer admits stays signed in. */
const MIN_SESSION_MS = DAY_MS;

/**
 * Endpoints that change sign-in methods. An SSO session must not use them: an administrator of the provider could
 * impersonate any user and leave a lasting way in.
 */
function isAccountSecurity(path: string): boolean {
  const isAboutWaysIn = path.startsWith('/passkey/') || path.startsWith('/two-factor/') || path === '/change-password';
  // Such a session is confirmed at the provider that opened it.
  if (isConfirmationPath(path)) {
    return true;
  }
  return (
    isAboutWaysIn &&
    !path.startsWith('/two-factor/verify-') &&
    !path.endsWith('authenticate-options') &&
    path !== '/passkey/verify-authentication'
  );
}

/** Endpoints for which the library would accept any session, however old. The others ask for the password. */
const confirmedPaths: ReadonlySet<string> = new Set([
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
]);

/** The endpoint that a request is for. */
function pathOf(request: Request): string {
  const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
  const isConfirmation = path === '/passkey/verify-authentication' && request.headers.has(CONFIRMATION_HEADER);
  return isConfirmation ? '/confirm/passkey' : path;
}

function provenAt({ createdAt, confirmedAt }: { createdAt: Date; confirmedAt?: Date | null | undefined }): Date {
  return confirmedAt != null && confirmedAt > createdAt ? confirmedAt : createdAt;
}

export function createAuth(options: AuthOptions): Auth {
  const { database, trustedProxies, secrets } = options;
  // A new root secret starts all counts of attempts anew, once.
  const throttle = createThrottle(database, secrets[0].secret);
  const challenges = createSignUpChallenges(throttle, secrets, options.signUpIterations);
  const familiar = createFamiliarAddresses(database, secrets);

  /** Unlocks sign-in for a person who is locked out: opening the link in a mail proves their identity. */
  async function allowSignIn(userId: string, address: string, now: Date): Promise<void> {
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
      await allowSignIn(userId, addressNetwork(address), now);
    },
  });

  /**
   * Ends SSO sessions after a day, and other ones when an organization of the user says so, after 90 days at the latest.
   * The library would prolong them for as long as they are used.
   */
  async function findSession(headers: Headers) {
    const found = await library.api.getSession({ headers: resignCookies(headers, secrets) });
    if (found === null) {
      return null;
    }
    const ageMs = Date.now() - found.session.createdAt.getTime();
    // No organization ends sessions earlier than this, so most requests read nothing more.
    if (ageMs < MIN_SESSION_MS) {
      return found;
    }
    if (found.session.ssoOrganizationId != null) {
      return null;
    }
    const days = await inTransaction(database, (tx) => sessionDaysOf(tx, found.user.id));
    return ageMs < days * DAY_MS ? found : null;
  }

  interface SignedIn {
    sessionId: string;
    userId: string;
    isTwoFactorOn: boolean;
    isSso: boolean;
    confirmedAt: Date;
  }

  async function signedIn(headers: Headers): Promise<SignedIn | null> {
    const found = await findSession(headers);
    if (found === null) {
      return null;
    }
    const { user, session } = found;
    return {
      sessionId: session.id,
      userId: user.id,
      isTwoFactorOn: user.twoFactorEnabled === true,
      isSso: session.ssoOrganizationId != null,
      confirmedAt: provenAt(session),
    };
  }

  async function findUserId(email: string): Promise<string | null> {
    const user = await database.user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true } });
    return user?.id ?? null;
  }

  async function userOfReset(token: string): Promise<string | null> {
    const { internalAdapter } = await library.$context;
    return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value ?? null;
  }

  /** Posts come from the provider's page, so their origin is not ours. What they prove is in their signature. */
  async function handleSaml(path: string, request: Request): Promise<Response> {
    const address = addressNetwork(clientAddress(request.headers, trustedProxies));
    const rule = throttleRules[path] ?? generalLimit;
    const verdict = await throttle.attempt([throttleSubjects(rule, { account: null, address }).address], new Date());
    if (!verdict.isAllowed) {
      return refuseAttempt(verdict.retryAfterS, path);
    }
    const { secretBox, outbound: policy, webUrl, logger } = options;
    const answer = await answerSaml({ database, secretBox, policy, webUrl }, { path, request, logger });
    return answer ?? refuse(404, 'NOT_FOUND', 'Not found.');
  }

  return {
    async handle(request) {
      const path = pathOf(request);
      if (path.startsWith('/sso/saml/')) {
        return handleSaml(path, request);
      }
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
      const unusable = bodyFault(body);
      if (unusable !== null) {
        return refuse(400, 'BODY_INVALID', unusable);
      }

      if (asksForTrust(body)) {
        return refuse(400, 'TRUST_DEVICE_REFUSED', 'No device can skip the second factor. Leave out trustDevice.');
      }

      const now = new Date();
      const address = clientAddress(request.headers, trustedProxies);
      const before = await signedIn(request.headers);
      if (before?.isSso === true && isAccountSecurity(path)) {
        const message =
          'You signed in through single sign-on. Sign in with your password to change your sign-in methods.';
        return refuse(403, 'SSO_SESSION_LIMITED', message);
      }
      if (before !== null && confirmedPaths.has(path) && !isConfirmed(before, now)) {
        return refuse(403, 'REAUTHENTICATION_REQUIRED', 'Confirm your identity first.');
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

      const headers = new Headers(withoutTrust(resignCookies(request.headers, secrets)));
      headers.set(ADDRESS_HEADER, address);
      headers.delete('content-length');
      const init = request.method === 'GET' ? {} : { body: JSON.stringify(body) };
      const callLibrary = (url: string, content: { body?: string }) =>
        library.handler(new Request(url, { method: request.method, headers, ...content }));
      const callEndpoint = (endpoint: string, content: object) =>
        callLibrary(`${options.webUrl}/api/auth${endpoint}`, { body: JSON.stringify(content) });
      // Read first: too many wrong codes end the challenge.
      const challengedId = path.startsWith('/two-factor/verify-')
        ? await challengedUserId(await library.$context, request.headers)
        : null;
      const answerRequest = async (): Promise<Response> => {
        if (isSignUpPath(path)) {
          const signIn = (address: string, password: string) =>
            callEndpoint('/sign-in/email', { email: address, password });
          return answerSignUp({ database, webUrl: options.webUrl, challenges, signIn }, { path, body }, now);
        }
        if (!isConfirmationPath(path)) {
          return callLibrary(request.url, init);
        }
        return before === null
          ? refuse(401, 'SIGNED_OUT', 'You’re not signed in.')
          : confirmIdentity({ database, callLibrary: callEndpoint }, { path, body, ...before }, now);
      };
      const fault = await newPasswordFault(database, { path, body, userId: before?.userId ?? null, userOfReset });
      const response = fault === null ? await answerRequest() : refuse(400, fault.code, fault.message);
      const answer = await bodyWithoutTokens(response);

      const isCodeDue = memberOf(answer.body, 'twoFactorRedirect') === true;
      const event = accountEventOf({
        path,
        status: response.status,
        before,
        answeredUserId: textOf(memberOf(answer.body, 'user'), 'id'),
        isCodeDue,
        namedUserId: challengedId ?? (response.status === 401 && email !== null ? await findUserId(email) : null),
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
        confirmedAt: provenAt(session),
        user: { id: user.id, email: user.email, name: user.name },
      };
    },
  };
}
