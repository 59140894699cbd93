// A sign-in under way: what is stored between the redirect to the provider and the callback.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { z } from 'zod';

/** How long a user may take at the provider. */
export const LOGIN_LIFETIME_MS = 10 * MINUTE_MS;

const loginInHand = z.object({
  organizationId: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  browserHash: z.string(),
  next: z.string(),
  /** The owner who tests the connection, which signs nobody in. Null for a sign-in. */
  tester: z.object({ userId: z.string(), email: z.string() }).nullable().default(null),
});
export type LoginInHand = z.infer<typeof loginInHand>;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
export const fresh = (): string => randomBytes(32).toString('base64url');

/** Where a provider sends browsers back to. Customers register it with their provider. */
export const callbackUrl = (webUrl: string): string => `${webUrl}/api/auth/sso/callback`;

const loginKey = (state: string): string => `sso:${sha256(state)}`;

/** Stores the login under the hash of its state. */
export async function keepLogin(database: Database, state: string, login: LoginInHand, now: Date): Promise<void> {
  await database.verification.create({
    data: {
      id: newId(now.getTime()),
      identifier: loginKey(state),
      value: JSON.stringify(login),
      expiresAt: new Date(now.getTime() + LOGIN_LIFETIME_MS),
    },
  });
}

/**
 * Takes the login out: a second callback with the same state finds nothing.
 * @param browserToken the cookie of the browser that started the sign-in; null if absent
 * @throws AppError `sso_state_unknown`
 */
export async function takeLogin(
  database: Database,
  { state, browserToken }: { state: string; browserToken: string | null },
  now: Date,
): Promise<LoginInHand> {
  const [row] = await database.$queryRaw<{ value: string; expires_at: Date }[]>`
    DELETE FROM verification WHERE identifier = ${loginKey(state)} RETURNING value, expires_at`;
  const login = row === undefined || row.expires_at <= now ? null : loginInHand.parse(JSON.parse(row.value));
  if (login === null || browserToken === null || !isSame(sha256(browserToken), login.browserHash)) {
    throw new AppError({
      kind: 'forbidden',
      code: 'sso_state_unknown',
      message: 'This sign-in has expired, was already completed or was started in another browser.',
      remedy: 'Start again from the sign-in page.',
    });
  }
  return login;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
