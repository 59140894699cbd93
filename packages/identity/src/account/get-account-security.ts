// A user's sign-in methods, for their account page.
import type { Transaction } from '@penstock/database/client';

export interface AccountSecurity {
  isTwoFactorOn: boolean;
  passkeys: { id: string; name: string | null; createdAt: Date | null; isSynced: boolean }[];
}

export async function getAccountSecurity(tx: Transaction, userId: string): Promise<AccountSecurity> {
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      twoFactorEnabled: true,
      passkeys: { orderBy: { id: 'asc' }, select: { id: true, name: true, createdAt: true, backedUp: true } },
    },
  });
  return {
    isTwoFactorOn: user.twoFactorEnabled,
    passkeys: user.passkeys.map(({ id, name, createdAt, backedUp }) => ({ id, name, createdAt, isSynced: backedUp })),
  };
}
