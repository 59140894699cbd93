// Asks for proof of identity again, for actions that an unattended open session must not allow.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { addressNetwork } from '@penstock/platform/client-address';
import { MINUTE_MS } from '@penstock/units';
import { verifyPassword } from './passwords.ts';
import type { Throttle } from './throttle.ts';
import { throttleRules, throttleSubjects } from './throttle-rules.ts';

/** How long a sign-in counts as recent. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;

export interface IdentityProof {
  sessionId: string;
  userId: string;
  /** Null or empty if the user entered none. */
  password: string | null;
  /** The network address that the request comes from. */
  address: string;
}

/**
 * @throws AppError `reauthentication_required` without a recent sign-in or a password, `password_wrong`,
 * `too_many_attempts`: counts against the same limits as sign-in
 */
export async function confirmIdentity(
  database: Database,
  throttle: Throttle,
  proof: IdentityProof,
  now: Date,
): Promise<void> {
  const session = await database.session.findFirst({
    where: { id: proof.sessionId, userId: proof.userId, expiresAt: { gt: now } },
    select: { createdAt: true },
  });
  if (session !== null && now.getTime() - session.createdAt.getTime() <= FRESH_SIGN_IN_MS) {
    return;
  }
  if (session === null || proof.password === null || proof.password === '') {
    throw new AppError({
      kind: 'forbidden',
      code: 'reauthentication_required',
      field: 'password',
      message: 'You signed in more than 15 minutes ago.',
      remedy: 'Enter your password, or sign out and sign in again.',
    });
  }
  const rule = throttleRules['/change-password'];
  if (rule === undefined) {
    throw new Error('There is no rule for guessed passwords.');
  }
  const subjects = throttleSubjects(rule, { account: proof.userId, address: addressNetwork(proof.address) });
  const counted = [subjects.address, ...(subjects.account === null ? [] : [subjects.account])];
  const verdict = await throttle.attempt(counted, now);
  if (!verdict.isAllowed) {
    throw new AppError({
      kind: 'rate-limited',
      code: 'too_many_attempts',
      message: 'Too many attempts.',
      remedy: `Try again in ${Math.ceil(verdict.retryAfterS / 60)} min.`,
    });
  }
  const account = await database.account.findFirst({
    where: { userId: proof.userId, providerId: 'credential' },
    select: { password: true },
  });
  const hash = account?.password ?? null;
  if (hash === null || !(await verifyPassword({ hash, password: proof.password }))) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'password_wrong',
      field: 'password',
      message: 'Incorrect password.',
      remedy: 'Try again, or sign out and sign in again.',
    });
  }
  await throttle.refund(subjects.address);
  if (subjects.account !== null) {
    await throttle.clear(subjects.account);
  }
}
