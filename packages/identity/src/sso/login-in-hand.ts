// A sign-in under way: what is stored between the redirect to the provider and the callback.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { z } from 'zod';

/** How long a user may take at the provider. */
export const LOGIN_LIFETIME_MS = 10 * MINUTE_MS;

/** The facts proved by a SAML provider's posted response, for the callback that follows it. */
const samlOutcome = z.union([
  z.object({
    answer: z.object({
      issuer: z.string(),
      subject: z.string(),
      claims: z.record(z.string(), z.unknown()),
      authenticatedAtMs: z.number().nullable().default(null),
    }),
  }),
  z.object({ refusal: z.object({ code: z.string(), message: z.string(), remedy: z.string() }) }),
]);
export type SamlOutcome = z.infer<typeof samlOutcome>;

const loginInHand = z.object({
  organizationId: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  browserHash: z.string(),
  next: z.string(),
  /** The owner who tests the connection, which signs nobody in. Null for a sign-in. */
  tester: z.object({ userId: z.string(), email: z.string() }).nullable().default(null),
  /** The session whose person proves their identity again. Null for a sign-in. */
  confirming: z.object({ sessionId: z.string(), userId: z.string() }).nullable().default(null),
  /** When we sent the browser to the provider. */
  startedAtMs: z.number().default(0),
  /** The ID of our SAML request; null for OpenID Connect, and once the response has come. */
  samlRequestId: z.string().nullable().default(null),
  samlOutcome: samlOutcome.nullable().default(null),
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

/** Takes the login out: a second one with the same state finds nothing. Null if there is none or its time is over. */
export async function takeLoginByState(database: Database, state: string, now: Date): Promise<LoginInHand | null> {
  const [row] = await database.$queryRaw<{ value: string; expires_at: Date }[]>`
    DELETE FROM verification WHERE identifier = ${loginKey(state)} RETURNING value, expires_at`;
  return row === undefined || row.expires_at <= now ? null : loginInHand.parse(JSON.parse(row.value));
}

export function stateUnknown(): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'sso_state_unknown',
    message: 'This sign-in has expired, was already completed or was started in another browser.',
    remedy: 'Start again from the sign-in page.',
  });
}

/**
 * Takes the login out in the browser that started it.
 * @param browserToken the cookie of that browser; null if absent
 * @throws AppError `sso_state_unknown`
 */
export async function takeLogin(
  database: Database,
  { state, browserToken }: { state: string; browserToken: string | null },
  now: Date,
): Promise<LoginInHand> {
  const login = await takeLoginByState(database, state, now);
  if (login === null || browserToken === null || !isSame(sha256(browserToken), login.browserHash)) {
    throw stateUnknown();
  }
  return login;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
