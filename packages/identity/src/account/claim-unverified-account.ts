// Hands an account whose address nobody had proven to the person who proves it. Whoever made it may have set a password
// or added ways to sign in, waiting for the owner of the address: nothing of that survives.
import type { Transaction } from '@penstock/database/client';

/** Discards everything that was set up, and marks the address as verified. The caller has proof of the address. */
export async function claimUnverifiedAccount(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.session.deleteMany({ where: { userId } });
  await tx.account.deleteMany({ where: { userId } });
  await discardSecondWays(tx, userId, now);
}

/**
 * Like `claimUnverifiedAccount`, after a password reset by mail: the account library has already replaced the password
 * and ended the sessions.
 */
export async function claimByPasswordReset(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: { not: 'credential' } } });
  await discardSecondWays(tx, userId, now);
}

async function discardSecondWays(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.twoFactor.deleteMany({ where: { userId } });
  await tx.apiKey.updateMany({ where: { createdBy: userId, revokedAt: null }, data: { revokedAt: now } });
  await tx.user.update({ where: { id: userId }, data: { emailVerified: true, twoFactorEnabled: false } });
}
