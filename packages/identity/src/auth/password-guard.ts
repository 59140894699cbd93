// Checks new passwords before the account library sets them, at a reset and at a change. Sign-up checks its own.
import type { Database } from '@penstock/database/client';
import { inTransaction } from '@penstock/tenancy';
import { textOf } from './auth-body.ts';
import { type PasswordFault, passwordFault } from './password-rules.ts';

/**
 * Texts that a password must not be built from: the person's address and name, and the names of their organizations.
 */
async function textsAbout(database: Database, userId: string): Promise<string[]> {
  const { user, members } = await inTransaction(database, async (tx) => ({
    user: await tx.user.findUnique({ where: { id: userId }, select: { email: true, name: true } }),
    members: await tx.member.findMany({ where: { userId }, select: { organization: { select: { name: true } } } }),
  }));
  const names = members.map(({ organization }) => organization.name);
  return user === null ? names : [user.email, user.name, ...names];
}

export interface NewPassword {
  path: string;
  body: object;
  /** Who is signed in. */
  userId: string | null;
  /** Whose password this token of a mail resets; null if it is not valid. */
  userOfReset(token: string): Promise<string | null>;
}

/** @returns null if the request sets no password, or one that the library may look at */
export async function newPasswordFault(
  database: Database,
  { path, body, userId, userOfReset }: NewPassword,
): Promise<PasswordFault | null> {
  const password = textOf(body, 'newPassword');
  if (password === null || (path !== '/reset-password' && path !== '/change-password')) {
    return null;
  }
  const whose = path === '/change-password' ? userId : await userOfReset(textOf(body, 'token') ?? '');
  // The library refuses a request without a user.
  return whose === null ? null : passwordFault(password, await textsAbout(database, whose));
}
