// Asks a signed-in user for proof of identity again, for changes that an unattended open session must not allow.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { textOf } from './auth-body.ts';
import { verifyPassword } from './passwords.ts';

/** How long a proof counts: a sign-in, or a confirmation within the session. */
export const CONFIRMATION_MS = 15 * MINUTE_MS;

/** The endpoints that confirm an identity, and the library's endpoint that checks the proof; null for our own check. */
const proofEndpoints = {
  '/confirm/password': null,
  '/confirm/code': '/two-factor/verify-totp',
  '/confirm/passkey': '/passkey/verify-authentication',
} as const;

export type ConfirmationPath = keyof typeof proofEndpoints;

export function isConfirmationPath(path: string): path is ConfirmationPath {
  return Object.hasOwn(proofEndpoints, path);
}

/** Whether the proof is recent enough for sensitive changes. */
export function isConfirmed(session: { confirmedAt: Date }, now: Date): boolean {
  return now.getTime() - session.confirmedAt.getTime() <= CONFIRMATION_MS;
}

/** @throws AppError `reauthentication_required` */
export function requireConfirmation(session: { confirmedAt: Date }, now: Date): void {
  if (isConfirmed(session, now)) {
    return;
  }
  throw new AppError({
    kind: 'forbidden',
    code: 'reauthentication_required',
    message: 'This change requires a recent proof of identity. Nothing was changed.',
    remedy: 'Confirm your identity and try again. If you aren’t asked, reload the page.',
  });
}

export interface ConfirmationTools {
  database: Database;
  /** The account library's endpoints, with the session of the request. */
  callLibrary(path: string, body: object): Promise<Response>;
}

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}

/**
 * Checks the proof and notes the time in the session. Attempts are counted by the caller.
 * @returns an empty object, or the refusal in the account library's form. Never sets a cookie.
 */
export async function confirmIdentity(
  { database, callLibrary }: ConfirmationTools,
  request: { path: ConfirmationPath; body: object; sessionId: string; userId: string; isTwoFactorOn: boolean },
  now: Date,
): Promise<Response> {
  const { path, body, sessionId, userId } = request;
  const endpoint = proofEndpoints[path];
  if (endpoint === null) {
    if (!(await isPassword(database, userId, textOf(body, 'password')))) {
      return refuse(400, 'INVALID_PASSWORD', 'Incorrect password.');
    }
  } else {
    // The first code would turn two-factor on. That is a change, not a proof.
    if (path === '/confirm/code' && !request.isTwoFactorOn) {
      return refuse(400, 'TOTP_NOT_ENABLED', 'Two-factor sign-in is off.');
    }
    const proof = path === '/confirm/code' ? { code: textOf(body, 'code') ?? '' } : body;
    const answer = await callLibrary(endpoint, proof);
    const found: unknown = await answer.json();
    if (!answer.ok) {
      return Response.json(found, { status: answer.status });
    }
    if (path === '/confirm/passkey' && (await ownerOfEndedSession(database, found)) !== userId) {
      return refuse(403, 'PASSKEY_OF_ANOTHER_ACCOUNT', 'This passkey belongs to another account.');
    }
  }
  const { count } = await database.session.updateMany({
    where: { id: sessionId, userId, expiresAt: { gt: now } },
    data: { confirmedAt: now },
  });
  return count === 1 ? Response.json({}) : refuse(401, 'SIGNED_OUT', 'You’re not signed in.');
}

async function isPassword(database: Database, userId: string, password: string | null): Promise<boolean> {
  const account = await database.account.findFirst({
    where: { userId, providerId: 'credential' },
    select: { password: true },
  });
  const hash = account?.password ?? null;
  return hash !== null && password !== null && (await verifyPassword({ hash, password }));
}

/** The library opens a new session for a passkey. It ends before its cookie could leave the server. */
async function ownerOfEndedSession(database: Database, answer: unknown): Promise<string | null> {
  const session: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'session') : null;
  const id = textOf(session, 'id');
  const opened = id === null ? null : await database.session.findUnique({ where: { id }, select: { userId: true } });
  if (id === null || opened === null) {
    return null;
  }
  await database.session.delete({ where: { id } });
  return opened.userId;
}
