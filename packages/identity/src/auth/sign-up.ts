// Sign-up: first the address is proven by mail, then the person chooses a name and a password.
import type { Transaction } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { queueMail } from '@penstock/tenancy';
import { existingAccountMail, signUpMail } from './auth-mails.ts';
import { issueSignUpToken, redeemSignUpToken } from './sign-up-token.ts';

/**
 * Sends the link that proves the address, or tells its owner that there is an account already. The caller learns neither.
 * @param input.email in lower case
 */
export async function requestSignUp(
  tx: Transaction,
  input: { email: string; webUrl: string },
  now: Date,
): Promise<void> {
  const { email, webUrl } = input;
  const user = await tx.user.findUnique({ where: { email }, select: { id: true } });
  if (user !== null) {
    await queueMail(tx, existingAccountMail(email, `${webUrl}/sign-in`), now);
    return;
  }
  const token = await issueSignUpToken(tx, email, now);
  // After the #: browsers never send the fragment, so no server or proxy logs it, and no scanner of mails redeems it.
  await queueMail(tx, signUpMail(email, `${webUrl}/sign-up/finish#${token}`), now);
}

/** One error for used, expired and invented tokens. */
export function signUpLinkNotUsable(): AppError {
  return new AppError({
    kind: 'not-found',
    code: 'invalid_token',
    message: 'This link has expired or has already been used.',
    remedy: 'Request a new one.',
  });
}

/**
 * Creates the account.
 * @param input.passwordHash by `hashPassword`
 * @returns the address
 * @throws AppError `invalid_token`, `account_exists`
 */
export async function completeSignUp(
  tx: Transaction,
  input: { token: string; name: string; passwordHash: string },
  now: Date,
): Promise<string> {
  const email = await redeemSignUpToken(tx, input.token, now);
  if (email === null) {
    throw signUpLinkNotUsable();
  }
  const userId = await makeUser(tx, { email, name: input.name }, now);
  const id = newId(now.getTime());
  const credential = { providerId: 'credential', accountId: userId, userId, createdAt: now, updatedAt: now };
  await tx.account.create({ data: { id, ...credential, password: input.passwordHash } });
  return email;
}

async function makeUser(tx: Transaction, person: { email: string; name: string }, now: Date): Promise<string> {
  const { email, name } = person;
  const id = newId(now.getTime());
  // Of two links for one address, the second waits here for the first.
  const { count } = await tx.user.createMany({
    data: [{ id, email, name, emailVerified: true, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  if (count === 0) {
    throw new AppError({
      kind: 'conflict',
      code: 'account_exists',
      message: 'There’s already an account with this email address.',
      remedy: 'Sign in, or reset your password.',
    });
  }
  return id;
}
