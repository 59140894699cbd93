// The token in the mail that answers a sign-up. Until it comes back, the address has no account: what an unproven person
// typed is stored nowhere, so it blocks nobody and nothing of it can survive.
import { createHash } from 'node:crypto';
import type { Transaction } from '@penstock/database/client';
import { newId, randomBase62 } from '@penstock/platform';
import { DAY_MS } from '@penstock/units';

/** How long the link in the mail works. */
export const SIGN_UP_LIFETIME_MS = DAY_MS;

/** 238 random bits, so a plain hash of it is safe to store. */
const TOKEN_LENGTH = 40;

/** Its own namespace in the table that the account library uses for other proofs. */
const identifierOf = (token: string): string => `sign-up:${createHash('sha256').update(token).digest('base64url')}`;

/** @param email in lower case */
export async function issueSignUpToken(tx: Transaction, email: string, now: Date): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH);
  const expiresAt = new Date(now.getTime() + SIGN_UP_LIFETIME_MS);
  await tx.verification.create({
    data: {
      id: newId(now.getTime()),
      identifier: identifierOf(token),
      value: email,
      expiresAt,
      createdAt: now,
      updatedAt: now,
    },
  });
  return token;
}

/** The address that the token proves; null if the token is unknown, used or expired. */
export async function addressOfSignUp(tx: Transaction, token: string, now: Date): Promise<string | null> {
  const found = await tx.verification.findFirst({
    where: { identifier: identifierOf(token), expiresAt: { gt: now } },
    select: { value: true },
  });
  return found?.value ?? null;
}

/** Like `addressOfSignUp`, once: of two concurrent calls, one gets the address. */
export async function redeemSignUpToken(tx: Transaction, token: string, now: Date): Promise<string | null> {
  const email = await addressOfSignUp(tx, token, now);
  const { count } = await tx.verification.deleteMany({ where: { identifier: identifierOf(token) } });
  return count === 0 ? null : email;
}
